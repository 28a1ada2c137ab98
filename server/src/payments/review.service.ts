/** What only a person can decide: a payment of which the processor has other money than was asked for. */
import type { Context, WriteContext } from '../context.ts';
import { AppError } from '../kit/errors.ts';
import type { Mode } from '../kit/mode.ts';
import type { Page, Paged } from '../kit/pagination.ts';
import { findOpenAttempt } from './attempts.service.ts';
import { announcePayment, completePayment } from './complete-payment.ts';
import { Payment } from './payment.entity.ts';
import { PaymentAttempt } from './payment-attempt.entity.ts';
import { getLockedPayment } from './payment-rows.ts';

/** `failed`: the operator gives the money back at the processor. */
export type Decision = 'completed' | 'failed';

/** A payment that waits, and all that the processor has of it. */
export interface Reviewed {
  payment: Payment;
  paid: PaymentAttempt[];
}

/** What each decision is called in the audit log. */
export const decisionActions = { completed: 'completeReviewedPayment', failed: 'refuseReviewedPayment' } as const;

export async function listPaymentsForReview(context: Context): Promise<Reviewed[]> {
  const payments = await context.em.find(Payment, { reviewReason: { $ne: null } }, { orderBy: { id: 'asc' } });
  return withPaid(context, payments);
}

/** Those of one mode, the oldest first. */
export async function pagePaymentsForReview(context: Context, mode: Mode, page: Page): Promise<Paged<Reviewed>> {
  const where = { mode, reviewReason: { $ne: null } };
  const [payments, total] = await context.em.findAndCount(Payment, where, { ...page, orderBy: { id: 'asc' } });
  return { records: await withPaid(context, payments), total };
}

async function withPaid({ em }: Context, payments: Payment[]): Promise<Reviewed[]> {
  const paid = await em.find(PaymentAttempt, { paymentId: { $in: payments.map(({ id }) => id) }, outcome: 'paid' });
  return payments.map((payment) => ({ payment, paid: paid.filter(({ paymentId }) => paymentId === payment.id) }));
}

/** How many wait. The index of those that do holds no others. */
export function countPaymentsForReview({ em }: Context): Promise<number> {
  return em.count(Payment, { reviewReason: { $ne: null } });
}

/**
 * Decides, and returns what became of it. `failed` ends a payment that nothing else decides; one that ended before, or that the
 * customer is still at, only loses its mark.
 */
export async function resolvePayment(
  context: WriteContext,
  which: { id: string; mode?: Mode },
  decision: Decision,
): Promise<Payment> {
  const payment = await getLockedPayment(context, which);
  if (!payment.reviewReason) throw new AppError('payment_already_final', 'This payment waits for no decision');
  if (payment.status === 'completed' && decision === 'failed') {
    throw new AppError(
      'payment_already_final',
      'This payment is completed: give back at the processor what came twice',
    );
  }
  payment.reviewReason = null;
  if (payment.status === 'completed') return payment;
  if (decision === 'completed') await completePayment(context, payment);
  else if (payment.status === 'processing' && !(await findOpenAttempt(context, payment)))
    await refuse(context, payment);
  return payment;
}

async function refuse(context: WriteContext, payment: Payment): Promise<void> {
  payment.refuse(context.clock.now());
  await announcePayment(context, payment);
}
