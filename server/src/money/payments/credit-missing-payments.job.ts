import { LockMode } from '@mikro-orm/core';
import { type Context, type WriteContext, withFreshEntityManager } from '../../context.ts';
import { rowsOf } from '../../platform/database/statement.ts';
import { inTransaction } from '../../platform/database/transaction.ts';
import { LedgerTransaction } from '../wallets/ledger-transaction.entity.ts';
import { creditCollection } from '../wallets/wallets.service.ts';
import { Payment } from './payment.entity.ts';

const batchSize = 1000;

/**
 * Credits completed payments that are missing from the ledger. During an upgrade, a process of an old version without
 * a ledger may still complete payments while this version already runs.
 */
export async function creditMissingPayments(context: Context, { hours }: { hours: number }): Promise<void> {
  const missing = await inTransaction(withFreshEntityManager(context), (tx) => findMissingPayments(tx, hours));
  for (const paymentId of missing) {
    try {
      const isCredited = await inTransaction(withFreshEntityManager(context), (tx) => creditIfMissing(tx, paymentId));
      if (isCredited)
        context.log.warn({ paymentId }, 'A completed payment was missing from the ledger and is now credited');
    } catch (error) {
      // The error is caught, so that the job also credits the other payments.
      context.log.error({ err: error, paymentId }, 'Failed to credit a completed payment');
    }
  }
}

/**
 * Finds payments that were completed in the last `hours` hours and are missing from the ledger, the oldest first. The
 * query reads only indexes: a subquery looks up the posting of each payment, because a join would read the whole
 * ledger for a week of payments.
 */
export async function findMissingPayments(tx: WriteContext, hours: number): Promise<string[]> {
  const rows = await rowsOf<{ id: string }>(tx)`
    select id from payment
    where status = 'completed' and completed_at > now() - make_interval(hours => ${hours})
      and (select id from ledger_transaction where kind = 'payment' and source_id = payment.id limit 1) is null
    order by completed_at, id limit ${batchSize}`;
  return rows.map(({ id }) => id);
}

/**
 * Credits the payment if it is missing from the ledger. Returns false when the payment is in the ledger, or while
 * another transaction has locked the payment.
 */
async function creditIfMissing(context: WriteContext, paymentId: string): Promise<boolean> {
  const found = { id: paymentId, status: 'completed' } as const;
  const payment = await context.em.findOne(Payment, found, { lockMode: LockMode.PESSIMISTIC_PARTIAL_WRITE });
  // Reads the ledger again under the lock, because another process may have credited the payment in the meantime.
  if (!payment || (await context.em.count(LedgerTransaction, { kind: 'payment', sourceId: paymentId }))) return false;
  await creditCollection(context, payment);
  return true;
}
