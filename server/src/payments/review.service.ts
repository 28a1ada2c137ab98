/** What only a person can decide: a payment of which the processor has other money than was asked for. */
import type { Context, WriteContext } from '../context.ts';
import { AppError } from '../kit/errors.ts';
import { creditCollection } from '../wallets/wallets.service.ts';
import { announcePayment } from './announce-payment.ts';
import { findOpenAttempt } from './attempts.service.ts';
import { getLockedPayment } from './lock-payment.ts';
import { Payment } from './payment.entity.ts';

/** `failed`: the operator gives the money back at the processor. */
export type Decision = 'completed' | 'failed';

export async function listPaymentsForReview({ em }: Context): Promise<Payment[]> {
  return em.find(Payment, { reviewReason: { $ne: null } }, { orderBy: { id: 'asc' } });
}

/**
 * Decides, and returns what became of it. `failed` ends a payment that nothing else decides; one that ended before, or that the
 * customer is still at, only loses its mark.
 */
export async function resolvePayment(context: WriteContext, id: string, decision: Decision): Promise<Payment> {
  const payment = await getLockedPayment(context, { id });
  if (!payment.reviewReason) throw new AppError('payment_already_final', 'This payment waits for no decision');
  if (payment.status === 'completed' && decision === 'failed') {
    throw new AppError(
      'payment_already_final',
      'This payment is completed: give back at the processor what came twice',
    );
  }
  payment.reviewReason = null;
  if (decision === 'completed') await complete(context, payment);
  else if (payment.status === 'processing' && !(await findOpenAttempt(context, payment)))
    await refuse(context, payment);
  return payment;
}

async function complete(context: WriteContext, payment: Payment): Promise<void> {
  if (payment.status === 'completed') return;
  payment.complete(context.clock.now());
  await creditCollection(context, payment);
  await announcePayment(context, payment);
}

async function refuse(context: WriteContext, payment: Payment): Promise<void> {
  payment.refuse(context.clock.now());
  await announcePayment(context, payment);
}
