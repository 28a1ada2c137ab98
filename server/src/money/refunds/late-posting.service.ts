/**
 * Posts refunds that were made at the processor, as soon as the Collection wallet has enough for them.
 * See docs/decisions/money.md, "A refund made at the processor is recorded even without funds".
 */
import type { WriteContext } from '../../context.ts';
import type { Payment } from '../payments/payment.entity.ts';
import { reserveRefundIfFunded, settleReservedRefund } from '../wallets/wallets.service.ts';
import { Refund } from './refund.entity.ts';
import { lockRefund, planCheck } from './settle-refund.service.ts';

/** Reserves the amount, if the payment and the Collection wallet have enough left. The caller holds the payment's lock. */
export async function postIfFunded(context: WriteContext, payment: Payment, refund: Refund): Promise<boolean> {
  if (refund.amount > payment.amount - payment.amountRefunded) return false;
  if (!(await reserveRefundIfFunded(context, refund))) return false;
  payment.addRefund(refund.amount, context.clock.now());
  return true;
}

/** Tries again to post a refund. When no refund of the payment is left to post, its review is over. */
export async function postLate(context: WriteContext, refundId: string): Promise<void> {
  const { payment, refund } = await lockRefund(context, refundId);
  if (refund.isPosted || refund.status === 'failed') return;
  if (await postIfFunded(context, payment, refund)) {
    refund.isPosted = true;
    if (refund.status === 'completed') await settleReservedRefund(context, refund);
    const others = {
      paymentId: payment.id,
      isPosted: false,
      status: { $ne: 'failed' as const },
      id: { $ne: refund.id },
    };
    const isLast = (await context.em.count(Refund, others)) === 0;
    if (isLast) payment.endReview('refund_without_funds');
  }
  await planCheck(context, refund);
}
