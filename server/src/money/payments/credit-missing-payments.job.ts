import { LockMode } from '@mikro-orm/core';
import { type Context, type WriteContext, withFreshEntityManager } from '../../context.ts';
import { rowsOf } from '../../platform/database/statement.ts';
import { inTransaction } from '../../platform/database/transaction.ts';
import { LedgerTransaction } from '../wallets/ledger-transaction.entity.ts';
import { creditCollection } from '../wallets/wallets.service.ts';
import { Payment } from './payment.entity.ts';

const batchSize = 1000;

/** During an upgrade, a process of an old version may complete payments without posting them to the ledger. */
export async function creditMissingPayments(context: Context, { hours }: { hours: number }): Promise<void> {
  const missing = await inTransaction(withFreshEntityManager(context), (tx) => findMissingPayments(tx, hours));
  for (const paymentId of missing) {
    try {
      const isCredited = await inTransaction(withFreshEntityManager(context), (tx) => creditIfMissing(tx, paymentId));
      if (isCredited)
        context.log.warn({ paymentId }, 'A completed payment was missing from the ledger and is now credited');
    } catch (error) {
      context.log.error({ err: error, paymentId }, 'Failed to credit a completed payment');
    }
  }
}

/** Looks up each posting with a subquery, because a join would read the whole ledger for a week of payments. */
export async function findMissingPayments(tx: WriteContext, hours: number): Promise<string[]> {
  const rows = await rowsOf<{ id: string }>(tx)`
    select id from payment
    where status = 'completed' and completed_at > now() - make_interval(hours => ${hours})
      and (select id from ledger_transaction where kind = 'payment' and source_id = payment.id limit 1) is null
    order by completed_at, id limit ${batchSize}`;
  return rows.map(({ id }) => id);
}

async function creditIfMissing(context: WriteContext, paymentId: string): Promise<boolean> {
  const found = { id: paymentId, status: 'completed' } as const;
  const payment = await context.em.findOne(Payment, found, { lockMode: LockMode.PESSIMISTIC_PARTIAL_WRITE });
  // Another process may have credited the payment before this transaction locked it.
  if (!payment || (await context.em.count(LedgerTransaction, { kind: 'payment', sourceId: paymentId }))) return false;
  await creditCollection(context, payment);
  return true;
}
