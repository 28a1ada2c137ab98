import type { Context, Reader } from '@tillhook/server/src/context.ts';
import { checkLedger } from '@tillhook/server/src/wallets/ledger-check.service.ts';
import type { Database } from '../database/database.ts';

interface Books {
  context: Pick<Context, 'clock'> & {
    em: Pick<Reader, 'fork'>;
    config: Pick<Context['config'], 'retentionDays'>;
  };
}

/** What `tillhook ledger check` finds wrong with all books, or with those of one merchant: nothing, whatever happened. */
export async function ledgerBreaches({ context }: Books, merchantId?: string): Promise<string[]> {
  const { breaches } = await checkLedger({ ...context, em: context.em.fork() }, { merchantId });
  return breaches.map(
    ({ invariant, says, table, id, expected, found }) =>
      `${invariant}. ${says}: ${table} ${id} has ${found}, not ${expected}`,
  );
}

/** All that there is to say of a merchant's money. */
export interface Money {
  /** By currency and kind, without those that are empty. */
  balances: Record<string, number>;
  /** Reference, status, attempts, and why a person has to look at it. */
  payments: string[];
  /** References of payments that keep a decline, or a person's refusal: it goes when they are completed. */
  declined: string[];
  /** Reference, status and fee. */
  transfers: string[];
  /** Reference and name; those of one reference in their order. */
  events: string[];
}

export async function moneyOf(database: Database, merchantId: string): Promise<Money> {
  const [money] = await database.query<Money>(moneyOfMerchant, [merchantId]);
  if (!money) throw new Error('There is one row, whatever is in it.');
  return money;
}

const moneyOfMerchant = `
  select
    (select coalesce(json_object_agg(currency || ' ' || kind, balance order by (currency || ' ' || kind) collate "C"), '{}')
      from ledger_account where merchant_id = $1 and balance <> 0) as balances,
    (select coalesce(json_agg(concat_ws(' ', reference, status, attempts, review_reason) order by reference collate "C"), '[]')
      from payment where merchant_id = $1) as payments,
    (select coalesce(json_agg(reference order by reference collate "C"), '[]')
      from payment where merchant_id = $1 and failure_code is not null) as declined,
    (select coalesce(json_agg(reference || ' ' || status || ' ' || fee order by reference collate "C"), '[]')
      from transfer where merchant_id = $1) as transfers,
    (select coalesce(json_agg(reference || ' ' || name order by reference collate "C", id), '[]')
      from event where merchant_id = $1) as events`;
