/** The money that moved in a period: quarters of an hour that `count-entries.job.ts` has counted, and newer entries. */
import { type RawBuilder, sql } from 'kysely';
import type { WithOwner } from '../../context.ts';

/** Entries that change the volume. Fees are those of transfers. */
export const movesVolume = sql<boolean>`type in ('payment', 'refund', 'refund_return', 'fee')`;

/** A refund or fee that came back is subtracted. */
export const volumeColumns = sql`
  case type when 'payment' then 1 else 0 end as payments,
  case type when 'payment' then amount else 0 end as gross,
  case when type in ('refund', 'refund_return') then -amount else 0 end as refunds,
  case type when 'fee' then -amount else 0 end as fees`;

/**
 * Returns SQL for the entries of the wallets. `moved_at` is the start of a counted quarter of an hour, or the time of
 * one entry. One statement reads the counts and how far they reach, so no entry is missed or counted twice.
 */
export function movedMoney(
  { principal: { merchantId, mode } }: WithOwner,
  { from, to }: { from: Date; to: Date },
): RawBuilder<unknown> {
  return sql`(
    select currency, starts_at as moved_at, payments, gross, refunds, fees
    from ledger_account join ledger_quarter_count on account_id = ledger_account.id
    where ${isWallet(merchantId, mode)} and starts_at >= ${from} and starts_at < ${to}
    union all
    select currency, created_at, payments, gross, refunds, fees
    from ledger_account
    left join ledger_quarter_progress on ledger_quarter_progress.account_id = ledger_account.id
    cross join lateral (
      select ${volumeColumns}, transaction_id from ledger_entry
      where ledger_entry.account_id = ledger_account.id and number > coalesce(counted_to, 0) and ${movesVolume}
      offset 0
    ) as entry
    cross join lateral (
      select created_at from ledger_transaction where ledger_transaction.id = transaction_id offset 0
    ) as posting
    where ${isWallet(merchantId, mode)} and created_at >= ${from} and created_at < ${to}
  ) as moved`;
}

const isWallet = (merchantId: string, mode: string) =>
  sql`merchant_id = ${merchantId} and mode = ${mode} and kind in ('collection', 'transfer')`;
