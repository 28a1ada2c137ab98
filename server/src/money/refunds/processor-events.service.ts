/**
 * Applies a processor's events about refunds. They settle our own refunds, also when an event comes before the answer to
 * our call. A refund that was made at the processor itself is recorded here once.
 */
import type { WriteContext } from '../../context.ts';
import { isId } from '../../kit/ids.ts';
import { ProcessorError, type RefundNews, type RefundsEvent } from '../../processors/port.ts';
import { creditedAttempt } from '../payments/attempts.service.ts';
import { lockManagedPayment } from '../payments/lock-payment.ts';
import type { Payment } from '../payments/payment.entity.ts';
import { PaymentAttempt } from '../payments/payment-attempt.entity.ts';
import { noteEvent } from '../payments/processor-events.service.ts';
import { Refund } from './refund.entity.ts';
import { insertRefund, newRefund } from './refunds.service.ts';
import { postIfFunded, settleRefund } from './settle-refund.service.ts';

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
    return context.log.warn({ processorId }, 'A refund of the processor names an unknown attempt and is ignored');
  // The payment's lock keeps other events from recording the same refund.
  const payment = await lockManagedPayment(context, { id: attempt.paymentId });
  const known =
    (refundId && isId(refundId) && (await context.em.findOne(Refund, { id: refundId, paymentId: payment.id }))) ||
    (await context.em.findOne(Refund, { processorId, paymentId: payment.id }));
  if (known) await settleRefund(context, known.id, news.verdict);
  else if (await isCredited(context, payment, attempt)) await record(context, payment, news);
}

/**
 * Whether the merchant was credited with this attempt. A second payment of the customer was not, and neither was one that
 * an operator refused: their refunds concern the operator only.
 */
async function isCredited(context: WriteContext, payment: Payment, attempt: PaymentAttempt): Promise<boolean> {
  // The error makes the processor send the event again. By then, the event about the paid attempt has arrived.
  if (attempt.outcome !== 'paid') throw new ProcessorError('a refund came before its attempt is settled as paid');
  const credited = await creditedAttempt(context, payment);
  if (credited?.id === attempt.id) return true;
  context.log.info({ paymentId: payment.id, attemptId: attempt.id }, 'Money that the merchant never got was refunded');
  return false;
}

async function record(context: WriteContext, payment: Payment, news: RefundNews): Promise<void> {
  const { processorId, amount, currency, verdict } = news;
  if (verdict.result === 'failed' || verdict.result === 'unknown') return;
  if (amount < 1n || currency !== payment.currency) {
    payment.askForReview('refund_without_funds');
    return context.log.error({ paymentId: payment.id, processorId }, 'A refund of the processor has another currency');
  }
  const refund = newRefund(context, payment, { amount, origin: 'processor', processorId });
  refund.isPosted = await postIfFunded(context, payment, refund);
  await insertRefund(context, refund);
  if (!refund.isPosted) {
    payment.askForReview('refund_without_funds');
    const about = { paymentId: payment.id, refundId: refund.id, amount: String(amount) };
    context.log.error(
      about,
      'A refund was made at the processor, and there is too little for it; list it with: tillhook payments review',
    );
  }
  await settleRefund(context, refund.id, verdict);
}
