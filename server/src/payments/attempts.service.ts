/**
 * The processor's side of a payment. It saves attempts, claims the open ones that are due for a status check, and
 * settles an attempt by the processor's verdict. Every function that changes a payment locks its row first, so that a
 * page, a processor's webhook, a job and a test operation never settle one attempt at the same moment. Status, ledger
 * and event change in one transaction.
 */
import { sql } from 'kysely';
import { getMerchant } from '../auth/merchants/merchants.service.ts';
import type { Context, EventOwner, WriteContext } from '../context.ts';
import { rowsOf, run } from '../database/statement.ts';
import type { Card, Decline } from '../kit/card.ts';
import { newId } from '../kit/ids.ts';
import type { Verdict } from '../processors/port.ts';
import { expireIfDue } from './checkout.service.ts';
import { completePayment, publishPaymentEvents } from './complete-payment.ts';
import type { Payment, ReviewReason } from './payment.entity.ts';
import { PaymentAttempt } from './payment-attempt.entity.ts';
import { getLockedPayment } from './payment-rows.ts';

/** How many attempts one statement claims. */
export const batchSize = 10;

interface Submission {
  /** Null when the customer goes on to the processor's page. */
  card: Card | null;
  seenVersion?: string;
}

/**
 * Saves a new attempt: the customer submitted a card, or goes on to the processor's page. The attempt is null when the
 * payment does not accept one: the payment is final, another attempt is being decided, or the payment has changed since
 * the customer saw its version `seenVersion`.
 */
export async function submitAttempt(
  context: WriteContext,
  accessCode: string,
  submission: Submission,
): Promise<{ payment: Payment; attempt: PaymentAttempt | null }> {
  const payment = await expireIfDue(context, accessCode);
  return { payment, attempt: await submitToLocked(context, payment, submission) };
}

