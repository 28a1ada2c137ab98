import { sql } from 'kysely';
import type { Invariant } from './check-batch.ts';

/** Compares only accounts whose batch is not full, because a full batch may not be the last batch of its account. */
export const balancesAreSumsOfEntries: Invariant = {
  number: 2,
  entries: {
    "An account's balance is the sum of its entries": ({ batchSize }) => sql`
      select 'ledger_account', account.id, coalesce(total, begun_total) || ' of ' || coalesce(entries, begun_entries) || ' entries',
        balance || ' of ' || entry_count || ' entries'
      from account left join (
        select account_id, count(*) as read, max(place) as entries, (array_agg(running order by number desc))[1] as total
        from entry group by account_id
      ) as counted on account_id = account.id
      where coalesce(read, 0) < ${batchSize}::int
        and (balance <> coalesce(total, begun_total) or entry_count <> coalesce(entries, begun_entries))`,
  },
};
