/**
 * Counts the entries of wallets by quarters of an hour. Entries never change, and the number of an entry is higher than
 * the numbers of all entries that were saved before it, so each entry is counted once.
 * See docs/decisions/figures.md, "Money is counted by the quarter of an hour in which it moved".
 */
import { type Context, type WriteContext, withFreshEntityManager } from '../../context.ts';
import { run } from '../../platform/database/statement.ts';
import { inBatches, inTransaction } from '../../platform/database/transaction.ts';
import { movesVolume, volumeColumns } from './moved-money.service.ts';

const accountsAtOnce = 50;
const entriesAtOnce = 1000;

/** Two processes may run this job at the same time: each skips the accounts that the other process has locked. */
export async function countEntries(context: Context): Promise<void> {
  await inTransaction(withFreshEntityManager(context), noteAccounts);
  await inBatches(context, async (tx) => (await countNext(tx)) > 0);
}

async function noteAccounts(tx: WriteContext): Promise<void> {
  await run(tx)`
    insert into ledger_quarter_progress (account_id, counted_to)
    select id, 0 from ledger_account
    where kind in ('collection', 'transfer')
      and not exists (select from ledger_quarter_progress where account_id = ledger_account.id)
    on conflict do nothing`;
}

/**
 * Returns the number of accounts that had uncounted entries. Another process may have counted entries since the
 * statement began, so `counted_to` never becomes smaller.
 */
function countNext(tx: WriteContext): Promise<number> {
  return run(tx)`
    with due as materialized (
      select account.id, counted_to, greatest(counted_to, least(entry_count, counted_to + ${entriesAtOnce})) as up_to
      from ledger_quarter_progress join ledger_account as account on account.id = account_id
      where entry_count > counted_to
      limit ${accountsAtOnce} for update of ledger_quarter_progress skip locked
    ),
    counted as (
      insert into ledger_quarter_count as known (account_id, starts_at, payments, gross, refunds, fees)
      select due.id, date_bin('15 minutes', created_at, '1970-01-01T00:00:00Z'), sum(payments), sum(gross),
        sum(refunds), sum(fees)
      from due cross join lateral (
        select ${volumeColumns}, transaction_id from ledger_entry
        where account_id = due.id and number > counted_to and number <= up_to and ${movesVolume}
        offset 0
      ) as entry
      cross join lateral (
        select created_at from ledger_transaction where ledger_transaction.id = transaction_id offset 0
      ) as posting
      group by 1, 2
      on conflict (account_id, starts_at) do update set payments = known.payments + excluded.payments,
        gross = known.gross + excluded.gross, refunds = known.refunds + excluded.refunds,
        fees = known.fees + excluded.fees
    )
    update ledger_quarter_progress set counted_to = up_to from due where account_id = due.id`;
}
