/** Functions that change a payment lock its row first, because two tabs, or a page and a job, may run concurrently. */
import { LockMode } from '@mikro-orm/core';
import type { Context, EventOwner, WithPrincipal, WriteContext } from '../../context.ts';
import { AppError, notFound } from '../../kit/errors.ts';
import { isId } from '../../kit/ids.ts';
import { type LockedPayment, lockOwnPayment, lockPayment, savePayment } from './lock-payment.ts';
import { Payment } from './payment.entity.ts';
import { publishPaymentEvents } from './publish-payment-events.ts';

const batchSize = 100;

export async function getPaymentByAccessCode(context: Context, accessCode: string): Promise<Payment> {
  const payment = isId(accessCode) ? await context.em.findOne(Payment, { accessCode }) : null;
  if (!payment) throw notFound();
  return payment;
}

export async function abandonPayment(context: WriteContext, accessCode: string): Promise<Payment> {
  const { payment } = await lockUnexpired(context, accessCode);
  if (abandonIfDeclined(payment, context.clock.now())) await saveEnded(context, payment);
  return payment;
}

function abandonIfDeclined(payment: Payment, now: Date): boolean {
  if (payment.status !== 'pending' || payment.waitsFor || !payment.wasDeclined) return false;
  payment.abandon(now);
  return true;
}

/**
 * `cancelAttemptOfCheckout` must run first, because it cancels an attempt that is open at the processor. Choice: a
 * cancelled payment becomes `expired`, or `failed` after a decline, and publishes that status's event.
 */
export async function cancelCheckout(context: WriteContext & WithPrincipal, reference: string): Promise<Payment> {
  const { payment } = await lockOwnPayment(context, reference);
  if (payment.status === 'processing') throw inProgress();
  if (payment.status !== 'pending') throw alreadyDecided(payment);
  payment.expire(context.clock.now(), 'cancelled');
  await saveEnded(context, payment);
  return payment;
}

function inProgress(): AppError {
  const message = 'The payment is processing, and money may already be moving; cancel it after the decision';
  return new AppError('payment_in_progress', message);
}

export function alreadyDecided({ status }: Payment): AppError {
  return new AppError('payment_already_final', `This payment is already ${status}`);
}

export async function lockUnexpired(context: WriteContext, accessCode: string): Promise<LockedPayment> {
  if (!isId(accessCode)) throw notFound();
  const locked = await lockPayment(context, { accessCode });
  if (expireIfDue(locked.payment, context.clock.now())) await saveEnded(context, locked.payment);
  return locked;
}

export function expireIfDue(payment: Payment, now: Date): boolean {
  if (payment.status !== 'pending' || payment.expiresAt > now) return false;
  payment.expire(now, 'expired');
  return true;
}

async function saveEnded(context: WriteContext, payment: Payment): Promise<void> {
  await savePayment(context, payment);
  await publishPaymentEvents(context, [payment]);
}

export async function expireDuePayments(context: WriteContext, owner?: EventOwner): Promise<boolean> {
  const own = owner && { merchantId: owner.merchantId, mode: owner.mode };
  const due = await context.em.find(
    Payment,
    { status: 'pending', expiresAt: { $lte: context.clock.now() }, ...own },
    { limit: batchSize, orderBy: { expiresAt: 'asc' }, lockMode: LockMode.PESSIMISTIC_PARTIAL_WRITE },
  );
  for (const payment of due) payment.expire(context.clock.now(), 'expired');
  await publishPaymentEvents(context, due);
  return due.length === batchSize;
}
