/**
 * The customer's side of a payment: found by its access code, moved by a submitted card, by giving up, by time or by the
 * merchant who withdraws it. Every function here locks the payment's row first, so two tabs, a page and a job never move one
 * payment at once. The event and its deliveries are written in the same transaction as the status.
 */
import { type FilterQuery, LockMode } from '@mikro-orm/core';
import type { Called, Context, WriteContext } from '../context.ts';
import { publish } from '../delivery/publish.ts';
import { AppError, notFound } from '../kit/errors.ts';
import { newId } from '../kit/ids.ts';
import type { Verdict } from '../processors/port.ts';
import { creditCollection } from '../wallets/wallets.service.ts';
import { type Card, Payment } from './payment.entity.ts';
import { PaymentAttempt } from './payment-attempt.entity.ts';

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const batchSize = 100;

export async function getPaymentByAccessCode(context: Context, accessCode: string): Promise<Payment> {
  const payment = uuid.test(accessCode) ? await context.em.findOne(Payment, { accessCode }) : null;
  if (!payment) throw notFound();
  return payment;
}

/**
 * Records that a card was submitted. There is no attempt when the payment no longer takes one: it is final, expired, or
 * another submit is being decided.
 */
export async function submitCard(context: WriteContext, accessCode: string, card: Card) {
  const payment = await expireIfDue(context, accessCode);
  if (payment.status !== 'pending') return { payment, attempt: null };
  const now = context.clock.now();
  payment.submit(card, now);
  const attempt = Object.assign(new PaymentAttempt(), {
    id: newId(),
    paymentId: payment.id,
    number: payment.attempts,
    ...card,
    outcome: null,
    failureCode: null,
    startedAt: now,
    settledAt: null,
  });
  context.em.persist(attempt);
  return { payment, attempt };
}

/** The one function that settles an attempt, whoever calls it. Settling it again changes nothing. */
export async function settleAttempt(context: WriteContext, attemptId: string, verdict: Verdict): Promise<Payment> {
  const attempt = await context.em.findOne(PaymentAttempt, { id: attemptId });
  if (!attempt) throw new Error('A verdict came for an attempt that was never made.');
  const payment = await getLockedPayment(context, { id: attempt.paymentId });
  if (verdict.result === 'unknown') return payment;
  if (payment.status !== 'processing' || attempt.number !== payment.attempts) {
    const isLateCapture = verdict.result === 'paid' && attempt.outcome !== 'paid';
    if (isLateCapture)
      context.log.error({ attemptId }, 'a processor charged for an attempt that was settled otherwise');
    return payment;
  }

  const now = context.clock.now();
  attempt.settledAt = now;
  if (verdict.result === 'paid') {
    if (verdict.amount !== payment.amount || verdict.currency !== payment.currency) {
      throw new Error(`The processor charged another amount for ${payment.reference} than was asked.`);
    }
    attempt.outcome = 'paid';
    payment.complete(now);
    await creditCollection(context, payment);
  } else {
    attempt.outcome = 'declined';
    attempt.failureCode = verdict.code;
    payment.decline(verdict, now);
  }
  await announce(context, payment);
  return payment;
}

/** The customer returns to the merchant after a decline: the payment has failed. */
export async function abandonPayment(context: WriteContext, accessCode: string): Promise<Payment> {
  const payment = await expireIfDue(context, accessCode);
  if (payment.status !== 'pending' || payment.attempts === 0) return payment;
  payment.abandon(context.clock.now());
  await announce(context, payment);
  return payment;
}

/**
 * The merchant withdraws the offer. Choice: it ends as it would have when its time ran out, so after a decline it has failed,
 * and says so; while a card is being decided it cannot be withdrawn, because money may already be moving.
 */
export async function cancelCheckout(context: WriteContext & Called, reference: string): Promise<Payment> {
  const payment = await lockPayment(context, reference);
  if (payment.status !== 'pending') throw alreadyDecided(payment);
  await expire(context, payment);
  return payment;
}

/** The caller's payment. Nobody else moves it until the transaction ends. */
export async function lockPayment(context: WriteContext & Called, reference: string): Promise<Payment> {
  const { merchantId, mode } = context.principal;
  return getLockedPayment(context, { merchantId, mode, reference });
}

export function alreadyDecided({ status }: Payment): AppError {
  return new AppError('payment_already_final', `This payment is already ${status}`);
}

/** Ends a pending payment whose time ran out; leaves any other as it is. */
export async function expireIfDue(context: WriteContext, accessCode: string): Promise<Payment> {
  if (!uuid.test(accessCode)) throw notFound();
  const payment = await getLockedPayment(context, { accessCode });
  if (payment.status === 'pending' && payment.expiresAt <= context.clock.now()) await expire(context, payment);
  return payment;
}

/** Ends a batch of payments whose time ran out, and says whether there may be more. */
export async function expireDuePayments(context: WriteContext): Promise<boolean> {
  const due = await context.em.find(
    Payment,
    { status: 'pending', expiresAt: { $lte: context.clock.now() } },
    { limit: batchSize, orderBy: { expiresAt: 'asc' }, lockMode: LockMode.PESSIMISTIC_PARTIAL_WRITE },
  );
  for (const payment of due) await expire(context, payment);
  return due.length === batchSize;
}

/** Attempts that a processor was asked about and whose answer was never saved, longest waiting first. */
export async function findUndecidedAttempts(context: Context, submittedBefore: Date) {
  const payments = await context.em.find(
    Payment,
    { status: 'processing', updatedAt: { $lt: submittedBefore } },
    { limit: batchSize, orderBy: { updatedAt: 'asc' } },
  );
  const modes = new Map(payments.map(({ id, mode }) => [id, mode]));
  const attempts = await context.em.find(PaymentAttempt, { paymentId: { $in: [...modes.keys()] }, outcome: null });
  return attempts.map(({ id, paymentId }) => ({ attemptId: id, mode: modes.get(paymentId) }));
}

async function expire(context: WriteContext, payment: Payment): Promise<void> {
  payment.expire(context.clock.now());
  await announce(context, payment);
}

async function getLockedPayment(context: WriteContext, where: FilterQuery<Payment>): Promise<Payment> {
  const payment = await context.em.findOne(Payment, where, { lockMode: LockMode.PESSIMISTIC_WRITE });
  if (!payment) throw notFound();
  return payment;
}

/** Tells the merchant's endpoints, when the payment came to an end that has an event. */
async function announce(context: WriteContext, payment: Payment): Promise<void> {
  const { merchantId, mode, reference, status } = payment;
  if (status !== 'completed' && status !== 'failed') return;
  await publish(context, {
    merchantId,
    mode,
    name: status === 'completed' ? 'checkout.success' : 'checkout.failed',
    reference,
    data: {
      reference,
      amount: Number(payment.amount),
      currency: payment.currency,
      status,
      customerEmail: payment.customerEmail,
    },
    occurredAt: payment.updatedAt,
  });
}
