/** An event may be about our own refund, even before our call is answered, or about a refund made at the processor. */
import type { WriteContext } from '../../context.ts';
import { isId } from '../../kit/ids.ts';
import { ProcessorError, type RefundNews, type RefundsEvent } from '../../processors/port.ts';
import { creditedAttempt } from '../payments/attempts.service.ts';
import { lockManagedPayment } from '../payments/lock-payment.ts';
import { notifyOfReview } from '../payments/notify-of-payment.ts';
import type { Payment } from '../payments/payment.entity.ts';
import { PaymentAttempt } from '../payments/payment-attempt.entity.ts';
import { Refund } from '../refunds/refund.entity.ts';
import { insertRefund, newRefund } from '../refunds/refunds.service.ts';
import { postIfFunded, settleRefund } from '../refunds/settle-refund.service.ts';
import { noteEvent } from './payment-events.service.ts';

export async function applyRefundsEvent(
  context: WriteContext,
  processor: string,
  { id, refunds }: RefundsEvent,
): Promise<void> {
  if (!(await noteEvent(context, processor, id))) return;
  for (const news of refunds) await apply(context, news);
}

async function apply(context: WriteContext, news: RefundNews): Promise<void> {
  const { attemptId, processorId, refundId } = news;
  const attempt = isId(attemptId) ? await context.em.findOne(PaymentAttempt, { id: attemptId }) : null;
  if (!attempt)
    return context.log.warn(
      { processorId },
      'The processor reported a refund of an unknown payment attempt; the refund is ignored',
    );
  // The payment's lock keeps other events from recording the same refund.
  const payment = await lockManagedPayment(context, { id: attempt.paymentId });
  const known =
    (refundId && isId(refundId) && (await context.em.findOne(Refund, { id: refundId, paymentId: payment.id }))) ||
    (await context.em.findOne(Refund, { processorId, paymentId: payment.id }));
  if (known) await settleRefund(context, known.id, news.verdict);
  else if (await isCredited(context, payment, attempt)) await record(context, payment, news);
}

/** The merchant is not credited when the customer paid a second time, or when an operator refused the payment. */
async function isCredited(context: WriteContext, payment: Payment, attempt: PaymentAttempt): Promise<boolean> {
  // This error makes the processor send the event again later. By then, the attempt should be settled as paid.
  if (attempt.outcome !== 'paid') throw new ProcessorError('a refund arrived before its attempt was settled as paid');
  const credited = await creditedAttempt(context, payment);
  if (credited?.id === attempt.id) return true;
  context.log.info(
    { paymentId: payment.id, attemptId: attempt.id },
    'A refund was made at the processor for money that was never credited to the merchant',
  );
  return false;
}

async function record(context: WriteContext, payment: Payment, news: RefundNews): Promise<void> {
  const { processorId, amount, currency, verdict } = news;
  if (verdict.result === 'failed' || verdict.result === 'unknown') return;
  if (amount < 1n || currency !== payment.currency) {
    payment.askForReview('refund_without_funds');
    await notifyOfReview(context, payment, 'refund_without_funds');
    return context.log.error(
      { paymentId: payment.id, processorId },
      'The processor reported a refund with a zero or negative amount, or in another currency than the payment',
    );
  }
  const refund = newRefund(context, payment, { amount, origin: 'processor', processorId });
  refund.isPosted = await postIfFunded(context, payment, refund);
  await insertRefund(context, refund);
  if (!refund.isPosted) {
    payment.askForReview('refund_without_funds');
    await notifyOfReview(context, payment, 'refund_without_funds');
    const about = { paymentId: payment.id, refundId: refund.id, amount: String(amount) };
    context.log.error(
      about,
      'A refund was made at the processor, but the wallet or the payment has too little money left; list the payments under review with: tillhook payments review',
    );
  }
  await settleRefund(context, refund.id, verdict);
}
