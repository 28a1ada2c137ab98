import { type RawBuilder, sql } from 'kysely';
import { wordsOf } from './search-terms.ts';

/** The kinds of records that are too many to be read one by one, and are therefore also in `search_record`. */
export const longKinds = {
  payment: { table: sql.table('payment'), words: wordsOf(['reference', 'customer_email', 'description'], 'amount') },
  refund: { table: sql.table('refund'), words: wordsOf(['reference', 'payment_reference', 'reason'], 'amount') },
  transfer: { table: sql.table('transfer'), words: wordsOf(['reference', 'recipient_name', 'narration'], 'amount') },
} as const;

export type LongKind = keyof typeof longKinds;

/** The kinds of records that are few, and are read one by one. */
export const shortKinds = {
  product: { table: sql.table('product'), words: wordsOf(['name', 'description'], 'price') },
  paymentLink: { table: sql.table('payment_link'), words: wordsOf(['name', 'slug', 'description'], 'amount') },
} as const;

export type ShortKind = keyof typeof shortKinds;

/** Customers are found by a part of their address. */
export const listOf = (mode: string, kind: LongKind | 'customer'): string => `${mode} ${kind}`;

interface Records {
  table: RawBuilder<unknown>;
  words: RawBuilder<unknown>;
}

/**
 * Reads the ids and the words of the newest records one by one. The ids come from an index alone. With `offset 0`,
 * Postgres looks each record up, and does not read the whole table.
 */
export function newestWords({ table, words }: Records, where: RawBuilder<unknown>, depth: number): RawBuilder<unknown> {
  return sql`
    select newest.id, text.words from (
      select id from ${table} where ${where} order by id desc limit ${depth}
    ) as newest
    cross join lateral (select ${words} as words from ${table} as record where record.id = newest.id offset 0) as text`;
}
