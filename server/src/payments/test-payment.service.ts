/**
 * Acts for the customer of a test payment, so that a merchant's tests need no browser.
 * It calls the same functions as the hosted page, in one transaction and without a
 * processor. So the ledger entries and the events are those of a real payment.
 */
import { requireTestMode } from '../auth/auth.service.ts';
import type { WithPrincipal, WriteContext } from '../context.ts';
import type { Card } from '../kit/card.ts';
import { findOpenAttempt, settleLocked, submitToLocked } from './attempts.service.ts';
import { abandonLocked, alreadyDecided, expireLockedIfDue } from './checkout.service.ts';
import type { Payment } from './payment.entity.ts';
import { lockOwnPayment } from './payment-rows.ts';

const goodCard: Card = { brand: 'visa', last4: '4242' };
const declinedCard: Card = { brand: 'visa', last4: '0002' };

/** The customer pays. When an attempt is open already, this settles that attempt. */
export async function completeTestPayment(context: WriteContext & WithPrincipal, reference: string): Promise<Payment> {
  const locked = await openAttempt(context, reference, goodCard);
  const { amount, currency } = locked.payment;
  return settleLocked(context, locked, { result: 'paid', amount, currency });
}

/** The customer's card is declined, and the customer returns to the merchant. */
export async function failTestPayment(context: WriteContext & WithPrincipal, reference: string): Promise<Payment> {
  const locked = await openAttempt(context, reference, declinedCard);
  const verdict = { result: 'declined', code: 'card_declined', message: 'The card was declined' } as const;
  return abandonLocked(context, await settleLocked(context, locked, verdict));
}

/** Locks the payment, and returns its open attempt or a new one. */
async function openAttempt(context: WriteContext & WithPrincipal, reference: string, card: Card) {
  requireTestMode(context.principal);
  const payment = await expireLockedIfDue(context, await lockOwnPayment(context, reference));
  const submitted = await submitToLocked(context, payment, { card });
  const attempt = submitted ?? (payment.status === 'processing' ? await findOpenAttempt(context, payment) : null);
  if (!attempt) throw alreadyDecided(payment);
  return { payment, attempt };
}
