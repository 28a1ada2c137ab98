/** Uses the functions of the hosted page, so that test payments get the ledger entries and events of real payments. */

import type { WithPrincipal, WriteContext } from '../../context.ts';
import type { Card } from '../../kit/card.ts';
import { AppError } from '../../kit/errors.ts';
import { newId } from '../../kit/ids.ts';
import { requireTestMode } from '../../people/auth.service.ts';
import { findLastTransfer, findOpenAttempt, newAttempt } from './attempts.service.ts';
import { alreadyDecided, expireIfDue } from './checkout.service.ts';
import { type LockedAttempt, type LockedPayment, lockAttempt, lockOwnPayment } from './lock-payment.ts';
import type { Payment } from './payment.entity.ts';
import { type Decision, isAboutCredit, resolvePayment } from './reviews.service.ts';
import { applyVerdict, saveSettled, settlePayment } from './settle-payment.service.ts';

const goodCard: Card = { brand: 'visa', last4: '4242' };
const declinedCard: Card = { brand: 'visa', last4: '0002' };

export async function completeTestPayment(context: WriteContext & WithPrincipal, reference: string): Promise<Payment> {
  const own = await lockTestPayment(context, reference);
  if (waitsForDecision(own)) return decideReview(context, own, 'completed');
  const locked = await openAttempt(context, own, goodCard);
  const { amount, currency } = locked.payment;
  await saveSettled(context, locked, applyVerdict(context, locked, { result: 'paid', amount, currency }));
  return locked.payment;
}

export async function failTestPayment(context: WriteContext & WithPrincipal, reference: string): Promise<Payment> {
  const own = await lockTestPayment(context, reference);
  if (waitsForDecision(own)) return decideReview(context, own, 'failed');
  const locked = await openAttempt(context, own, declinedCard);
  const verdict = { result: 'declined', code: 'card_declined', message: 'The card was declined' } as const;
  const effect = applyVerdict(context, locked, verdict);
  // Choice: the payment fails as if its time were over, because nothing says that its customer cancelled it.
  if (locked.payment.status === 'pending') locked.payment.expire(context.clock.now(), 'expired');
  await saveSettled(context, locked, effect);
  return locked.payment;
}

interface Receipt {
  amount: bigint;
  bankReference?: string | undefined;
}

/** `openTestTransfer` must run first. Money that has come is never refused, so the payment may have ended. */
export async function receiveTestTransfer(
  context: WriteContext & WithPrincipal,
  reference: string,
  { amount, bankReference: depositId = newId() }: Receipt,
): Promise<Payment> {
  const { payment } = await lockOwnPayment(context, reference);
  const attempt = await findLastTransfer(context, payment);
  if (attempt) {
    return settlePayment(context, attempt.id, { result: 'paid', amount, currency: payment.currency, depositId });
  }
  if (payment.isFinal) throw alreadyDecided(payment);
  const message = 'The customer is paying in another way, so no bank transfer is expected';
  throw new AppError('payment_in_progress', message);
}

function lockTestPayment(context: WriteContext & WithPrincipal, reference: string): Promise<LockedPayment> {
  requireTestMode(context.principal);
  return lockOwnPayment(context, reference);
}

function waitsForDecision({ payment: { reviewReason } }: LockedPayment): boolean {
  return reviewReason != null && isAboutCredit(reviewReason);
}

/**
 * Choice: in test mode the merchant decides, because a merchant who tries the service out has no operator to ask. One
 * call decides about everything that came.
 * See docs/decisions/money.md, "A bank transfer is counted by what arrives".
 */
async function decideReview(context: WriteContext, { payment }: LockedPayment, decision: Decision): Promise<Payment> {
  const { id, reviewReasons } = payment;
  let decided = payment;
  for (const about of reviewReasons.filter(isAboutCredit)) {
    decided = (await resolvePayment(context, { id, about }, decision)).payment;
  }
  return decided;
}

async function openAttempt(context: WriteContext, locked: LockedPayment, card: Card): Promise<LockedAttempt> {
  const { payment, sendReceipts } = locked;
  const now = context.clock.now();
  // The expiry is not saved, because the error below rolls it back. The job `expire-checkouts` ends the payment.
  expireIfDue(payment, now);
  const attempt = newAttempt(locked, { card }, now);
  if (attempt) return { payment, attempt, sendReceipts };
  const open = payment.status === 'processing' || payment.waitsFor ? await findOpenAttempt(context, payment) : null;
  if (!open) throw alreadyDecided(payment);
  return lockAttempt(context, open.id);
}
