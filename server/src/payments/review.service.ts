/** What only a person can decide: a payment of which the processor has other money than was asked for. */
import type { Context, WriteContext } from '../context.ts';
import { AppError } from '../kit/errors.ts';
import { creditCollection } from '../wallets/wallets.service.ts';
import { announcePayment } from './announce-payment.ts';
import { getLockedPayment } from './lock-payment.ts';
import { Payment } from './payment.entity.ts';

/** `failed`: the operator gives the money back at the processor. */
export type Decision = 'completed' | 'failed';

export async function listPaymentsForReview({ em }: Context): Promise<Payment[]> {
  return em.find(Payment, { reviewReason: { $ne: null } }, { orderBy: { id: 'asc' } });
}

/** Decides, and says what became of it. A payment that had ended, and whose decision is to leave it so, only loses its mark. */
export async function resolvePayment(context: WriteContext, id: string, decision: Decision): Promise<Payment> {
  const payment = await getLockedPayment(context, { id });
  if (!payment.reviewReason) throw new AppError('payment_already_final', 'This payment waits for no decision');
  if (payment.status === 'completed' && decision === 'failed') {
    throw new AppError(
      'payment_already_final',
      'This payment is completed: give back at the processor what came twice',
    );
  }
  const isLeftAsItIs = payment.isFinal && (payment.status === 'completed' || decision === 'failed');
  if (isLeftAsItIs) payment.reviewReason = null;
  else if (decision === 'completed') await complete(context, payment);
  else await refuse(context, payment);
  return payment;
}

async function complete(context: WriteContext, payment: Payment): Promise<void> {
  payment.complete(context.clock.now());
  await creditCollection(context, payment);
  await announcePayment(context, payment);
}

async function refuse(context: WriteContext, payment: Payment): Promise<void> {
  payment.refuse(context.clock.now());
  await announcePayment(context, payment);
}
