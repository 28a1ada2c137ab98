import type { Context, WriteContext } from '../../context.ts';
import { AppError } from '../../kit/errors.ts';
import type { Mode } from '../../kit/mode.ts';
import type { Page, Paged } from '../../kit/pagination.ts';
import { listPage } from '../../platform/database/lists/find-page.ts';
import { creditCollection } from '../wallets/wallets.service.ts';
import { findOpenAttempt } from './attempts.service.ts';
import { lockPayment, savePayment } from './lock-payment.ts';
import { Payment, type ReviewReason } from './payment.entity.ts';
import { PaymentAttempt } from './payment-attempt.entity.ts';
import { publishPaymentEvents } from './publish-payment-events.ts';
import { receiptInsertion } from './receipts.service.ts';

/** `completed` credits the merchant. After `failed`, the operator refunds the customer at the processor. */
export type Decision = 'completed' | 'failed';

export interface PaymentUnderReview {
  payment: Payment;
  paid: PaymentAttempt[];
}

export interface Resolution {
  payment: Payment;
  reason: ReviewReason;
  /** `credited`: the merchant was credited. `refused`: the payment failed. `none`: only the review has ended. */
  effect: 'credited' | 'refused' | 'none';
}

export const decisionActions = { completed: 'completeReviewedPayment', failed: 'refuseReviewedPayment' } as const;

export async function listPaymentsForReview(context: Context): Promise<PaymentUnderReview[]> {
  const payments = await context.em.find(Payment, { reviewReason: { $ne: null } }, { orderBy: { id: 'asc' } });
  return withPaid(context, payments);
}

export async function pagePaymentsForReview(
  context: Context,
  mode: Mode,
  page: Page,
): Promise<Paged<PaymentUnderReview>> {
  const where = { mode, reviewReason: { $ne: null } };
  const request = { owner: { mode }, where, page, usualOrder: 'asc' as const };
  const { records, total } = await listPage(context, Payment, request);
  return { records: await withPaid(context, records), total };
}

async function withPaid({ em }: Context, payments: Payment[]): Promise<PaymentUnderReview[]> {
  const paid = await em.find(
    PaymentAttempt,
    { paymentId: { $in: payments.map(({ id }) => id) }, outcome: 'paid' },
    { orderBy: { settledAt: 'asc', number: 'asc' } },
  );
  return payments.map((payment) => ({ payment, paid: paid.filter(({ paymentId }) => paymentId === payment.id) }));
}

/** This count is cheap, because a partial index has only the payments under review. */
export function countPaymentsForReview({ em }: Context): Promise<number> {
  return em.count(Payment, { reviewReason: { $ne: null } });
}

export async function resolvePayment(
  context: WriteContext,
  { about, ...which }: { id: string; mode?: Mode; about?: ReviewReason | undefined },
  decision: Decision,
): Promise<Resolution> {
  const locked = await lockPayment(context, which);
  const { payment } = locked;
  const reason = decidedReason(payment, about);
  if (payment.status === 'completed' && decision === 'failed') {
    throw new AppError(
      'payment_already_final',
      'This payment is completed and stays so: resolve it as completed, and refund a second amount at the processor',
    );
  }
  if (payment.status !== 'completed' && decision === 'completed' && !isAboutCredit(reason)) {
    throw new AppError(
      'payment_already_final',
      'This review is about money that went back, so it credits nothing: resolve it as failed',
    );
  }
  payment.endReview(reason);
  const effect = await applyDecision(context, payment, decision);
  await savePayment(context, payment, { mail: effect === 'credited' ? receiptInsertion(context, locked) : null });
  if (effect !== 'none') await publishPaymentEvents(context, [payment]);
  if (effect === 'credited') await creditCollection(context, payment);
  return { payment, reason, effect };
}

/** Choice: if a review has several reasons, the operator names one, because a reason may have been added unseen. */
function decidedReason({ reviewReasons }: Payment, about: ReviewReason | undefined): ReviewReason {
  const [worst, ...others] = reviewReasons;
  if (!worst) throw new AppError('payment_already_final', 'This payment waits for no decision');
  if (about && !reviewReasons.includes(about)) {
    throw new AppError('payment_already_final', `This payment waits for no decision about ${about}`);
  }
  if (!about && others.length > 0) {
    const message = `This payment is under review for several reasons; name the one that you decide: ${reviewReasons.join(', ')}`;
    throw new AppError('missing_parameter', message, { param: 'reason' });
  }
  return about ?? worst;
}

async function applyDecision(
  context: WriteContext,
  payment: Payment,
  decision: Decision,
): Promise<Resolution['effect']> {
  // If another review still decides whether the merchant is credited, the status waits for that decision.
  if (payment.status === 'completed' || payment.reviewReasons.some(isAboutCredit)) return 'none';
  if (decision === 'completed') {
    payment.complete(context.clock.now());
    return 'credited';
  }
  if (payment.status !== 'processing' || (await findOpenAttempt(context, payment))) return 'none';
  payment.refuse(context.clock.now());
  return 'refused';
}

/** Reviews about a dispute or a refund are about money that went back to the customer. */
export function isAboutCredit(reason: ReviewReason): boolean {
  return reason === 'amount_mismatch' || reason === 'paid_late' || reason === 'paid_twice';
}
