import { sql } from 'kysely';
import type { Invariant } from './check-batch.ts';

export const merchantModeAndCurrencyAgree: Invariant = {
  number: 7,
  entries: {
    'The transaction and the account of an entry have the same merchant, mode and currency': sql`
      select 'ledger_entry', entry.id, concat_ws(' ', whose.merchant_id, whose.mode, whose.currency),
        concat_ws(' ', entry.merchant_id, entry.mode, entry.currency)
      from entry cross join lateral (
        select merchant_id, mode, currency from ledger_transaction where id = entry.transaction_id offset 0) as whose
      where (whose.merchant_id, whose.mode, whose.currency) <> (entry.merchant_id, entry.mode, entry.currency)`,
  },
  postings: {
    // Finds entries in another merchant's account. The rule in `entries` finds entries with another mode or currency.
    'The transaction and the account of an entry have the same merchant, mode and currency': sql`
      select 'ledger_entry', id, concat_ws(' ', merchant_id, mode, currency),
        concat_ws(' ', account_merchant, account_mode, account_currency)
      from entry
      where account_merchant <> merchant_id`,
    'A transaction has the merchant, mode and currency of its payment, refund or transfer': sql`
      select 'ledger_transaction', posting.id, concat_ws(' ', source.merchant_id, source.mode, source.currency),
        concat_ws(' ', posting.merchant_id, posting.mode, posting.currency)
      from posting cross join lateral (
        select merchant_id, mode, currency from payment where payment.id = source_id
        union all select merchant_id, mode, currency from transfer where transfer.id = source_id
        union all select merchant_id, mode, currency from refund where refund.id = source_id
      ) as source
      where (source.merchant_id, source.mode, source.currency) <> (posting.merchant_id, posting.mode, posting.currency)`,
  },
};
