import { type RawBuilder, sql } from 'kysely';
import type { Invariant } from './check-batch.ts';

export const openTransfersAndRefundsAreReserved: Invariant = {
  number: 4,
  balances: {
    'The reserved balance is the sum of the amounts and fees of open transfers': reservedOtherThan(
      'transfer_reserved',
      sql`open_transfer`,
    ),
    'The balance reserved for refunds is the sum of the amounts of open refunds': reservedOtherThan(
      'refund_reserved',
      sql`open_refund`,
    ),
  },
};

function reservedOtherThan(kind: string, open: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`
    select case when reserved.id is null then 'merchant' else 'ledger_account' end,
      coalesce(reserved.id, merchant_id), coalesce(total, 0), coalesce(balance, 0)
    from (select id, merchant_id, mode, currency, balance from account where kind = ${kind}) as reserved
    full join (
      select merchant_id, mode, currency, sum(amount) as total from ${open} group by merchant_id, mode, currency
    ) as under_way using (merchant_id, mode, currency)
    where coalesce(balance, 0) <> coalesce(total, 0)`;
}
