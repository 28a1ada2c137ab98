import type { Context, WriteContext } from '../../context.ts';
import type { Card } from '../../kit/card.ts';
import { newId } from '../../kit/ids.ts';
import { lockUnexpired } from './checkout.service.ts';
import { type LockedPayment, lockAttempt, saveAttempt } from './lock-payment.ts';
import type { Awaited, Payment } from './payment.entity.ts';
import { PaymentAttempt } from './payment-attempt.entity.ts';

interface Submission {
  /** Null when the customer enters the card on the processor's page. */
  card: Card | null;
  /** Given when the customer pays neither with a card nor on the processor's page. */
  awaited?: Awaited;
  seenVersion?: string;
  /** The locale of the page with the form. */
  pageLocale?: string;
}

/** The returned attempt is null if the payment is not open for one, or is no longer at the version `seenVersion`. */
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

export function newAttempt(
  { payment, statementName }: LockedPayment,
  { card, awaited, seenVersion, pageLocale }: Submission,
  now: Date,
): PaymentAttempt | null {
  const isStale = seenVersion !== undefined && seenVersion !== payment.version;
  if (payment.status !== 'pending' || payment.waitsFor || isStale) return null;
  if (awaited) payment.waitFor(awaited, now);
  else payment.submit(card, now);
  payment.statementName = statementName;
  payment.pageLocale = pageLocale ?? payment.pageLocale;
  return Object.assign(new PaymentAttempt(), {
    id: newId(),
    paymentId: payment.id,
    method: awaited?.type ?? 'card',
    brand: card?.brand ?? null,
    last4: payment.paymentMethod?.last4 ?? null,
    processorId: null,
    actionUrl: null,
    account: null,
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

/** Callers commit `returnedAt` before they cancel the attempt, because the webhook that follows reads this time. */
export async function noteReturn(context: WriteContext, attemptId: string): Promise<void> {
  const locked = await lockAttempt(context, attemptId);
  locked.attempt.returnedAt ??= context.clock.now();
  await saveAttempt(context, locked);
}

export async function listAttempts({ em }: Context, { id: paymentId }: Payment): Promise<PaymentAttempt[]> {
  return em.find(PaymentAttempt, { paymentId }, { orderBy: { number: 'asc' } });
}

/**
 * Finds the attempt whose money was credited to the merchant: the paid attempt that was settled at `completedAt`, or
 * the first paid attempt if an operator completed the payment.
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

export async function isPaidByAnAttempt({ em }: Context, { id }: Payment): Promise<boolean> {
  return (await em.count(PaymentAttempt, { paymentId: id, outcome: 'paid' })) > 0;
}

export async function findLastTransfer({ em }: Context, { id }: Payment): Promise<PaymentAttempt | null> {
  return em.findOne(PaymentAttempt, { paymentId: id, method: 'bank_transfer' }, { orderBy: { number: 'desc' } });
}

/** The unique index `payment_attempt_open` allows only one open attempt for each payment. */
export async function findOpenAttempt({ em }: Context, { id }: Payment): Promise<PaymentAttempt | null> {
  return em.findOne(PaymentAttempt, { paymentId: id, outcome: null });
}
