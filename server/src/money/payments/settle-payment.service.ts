/**
 * The only code that settles payments. Status, ledger and event change in one transaction, under the payment's lock.
 */
import type { WriteContext } from '../../context.ts';
import type { Decline } from '../../kit/card.ts';
import type { Verdict } from '../../processors/port.ts';
import { creditCollection } from '../wallets/wallets.service.ts';
import { attemptOfDeposit, noteDeposit } from './deposits.ts';
import { type LockedAttempt, lockAttempt, type PaymentWithAttempt, saveAttempt } from './lock-payment.ts';
import { notifyOfReview } from './notify-of-payment.ts';
import type { Payment, ReviewReason } from './payment.entity.ts';
import type { PaymentAttempt } from './payment-attempt.entity.ts';
import { publishPaymentEvents } from './publish-payment-events.ts';
import { receiptInsertion } from './receipts.service.ts';

/** Applying the same verdict a second time changes nothing. */
export async function settlePayment(context: WriteContext, attemptId: string, verdict: Verdict): Promise<Payment> {
  return settle(context, await lockAttempt(context, attemptId), verdict);
}

/** When a customer answers the 3-D Secure step in two tabs, the first answer counts. */
export async function settlePaymentIfOpen(
  context: WriteContext,
  attemptId: string,
  verdict: Verdict,
): Promise<Payment> {
  const locked = await lockAttempt(context, attemptId);
  return locked.attempt.outcome === null ? settle(context, locked, verdict) : locked.payment;
}

async function settle(context: WriteContext, locked: LockedAttempt, verdict: Verdict): Promise<Payment> {
  if (!isDeposit(verdict)) {
    await saveSettled(context, locked, applyVerdict(context, locked, verdict));
  } else if (await noteDeposit(context, locked.attempt, verdict)) {
    const ofDeposit = { ...locked, attempt: attemptOfDeposit(locked.attempt, verdict, context.clock.now()) };
    await saveSettled(context, ofDeposit, applyVerdict(context, ofDeposit, verdict));
  }
  return locked.payment;
}

type Paid = Verdict & { result: 'paid' };

const isDeposit = (verdict: Verdict): verdict is Paid & { depositId: string } =>
  verdict.result === 'paid' && verdict.depositId !== undefined;

/** Writes the ledger last, so that the merchant's accounts are locked for a short time. */
export async function saveSettled(context: WriteContext, locked: LockedAttempt, effect: Effect): Promise<void> {
  if (effect === 'none') return;
  const mail = effect === 'completed' ? receiptInsertion(context, locked) : null;
  await saveAttempt(context, locked, { mail });
  if (effect === 'noted') return;
  if (isReview(effect)) return notifyOfReview(context, locked.payment, effect);
  await publishPaymentEvents(context, [locked.payment]);
  if (effect === 'completed') await creditCollection(context, locked.payment);
}

/**
 * `noted`: changes are saved without an event. `decided`: an event is also published if the payment has ended.
 * `completed`: the merchant is credited, and the customer gets a receipt, as well.
 * With the reason of a review, changes are saved, and people are notified.
 */
export type Effect = 'none' | 'noted' | 'decided' | 'completed' | ReviewOfPaid;

type ReviewOfPaid = Extract<ReviewReason, 'paid_twice' | 'paid_late' | 'amount_mismatch'>;

const isReview = (effect: Effect): effect is ReviewOfPaid =>
  effect === 'paid_twice' || effect === 'paid_late' || effect === 'amount_mismatch';

export function applyVerdict(context: WriteContext, locked: PaymentWithAttempt, verdict: Verdict): Effect {
  switch (verdict.result) {
    case 'unknown':
      return 'none';
    case 'open':
      return noteProgress(locked, verdict);
    case 'paid':
      return applyPaid(context, locked, verdict);
    case 'declined':
    case 'cancelled':
      return applyUnpaid(locked, verdict, context.clock.now());
  }
}

function noteProgress({ payment, attempt }: PaymentWithAttempt, open: Verdict & { result: 'open' }): Effect {
  if (attempt.outcome !== null) return 'none';
  if (attempt.account && open.account) return 'none';
  attempt.processorId = open.processorId ?? attempt.processorId;
  attempt.actionUrl = open.actionUrl ?? attempt.actionUrl;
  if (open.account) {
    attempt.account = open.account;
    attempt.last4 = open.account.number.replace(/\D/g, '').slice(-4);
    if (payment.waitsFor) payment.paymentMethod = { type: 'bank_transfer', brand: 'unknown', last4: attempt.last4 };
  }
  // The customer entered the card on our page, so the only step left for the customer is 3-D Secure.
  if (!open.actionUrl && attempt.askedForStep === false) attempt.askedForStep = true;
  if (open.decline && payment.status === 'processing') payment.noteDecline(open.decline);
  return 'noted';
}

