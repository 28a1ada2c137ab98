/**
 * Settles a refund by the processor's verdict. No other code settles refunds. Refunds that were made at the processor
 * are posted here, as soon as the Collection wallet has enough money. Status, ledger, payment and event change in one
 * transaction, which locks the payment's row first, then the refund's row, then the accounts. The column
 * `next_check_at` has the time, by the database's clock, at which the job `settle-refunds` asks the processor again.
 */
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
import { Refund, type RefundFailure } from './refund.entity.ts';

/**
 * The length of a lease: longer than any processor takes to answer. When the processor gives no answer, the next check
 * follows when the lease ends.
 */
export const leaseSeconds = 60;

/**
 * The pause between two tries to post a refund. Choice: five minutes, because no person waits for this posting, and
 * money comes in only when customers pay.
 */
const postingPauseSeconds = 300;

/** Settles a refund by a verdict. Applying the same verdict a second time changes nothing. */
export async function settleRefund(context: WriteContext, refundId: string, verdict: RefundVerdict): Promise<Refund> {
  const { payment, refund } = await lockRefund(context, refundId);
  if (verdict.result !== 'unknown') refund.processorId ??= verdict.processorId ?? null;
  switch (verdict.result) {
    case 'unknown':
      return refund;
    case 'processing':
      // The refund was settled during the call to the processor. If this refund got a next check, the checks would
      // never end.
      if (!refund.isOpen) return refund;
      if (refund.status === 'pending') refund.accept(context.clock.now());
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

/** Locks the payment, then locks the refund and reads it again. Every transaction locks in this order. */
async function lockRefund(context: WriteContext, id: string): Promise<LockedRefund> {
  const seen = await context.em.findOne(Refund, { id });
  if (!seen) throw notFound();
  const payment = await lockManagedPayment(context, { id: seen.paymentId });
  const lockMode = LockMode.PESSIMISTIC_WRITE;
  const refund = await context.em.findOne(Refund, { id }, { lockMode, refresh: true });
  if (!refund) throw new Error(`Refund ${id} was deleted while its payment was being locked.`);
  return { payment, refund };
}

async function complete(context: WriteContext, { payment, refund }: LockedRefund): Promise<void> {
  if (!refund.isOpen) {
    if (refund.status === 'failed') logContradiction(context, refund);
    return;
  }
  refund.complete(context.clock.now());
  if (refund.isPosted) await settleReservedRefund(context, refund);
  await publishRefundEvent(context, { payment, refund });
}

/** Fails the refund. Its amount returns to the Collection wallet, and can be refunded again. */
async function fail(context: WriteContext, { payment, refund }: LockedRefund, failure: RefundFailure): Promise<void> {
  if (refund.status === 'failed') return;
  const hadCompleted = refund.status === 'completed';
  const now = context.clock.now();
  refund.fail(failure, now);
  if (refund.isPosted) {
    payment.takeRefundBack(refund.amount, now);
    await (hadCompleted ? reverseSettledRefund : returnReservedRefund)(context, refund);
  }
  await publishRefundEvent(context, { payment, refund });
}

/**
 * Logs a verdict that contradicts a failed refund. The merchant already has the event about the failure, and the code
 * must not guess which verdict is true.
 */
function logContradiction({ log }: WriteContext, { id, processorId }: Refund): void {
  log.error(
    { refundId: id, processorId },
    'The payment processor says that a failed refund is completed; nothing was changed',
  );
}

/**
 * Reserves the amount of the refund and returns true, if the payment and the Collection wallet have enough money left.
 * The caller holds the payment's lock.
 * See docs/decisions/money.md, "A refund made at the processor is recorded even without funds".
 */
export async function postIfFunded(context: WriteContext, payment: Payment, refund: Refund): Promise<boolean> {
  if (refund.amount > payment.amount - payment.amountRefunded) return false;
  if (!(await reserveRefundIfFunded(context, refund))) return false;
  payment.addRefund(refund.amount, context.clock.now());
  return true;
}

/** Tries again to post a refund. The review of the payment ends when no other refund of the payment is left to post. */
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

/**
 * Sets the time of the next check. A refund that is open or not posted always gets a next check, so that no refund is
 * forgotten.
 */
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
