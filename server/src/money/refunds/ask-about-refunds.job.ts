import { type Context, withFreshEntityManager } from '../../context.ts';
import { claimDue } from '../../platform/database/statement.ts';
import { claimInBatches, inTransaction } from '../../platform/database/transaction.ts';
import { reasonOf } from '../../processors/answer-in-time.ts';
import type { CheckoutProcessor, RefundOrder, RefundVerdict } from '../../processors/port.ts';
import { creditedAttempt } from '../payments/attempts.service.ts';
import { Payment } from '../payments/payment.entity.ts';
import { askProcessor } from '../processor-outages.ts';
import { Refund } from './refund.entity.ts';
import { leaseSeconds, postLate, settleRefund } from './settle-refund.service.ts';

const batchSize = 10;

/** Sends new refunds to the processor, and asks about accepted refunds, with no transaction open. */
export function askAboutRefunds(context: Context): Promise<void> {
  return claimInBatches(context, {
    claim: (tx) => claimDue(tx, Refund, { limit: batchSize, leaseSeconds }),
    batchSize,
    work: askAndSettle,
  });
}

async function askAndSettle(context: Context, refund: Refund): Promise<void> {
  const processor = context.processors[refund.mode];
  if (!processor) return;
  try {
    if (!refund.isPosted) await inTransaction(withFreshEntityManager(context), (tx) => postLate(tx, refund.id));
    if (!refund.isOpen) return;
    const verdict = await ask(context, processor, refund);
    await inTransaction(withFreshEntityManager(context), (tx) => settleRefund(tx, refund.id, verdict));
  } catch (error) {
    // After an error, the job continues with the remaining refunds. This refund is due again when its lease ends.
    context.log.error({ err: error, refundId: refund.id }, 'Failed to settle a refund');
  }
}

/** A missing answer is not a failure: the refund stays as it is until the processor gives a verdict. */
async function ask(context: Context, processor: CheckoutProcessor, refund: Refund): Promise<RefundVerdict> {
  const order = await orderOf(context, refund);
  try {
    return await askProcessor(context, { processor, mode: refund.mode }, () =>
      refund.status === 'pending' ? processor.refund(order) : processor.refundStatus(order),
    );
  } catch (error) {
    const about = { processor: processor.name, refundId: refund.id, reason: reasonOf(error) };
    context.log.error(about, 'The processor gave no answer about a refund');
    return { result: 'unknown' };
  }
}

async function orderOf(context: Context, refund: Refund): Promise<RefundOrder> {
  const { id: refundId, paymentId, paymentReference, reference, amount, currency } = refund;
  const payment = await context.em.findOne(Payment, { id: paymentId });
  const credited = payment && (await creditedAttempt(context, payment));
  return {
    refundId,
    reference,
    paymentReference,
    amount,
    currency,
    cardLast4: payment?.paymentMethod?.type === 'card' ? payment.paymentMethod.last4 : null,
    chargeId: credited?.processorId ?? null,
    processorId: refund.processorId ?? null,
  };
}
