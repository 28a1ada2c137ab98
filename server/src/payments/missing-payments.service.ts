import { LockMode } from '@mikro-orm/core';
import type { WriteContext } from '../context.ts';
import { rowsOf } from '../database/statement.ts';
import { LedgerTransaction } from '../wallets/ledger-transaction.entity.ts';
import { creditCollection } from '../wallets/wallets.service.ts';
import { Payment } from './payment.entity.ts';

const batchSize = 1000;

/** Payments completed in the last hours that the ledger does not know, oldest first. No row of a payment is read for it. */
export async function findMissingPayments(tx: WriteContext, hours: number): Promise<string[]> {
  const rows = await rowsOf<{ id: string }>(tx)`
    select id from payment
    where status = 'completed' and completed_at > now() - make_interval(hours => ${hours})
      and not exists (select from ledger_transaction where kind = 'payment' and source_id = payment.id)
    order by completed_at, id limit ${batchSize}`;
  return rows.map(({ id }) => id);
}

/** Whether it was credited just now: not when somebody else did it, or is at it. */
export async function creditIfMissing(context: WriteContext, paymentId: string): Promise<boolean> {
  const found = { id: paymentId, status: 'completed' } as const;
  const payment = await context.em.findOne(Payment, found, { lockMode: LockMode.PESSIMISTIC_PARTIAL_WRITE });
  // Looked for only under the lock: what was found missing before may have been posted since.
  if (!payment || (await context.em.count(LedgerTransaction, { kind: 'payment', sourceId: paymentId }))) return false;
  await creditCollection(context, payment);
  return true;
}
