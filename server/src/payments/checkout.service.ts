/**
 * The customer's side of a payment. It finds a payment by its access code, and ends one that the customer abandons,
 * that expires, or that the merchant cancels. Every function that changes a payment locks its row first, so that two
 * tabs, a page and a job never change one payment at the same moment. The event and its deliveries are written in the
 * same transaction as the status.
 */
import { LockMode } from '@mikro-orm/core';
import type { Context, EventOwner, WithPrincipal, WriteContext } from '../context.ts';
import { AppError, notFound } from '../kit/errors.ts';
import { isId } from '../kit/ids.ts';
import { publishPaymentEvents } from './complete-payment.ts';
import { type ExpiryReason, Payment } from './payment.entity.ts';
import { getLockedPayment, lockOwnPayment } from './payment-rows.ts';

const batchSize = 100;

export async function getPaymentByAccessCode(context: Context, accessCode: string): Promise<Payment> {
  const payment = isId(accessCode) ? await context.em.findOne(Payment, { accessCode }) : null;
  if (!payment) throw notFound();
  return payment;
}

/** The customer returns to the merchant after a decline: the payment has failed. */
export async function abandonPayment(context: WriteContext, accessCode: string): Promise<Payment> {
  return abandonLocked(context, await expireIfDue(context, accessCode));
}

/** The same for a payment that has not expired, and whose lock the caller holds. */
export async function abandonLocked(context: WriteContext, payment: Payment): Promise<Payment> {
  if (payment.status !== 'pending' || !payment.wasDeclined) return payment;
  payment.abandon(context.clock.now());
  await publishPaymentEvents(context, [payment]);
  return payment;
}

/**
 * The merchant cancels the checkout. Choice: it ends as an expired one does, so after a decline the payment has failed,
 * and its event says so. `cancelAttemptOfCheckout` must run first: it cancels an attempt that is open at the processor.
 */
export async function cancelCheckout(context: WriteContext & WithPrincipal, reference: string): Promise<Payment> {
  const payment = await lockOwnPayment(context, reference);
  if (payment.status === 'processing') throw inProgress();
  if (payment.status !== 'pending') throw alreadyDecided(payment);
  await expire(context, [payment], 'cancelled');
  return payment;
}

function inProgress(): AppError {
  const message = 'The payment is processing, and money may already be moving; cancel it after the decision';
  return new AppError('payment_in_progress', message);
}

export function alreadyDecided({ status }: Payment): AppError {
  return new AppError('payment_already_final', `This payment is already ${status}`);
}

/** Ends a pending payment that has expired, and returns any other unchanged. */
export async function expireIfDue(context: WriteContext, accessCode: string): Promise<Payment> {
  if (!isId(accessCode)) throw notFound();
  return expireLockedIfDue(context, await getLockedPayment(context, { accessCode }));
}

/** The same for a payment whose lock the caller holds. */
export async function expireLockedIfDue(context: WriteContext, payment: Payment): Promise<Payment> {
  const isDue = payment.status === 'pending' && payment.expiresAt <= context.clock.now();
  if (isDue) await expire(context, [payment], 'expired');
  return payment;
}

/** Ends a batch of expired payments, of one owner or of all. True when there may be more. */
export async function expireDuePayments(context: WriteContext, owner?: EventOwner): Promise<boolean> {
  const own = owner && { merchantId: owner.merchantId, mode: owner.mode };
  const due = await context.em.find(
    Payment,
    { status: 'pending', expiresAt: { $lte: context.clock.now() }, ...own },
    { limit: batchSize, orderBy: { expiresAt: 'asc' }, lockMode: LockMode.PESSIMISTIC_PARTIAL_WRITE },
  );
  await expire(context, due, 'expired');
  return due.length === batchSize;
}

async function expire(context: WriteContext, payments: Payment[], reason: ExpiryReason): Promise<void> {
  const now = context.clock.now();
  for (const payment of payments) payment.expire(now, reason);
  await publishPaymentEvents(context, payments);
}