/** The same for a payment that has not expired, and whose lock the caller holds. */
export async function submitToLocked(
  context: WriteContext,
  payment: Payment,
  { card, seenVersion }: Submission,
): Promise<PaymentAttempt | null> {
  const isStale = seenVersion !== undefined && seenVersion !== payment.version;
  if (payment.status !== 'pending' || isStale) return null;
  const now = context.clock.now();
  const earlier = await context.em.count(PaymentAttempt, { paymentId: payment.id });
  payment.submit(card, now);
  payment.statementName = (await getMerchant(context, payment.merchantId)).statementName ?? null;
  const attempt = Object.assign(new PaymentAttempt(), {
    id: newId(),
    paymentId: payment.id,
    number: earlier + 1,
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
  context.em.persist(attempt);
  return attempt;
}

/** Settles an attempt by the processor's verdict. The same verdict a second time changes nothing. */
export async function settleAttempt(context: WriteContext, attemptId: string, verdict: Verdict): Promise<Payment> {
  return settleLocked(context, await lockAttempt(context, attemptId), verdict);
}

/**
 * Settles the attempt only if it is open. When a customer answers the
 * 3-D Secure step in two tabs, the first answer counts.
 */
export async function settleIfOpen(context: WriteContext, attemptId: string, verdict: Verdict): Promise<Payment> {
  const locked = await lockAttempt(context, attemptId);
  return locked.attempt.outcome === null ? settleLocked(context, locked, verdict) : locked.payment;
}

/**
 * Notes that the customer came back without having paid. This is committed before the processor is asked to cancel,
 * because the processor's webhook about the cancelled attempt may arrive at once, and it must find the return noted.
 */
export async function noteReturn(context: WriteContext, attemptId: string): Promise<void> {
  const { attempt } = await lockAttempt(context, attemptId);
  attempt.returnedAt ??= context.clock.now();
}

/** The customer's attempts to pay, the first one first. */
export async function listAttempts({ em }: Context, { id: paymentId }: Payment): Promise<PaymentAttempt[]> {
  return em.find(PaymentAttempt, { paymentId }, { orderBy: { number: 'asc' } });
}

/** The payment's attempt that the processor has not decided yet. A payment has at most one. */
export async function findOpenAttempt({ em }: Context, { id }: Payment): Promise<PaymentAttempt | null> {
  return em.findOne(PaymentAttempt, { paymentId: id, outcome: null });
}

/**
 * Claims the open attempts that are due for a status check, so that no other process asks the processor about them.
 * Each claim sets the time of the attempt's next check. The older the attempt is, the longer that takes, but until
 * the payment has expired, a check is never later than its expiry. After the payment has ended, the attempt is
 * checked every minute until it is one day old: its customer may still be at the processor's page and pay there for
 * nothing, and no session of a processor lives longer than a day.
 * With an owner, it claims only the attempts of that merchant and mode.
 * See docs/decisions/money.md, "One job and one column look after open attempts".
 */
export async function claimOpenAttempts(context: WriteContext, owner?: EventOwner): Promise<string[]> {
  const isOwn = owner
    ? sql`exists (select from payment where payment.id = payment_id
        and merchant_id = ${owner.merchantId} and mode = ${owner.mode})`
    : sql`true`;
  const rows = await rowsOf<{ id: string }>(context)`
    with due as (
      select id from payment_attempt where outcome is null and next_check_at <= now() and ${isOwn}
      order by next_check_at limit ${batchSize} for update skip locked
    )
    update payment_attempt as attempt set next_check_at = case
      when payment.expires_at > now() then least(now() + pause.length, payment.expires_at) else now() + pause.length end
    from due
    join payment_attempt as claimed using (id)
    join payment on payment.id = claimed.payment_id,
    lateral (
      select case
        when payment.status not in ('pending', 'processing') and claimed.started_at > now() - interval '1 day'
          then interval '1 minute'
        else least(greatest((now() - claimed.started_at) / 4, interval '1 minute'), interval '15 minutes')
      end as length
    ) as pause
    where attempt.id = due.id
    returning attempt.id`;
  return rows.map(({ id }) => id);
}

/** Claims one attempt for a page that shows it. False when a page asked about it in the last five seconds. */
export async function claimAttempt(context: WriteContext, attemptId: string): Promise<boolean> {
  const taken = await run(context)`
    update payment_attempt set asked_at = now()
    where id = ${attemptId} and outcome is null and (asked_at is null or asked_at < now() - interval '5 seconds')`;
  return taken === 1;
}

interface LockedAttempt {
  payment: Payment;
  attempt: PaymentAttempt;
}

/**
 * Locks the payment first, as every caller does, and reads the
 * attempt again after that: an earlier read may be out of date.
 */
async function lockAttempt(context: WriteContext, attemptId: string): Promise<LockedAttempt> {
  const seen = await context.em.findOne(PaymentAttempt, { id: attemptId });
  if (!seen) throw new Error('A verdict names an attempt that does not exist.');
  const payment = await getLockedPayment(context, { id: seen.paymentId });
  const attempt = await context.em.findOne(PaymentAttempt, { id: attemptId }, { refresh: true });
  if (!attempt) throw new Error('An attempt was deleted while its payment was locked.');
  return { payment, attempt };
}

/** Settles an attempt that was read while the caller holds the lock of its payment. */
export async function settleLocked(context: WriteContext, locked: LockedAttempt, verdict: Verdict): Promise<Payment> {
  const { payment, attempt } = locked;
  switch (verdict.result) {
    case 'unknown':
      break;
    case 'open':
      noteProgress(attempt, payment, verdict);
      break;
    case 'paid':
      await settlePaid(context, locked, verdict);
      break;
    case 'declined':
    case 'cancelled':
      await settleUnpaid(context, locked, verdict);
      break;
  }
  return payment;
}

function noteProgress(attempt: PaymentAttempt, payment: Payment, open: Verdict & { result: 'open' }): void {
  if (attempt.outcome !== null) return;
  attempt.processorId = open.processorId ?? attempt.processorId;
  attempt.actionUrl = open.actionUrl ?? attempt.actionUrl;
  // The customer gave the card on our page, so the only step that can
  // be left for them here is the bank's 3-D Secure step.
  if (!open.actionUrl && attempt.askedForStep === false) attempt.askedForStep = true;
  if (open.decline && payment.status === 'processing') payment.noteDecline(open.decline);
}

/**
 * The processor has the money. The merchant gets it even if the attempt was settled as declined or cancelled before.
 */
async function settlePaid(
  context: WriteContext,
  { payment, attempt }: LockedAttempt,
  { amount, currency, card, askedForStep }: Verdict & { result: 'paid' },
): Promise<void> {
  if (attempt.outcome === 'paid') return;
  const now = context.clock.now();
  const paid = { paidAmount: amount, paidCurrency: currency };
  const decline = { failureCode: null, failureMessage: null };
  Object.assign(attempt, { outcome: 'paid', settledAt: now, ...decline, ...paid, ...card });
  attempt.askedForStep = askedForStep ?? attempt.askedForStep;
  const isAsAsked = amount === payment.amount && currency === payment.currency;
  if (!isAsAsked || payment.status === 'completed') {
    return markForReview(context, { payment, attempt }, isAsAsked ? 'paid_twice' : 'amount_mismatch');
  }
  if (card) payment.paymentMethod = { type: 'card', ...card };
  await completePayment(context, payment);
}

/**
 * Marks the payment for an operator, who decides with `tillhook
 * payments resolve`. The code must not guess who gets the money.
 */
function markForReview({ log }: WriteContext, { payment, attempt }: LockedAttempt, reason: ReviewReason): void {
  payment.reviewReason ??= reason;
  const paid = `${attempt.paidAmount} ${attempt.paidCurrency}`;
  const asked = `${payment.amount} ${payment.currency}`;
  const of = { paymentId: payment.id, attemptId: attempt.id, processorId: attempt.processorId };
  log.error(
    { ...of, reason, asked, paid },
    'A payment needs an operator to decide; list them with: tillhook payments review',
  );
}

/**
 * Nothing was charged. It changes the payment only while the payment is processing, that is, waits for this attempt.
 */
async function settleUnpaid(
  context: WriteContext,
  { payment, attempt }: LockedAttempt,
  verdict: Verdict & { result: 'declined' | 'cancelled' },
): Promise<void> {
  if (attempt.outcome !== null) return;
  // `isUnsent` is no longer true: the processor's answer has been saved since then, so the customer may be at the
  // processor's page and pay there.
  if (verdict.result === 'cancelled' && verdict.isUnsent && attempt.processorId !== null) return;
  const now = context.clock.now();
  attempt.outcome = verdict.result;
  attempt.settledAt = now;
  const decline = verdict.result === 'declined' ? verdict : verdict.decline;
  attempt.failureCode = decline?.code ?? null;
  attempt.failureMessage = decline?.message ?? null;
  if (payment.status !== 'processing') return;
  if (verdict.result === 'declined') payment.decline(verdict, now);
  else endWithoutPayment({ payment, attempt }, verdict.decline, now);
  await publishPaymentEvents(context, [payment]);
}

/**
 * The attempt ended without money. When the customer came back to our
 * page, the payment opens again; otherwise it expires.
 * See docs/decisions/processors.md, "A session that the processor ends also ends the payment".
 */
function endWithoutPayment({ payment, attempt }: LockedAttempt, decline: Decline | undefined, now: Date): void {
  if (decline) payment.noteDecline(decline);
  if (attempt.returnedAt) payment.reopen(now);
  else payment.expire(now, 'expired');
}
