/** The only code that settles refunds. Each transaction locks the payment, then the refund, then the accounts. */
import { LockMode } from '@mikro-orm/core';
import type { WriteContext } from '../../context.ts';
import { notFound } from '../../kit/errors.ts';
import { run } from '../../platform/database/statement.ts';
import type { RefundVerdict } from '../../processors/port.ts';
import { publish } from '../../webhooks/queue/publish.ts';
import { lockManagedPayment } from '../payments/lock-payment.ts';
import type { Payment } from '../payments/payment.entity.ts';
import {
  reserveRefundIfFunded,
  returnReservedRefund,
  reverseSettledRefund,
  settleReservedRefund,
} from '../wallets/wallets.service.ts';
import { mailAboutRefund } from './customer-mails.service.ts';
import { Refund, type RefundFailure } from './refund.entity.ts';

/**
 * A lease is longer than any processor takes to answer. If no answer comes, the processor is asked again afterwards.
 */
export const leaseSeconds = 60;

/** The pause between two tries to post a refund. Choice: five minutes, because no person waits for the posting. */
const postingPauseSeconds = 300;

/** Applying the same verdict a second time changes nothing. */
export async function settleRefund(context: WriteContext, refundId: string, verdict: RefundVerdict): Promise<Refund> {
  const { payment, refund } = await lockRefund(context, refundId);
  if (verdict.result !== 'unknown') refund.processorId ??= verdict.processorId ?? null;
  switch (verdict.result) {
    case 'unknown':
      return refund;
    case 'processing':
      // The refund was settled during the call to the processor, and needs no next check.
      if (!refund.isOpen) return refund;
      if (refund.status === 'pending') await accept(context, { payment, refund });
      break;
    case 'completed':
      await complete(context, { payment, refund });
      break;
    case 'failed':
      await fail(context, { payment, refund }, verdict);
      break;
  }
  await planCheck(context, refund, verdict.checkAfterSeconds);
  return refund;
}

interface LockedRefund {
  payment: Payment;
  refund: Refund;
}

async function lockRefund(context: WriteContext, id: string): Promise<LockedRefund> {
  const seen = await context.em.findOne(Refund, { id });
  if (!seen) throw notFound();
  const payment = await lockManagedPayment(context, { id: seen.paymentId });
  const lockMode = LockMode.PESSIMISTIC_WRITE;
  const refund = await context.em.findOne(Refund, { id }, { lockMode, refresh: true });
  if (!refund) throw new Error(`Refund ${id} was deleted while its payment was being locked.`);
  return { payment, refund };
}

// See docs/decisions/mail.md, "A merchant switches on the mails to customers, and test mode sends none".
async function accept(context: WriteContext, { payment, refund }: LockedRefund): Promise<void> {
  refund.accept(context.clock.now());
  await mailAboutRefund(context, 'refund_begun', { payment, refund });
}

async function complete(context: WriteContext, { payment, refund }: LockedRefund): Promise<void> {
  if (!refund.isOpen) {
    if (refund.status === 'failed') logContradiction(context, refund);
    return;
  }
  refund.complete(context.clock.now());
  if (refund.isPosted) await settleReservedRefund(context, refund);
  await publishRefundEvent(context, { payment, refund });
  await mailAboutRefund(context, 'refund_arrived', { payment, refund });
}

async function fail(context: WriteContext, { payment, refund }: LockedRefund, failure: RefundFailure): Promise<void> {
  if (refund.status === 'failed') return;
  const hadCompleted = refund.status === 'completed';
  const isKnownToCustomer = refund.status !== 'pending';
  const now = context.clock.now();
  refund.fail(failure, now);
  if (refund.isPosted) {
    payment.takeRefundBack(refund.amount, now);
    await (hadCompleted ? reverseSettledRefund : returnReservedRefund)(context, refund);
  }
  await publishRefundEvent(context, { payment, refund });
  if (isKnownToCustomer) await mailAboutRefund(context, 'refund_failed', { payment, refund });
}

/** The merchant already has the event about the failure, and the code must not guess which verdict is true. */
function logContradiction({ log }: WriteContext, { id, processorId }: Refund): void {
  log.error(
    { refundId: id, processorId },
    'The payment processor says that a failed refund is completed; nothing was changed',
  );
}

// See docs/decisions/money.md, "A refund made at the processor is recorded even without funds".
export async function postIfFunded(context: WriteContext, payment: Payment, refund: Refund): Promise<boolean> {
  if (refund.amount > payment.amount - payment.amountRefunded) return false;
  if (!(await reserveRefundIfFunded(context, refund))) return false;
  payment.addRefund(refund.amount, context.clock.now());
  return true;
}

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

/** A refund that is open or not posted always gets a next check, so that no refund is forgotten. */
async function planCheck(context: WriteContext, refund: Refund, afterSeconds?: number): Promise<void> {
  const { id } = refund;
  const seconds = afterSeconds ?? usualPauseOf(refund);
  await run(context)`
    update refund set next_check_at = now() + make_interval(secs => ${seconds}::int)
    where id = ${id}`;
}

function usualPauseOf({ isOpen, isPosted, status }: Refund): number | null {
  if (isOpen) return leaseSeconds;
  return isPosted || status === 'failed' ? null : postingPauseSeconds;
}

async function publishRefundEvent(context: WriteContext, { payment, refund }: LockedRefund): Promise<void> {
  const { merchantId, mode, reference, paymentReference, currency, status } = refund;
  if (status !== 'completed' && status !== 'failed') return;
  await publish(context, {
    merchantId,
    mode,
    name: status === 'completed' ? 'refund.success' : 'refund.failed',
    reference,
    data: {
      reference,
      paymentReference,
      amount: Number(refund.amount),
      currency,
      status,
      customerEmail: payment.customerEmail,
      failureCode: refund.failureCode ?? null,
      failureReason: refund.failureReason ?? null,
    },
    occurredAt: refund.updatedAt,
    traceparent: refund.traceparent ?? null,
  });
}
