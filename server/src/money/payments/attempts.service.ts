/**
 * Creates an attempt when a customer submits a payment, and finds attempts for pages and other services.
 * `settle-payment.service.ts` settles attempts.
 */
import type { Context, WriteContext } from '../../context.ts';
import type { Card } from '../../kit/card.ts';
import { newId } from '../../kit/ids.ts';
import { lockUnexpired } from './checkout.service.ts';
import { type LockedPayment, lockAttempt, saveAttempt } from './lock-payment.ts';
import type { Payment } from './payment.entity.ts';
import { PaymentAttempt } from './payment-attempt.entity.ts';

interface Submission {
  /** Null when the customer continues on the processor's page. */
  card: Card | null;
  seenVersion?: string;
}

/**
 * Saves a new attempt when the customer submitted a card or continues on the processor's page. The returned attempt is
 * null when the payment accepts no new attempt: the payment is final, an earlier attempt is still open, or the payment
 * has changed since the customer saw its version `seenVersion`.
 */
export async function submitAttempt(
  context: WriteContext,
  accessCode: string,
  submission: Submission,
): Promise<{ payment: Payment; attempt: PaymentAttempt | null }> {
  const locked = await lockUnexpired(context, accessCode);
  const attempt = newAttempt(locked, submission, context.clock.now());
  const { payment } = locked;
  if (attempt) await saveAttempt(context, { payment, attempt });
  return { payment, attempt };
}

/**
 * Creates a new attempt for a payment that has not expired, without saving it. `saveAttempt` gives the attempt its
 * number.
 */
export function newAttempt(
  { payment, statementName }: LockedPayment,
  { card, seenVersion }: Submission,
  now: Date,
): PaymentAttempt | null {
  const isStale = seenVersion !== undefined && seenVersion !== payment.version;
  if (payment.status !== 'pending' || isStale) return null;
  payment.submit(card, now);
  payment.statementName = statementName;
  return Object.assign(new PaymentAttempt(), {
    id: newId(),
    paymentId: payment.id,
    brand: card?.brand ?? null,
    last4: card?.last4 ?? null,
    processorId: null,
    actionUrl: null,
    returnedAt: null,
    outcome: null,
    paidAmount: null,
    paidCurrency: null,
    failureCode: null,
    failureMessage: null,
    askedForStep: card ? false : null,
    startedAt: now,
    settledAt: null,
  });
}

/**
 * Saves the time at which the customer came back without having paid. The caller commits this before it asks the
 * processor to cancel the attempt: the processor's webhook about the cancelled attempt may arrive immediately, and its
 * effect depends on this time.
 */
export async function noteReturn(context: WriteContext, attemptId: string): Promise<void> {
  const locked = await lockAttempt(context, attemptId);
  locked.attempt.returnedAt ??= context.clock.now();
  await saveAttempt(context, locked);
}

/** Lists the attempts of a payment, the oldest first. */
export async function listAttempts({ em }: Context, { id: paymentId }: Payment): Promise<PaymentAttempt[]> {
  return em.find(PaymentAttempt, { paymentId }, { orderBy: { number: 'asc' } });
}

/**
 * Finds the attempt whose money was credited to the merchant. Refunds of the payment give back only this money. When a
 * verdict completed the payment, the attempt was settled at the moment when the payment was completed. When an
 * operator completed the payment, the merchant was credited for the first paid attempt. Returns null when the merchant
 * was not credited.
 */
export async function creditedAttempt({ em }: Context, payment: Payment): Promise<PaymentAttempt | null> {
  const { id: paymentId, status, completedAt, amount, currency } = payment;
  if (status !== 'completed') return null;
  const paid = await em.find(
    PaymentAttempt,
    { paymentId, outcome: 'paid' },
    { orderBy: { settledAt: 'asc', number: 'asc' } },
  );
  const completing = paid.find(
    ({ settledAt, paidAmount, paidCurrency }) =>
      settledAt?.getTime() === completedAt?.getTime() && paidAmount === amount && paidCurrency === currency,
  );
  return completing ?? paid[0] ?? null;
}

/** Returns the payment's open attempt, or null. A payment has at most one open attempt. */
export async function findOpenAttempt({ em }: Context, { id }: Payment): Promise<PaymentAttempt | null> {
  return em.findOne(PaymentAttempt, { paymentId: id, outcome: null });
}
