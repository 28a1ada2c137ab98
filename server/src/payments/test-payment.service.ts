/**
 * Acts for the customer of a test payment, so that a merchant's tests need no browser.
 * It calls the same functions as the hosted page, in one transaction and without a
 * processor. So the ledger entries and the events are those of a real payment.
 */
import { requireTestMode } from '../auth/auth.service.ts';
import type { WithPrincipal, WriteContext } from '../context.ts';
import type { Card } from '../kit/card.ts';
import { findOpenAttempt, settleAttempt, submitAttempt } from './attempts.service.ts';
import { abandonPayment, alreadyDecided } from './checkout.service.ts';
import type { Payment } from './payment.entity.ts';
import { lockOwnPayment } from './payment-rows.ts';

const goodCard: Card = { brand: 'visa', last4: '4242' };
const declinedCard: Card = { brand: 'visa', last4: '0002' };

/** The customer pays. When an attempt is open already, this settles that attempt. */
export async function completeTestPayment(context: WriteContext & WithPrincipal, reference: string): Promise<Payment> {
  const { payment, attempt } = await openAttempt(context, reference, goodCard);
  const { amount, currency } = payment;
  return settleAttempt(context, attempt.id, { result: 'paid', amount, currency });
}

/** The customer's card is declined, and the customer returns to the merchant. */
export async function failTestPayment(context: WriteContext & WithPrincipal, reference: string): Promise<Payment> {
  const { payment, attempt } = await openAttempt(context, reference, declinedCard);
  const verdict = { result: 'declined', code: 'card_declined', message: 'The card was declined' } as const;
  await settleAttempt(context, attempt.id, verdict);
  return abandonPayment(context, payment.accessCode);
}

async function openAttempt(context: WriteContext & WithPrincipal, reference: string, card: Card) {
  requireTestMode(context.principal);
  const { accessCode } = await lockOwnPayment(context, reference);
  const { payment, attempt: submitted } = await submitAttempt(context, accessCode, { card });
  const attempt = submitted ?? (payment.status === 'processing' ? await findOpenAttempt(context, payment) : null);
  if (!attempt) throw alreadyDecided(payment);
  return { payment, attempt };
}
