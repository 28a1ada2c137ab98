/**
 * Copies the texts of payments, refunds and transfers into the table in which the search finds their parts, and adds
 * up the customers of payments.
 * See docs/decisions/figures.md, "A search reads the newest records first, then an index of trigrams".
 */
import { sql } from 'kysely';
import type { Context, WriteContext } from '../context.ts';
import { firstIdAt } from '../kit/ids.ts';
import { addCustomers, countLargeCustomers } from '../money/customers/add-customers.ts';
import { databaseTime } from '../platform/database/schema/daily-partitions.ts';
import { run } from '../platform/database/statement.ts';
import { inBatches } from '../platform/database/transaction.ts';
import { idsBetween, takeNext } from '../text-search/search-progress.service.ts';
import { type LongKind, longKinds } from '../text-search/searched-kinds.ts';

/** A record is copied this long after its creation, because a transaction that made an earlier id may commit later. */
const delayMs = 5 * 60_000;

export async function fillSearch(context: Context): Promise<void> {
  const now = await databaseTime(context);
  const end = firstIdAt(new Date(now.getTime() - delayMs));
  for (const kind of Object.keys(longKinds) as LongKind[]) {
    await inBatches(context, (transaction) => copyNext(transaction, kind, end));
  }
  await inBatches(context, (transaction) => addCustomers(transaction, end));
  await countLargeCustomers(context);
}

function copyNext(context: WriteContext, kind: LongKind, end: string): Promise<boolean> {
  const { table, words } = longKinds[kind];
  return takeNext(
    context,
    { kind, table, end },
    (ids) => run(context)`
      insert into search_record (id, merchant_id, list, words)
      select id, merchant_id, mode || ' ' || ${sql.lit(kind)}, ${words} from ${table} where ${idsBetween(ids)}
      on conflict do nothing`,
  );
}