/** The merchant gets the money even if the attempt was settled as declined or cancelled before. */
function applyPaid(
  context: WriteContext,
  { payment, attempt }: PaymentWithAttempt,
  { amount, currency, card, askedForStep, depositId }: Paid,
): Effect {
  if (attempt.outcome === 'paid') return 'none';
  const now = context.clock.now();
  const paid = { paidAmount: amount, paidCurrency: currency };
  const decline = { failureCode: null, failureMessage: null };
  Object.assign(attempt, { outcome: 'paid', settledAt: settledAtOf(payment, now), ...decline, ...paid, ...card });
  attempt.askedForStep = askedForStep ?? attempt.askedForStep;
  const reason = reasonForReview(payment, { amount, currency, depositId });
  if (reason) {
    markForReview(context, { payment, attempt }, reason, now);
    return reason;
  }
  if (card) payment.paymentMethod = { type: 'card', ...card };
  if (depositId && attempt.last4)
    payment.paymentMethod = { type: 'bank_transfer', brand: 'unknown', last4: attempt.last4 };
  payment.complete(now);
  return 'completed';
}

// A card that is charged late completes the payment, but a bank transfer can be days late: a person decides about it.
// See docs/decisions/money.md, "A bank transfer is counted by what arrives".
function reasonForReview(
  payment: Payment,
  { amount, currency, depositId }: Pick<Paid, 'amount' | 'currency' | 'depositId'>,
): ReviewOfPaid | null {
  if (amount !== payment.amount || currency !== payment.currency) return 'amount_mismatch';
  if (payment.status === 'completed') return 'paid_twice';
  return depositId && payment.isFinal ? 'paid_late' : null;
}

/**
 * An attempt that is paid after the payment was completed must have another time than `completedAt`: by this time
 * `creditedAttempt` finds the attempt that was credited.
 */
function settledAtOf({ status, completedAt }: Payment, now: Date): Date {
  if (status !== 'completed' || !completedAt || now > completedAt) return now;
  return new Date(completedAt.getTime() + 1);
}

function markForReview(
  { log }: WriteContext,
  { payment, attempt }: PaymentWithAttempt,
  reason: ReviewReason,
  now: Date,
): void {
  payment.holdForReview(now);
  payment.askForReview(reason);
  const paid = `${attempt.paidAmount} ${attempt.paidCurrency}`;
  const asked = `${payment.amount} ${payment.currency}`;
  const of = { paymentId: payment.id, attemptId: attempt.id, processorId: attempt.processorId };
  log.error(
    { ...of, reason, asked, paid },
    'A payment needs a decision by an operator; list the payments under review with: tillhook payments review',
  );
}

/** Only a payment that is processing or waits for the customer depends on the open attempt. */
function applyUnpaid(
  { payment, attempt }: PaymentWithAttempt,
  verdict: Verdict & { result: 'declined' | 'cancelled' },
  now: Date,
): Effect {
  if (attempt.outcome !== null) return 'none';
  // If the processor's answer was saved after `isUnsent` was decided, the customer may be paying at the processor.
  if (verdict.result === 'cancelled' && verdict.isUnsent && attempt.processorId !== null) return 'none';
  attempt.outcome = verdict.result;
  attempt.settledAt = now;
  const decline = verdict.result === 'declined' ? verdict : verdict.decline;
  attempt.failureCode = decline?.code ?? null;
  attempt.failureMessage = decline?.message ?? null;
  if (payment.status !== 'processing' && !payment.waitsFor) return 'noted';
  if (isUnderReviewForOtherMoney(payment, attempt)) return 'noted';
  if (verdict.result === 'declined') payment.decline(verdict, now);
  else endWithoutPayment({ payment, attempt }, verdict.decline, now);
  return 'decided';
}

/** Other money put the payment under review while the attempt was open, so the end of the attempt changes nothing. */
function isUnderReviewForOtherMoney({ waitsFor, reviewReason }: Payment, { method }: PaymentAttempt): boolean {
  return method !== 'card' && !waitsFor && Boolean(reviewReason);
}

// See docs/decisions/processors.md, "When a processor ends its session, the payment ends too".
function endWithoutPayment({ payment, attempt }: PaymentWithAttempt, decline: Decline | undefined, now: Date): void {
  if (decline) payment.noteDecline(decline);
  // When the time of an account or of a request on the phone is over, the customer may choose another way to pay.
  const hasTimeLeft = payment.waitsFor && payment.expiresAt > now;
  const isGivenUp = attempt.returnedAt && (payment.waitsFor || attempt.method === 'card');
  const mayChooseAgain = hasTimeLeft || isGivenUp;
  if (mayChooseAgain) payment.reopen(now);
  else payment.expire(now, 'expired');
}
