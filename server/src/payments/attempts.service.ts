/**
 * The processor's side of a payment: attempts, which of them are to be asked about, and what a verdict makes of them. Every
 * function that moves a payment locks its row first, so a page, a processor's webhook, a job and a test helper never settle
 * one attempt at once. Status, ledger and event change in one transaction.
 */
import type { Context, WriteContext } from '../context.ts';
import { rowsOf, run } from '../database/statement.ts';
import type { Card, Decline } from '../kit/card.ts';
import { newId } from '../kit/ids.ts';
import type { Verdict } from '../processors/port.ts';
import { expireIfDue } from './checkout.service.ts';
import { announcePayment, completePayment } from './complete-payment.ts';
import type { Payment, ReviewReason } from './payment.entity.ts';
import { PaymentAttempt } from './payment-attempt.entity.ts';
import { getLockedPayment } from './payment-rows.ts';

/** How many are claimed at once. */
export const batchSize = 10;

/**
 * Records that a card was submitted, or that the customer goes to where it is asked for. There is no attempt when the
 * payment no longer takes one: it is final, another submit is being decided, or it has moved since the customer saw it as
 * `seenVersion`.
 */
export async function submitAttempt(
  context: WriteContext,
  accessCode: string,
  { card, seenVersion }: { card: Card | null; seenVersion?: string },
): Promise<{ payment: Payment; attempt: PaymentAttempt | null }> {
  const payment = await expireIfDue(context, accessCode);
  const isStale = seenVersion !== undefined && seenVersion !== payment.version;
  if (payment.status !== 'pending' || isStale) return { payment, attempt: null };
  const now = context.clock.now();
  const earlier = await context.em.count(PaymentAttempt, { paymentId: payment.id });
  payment.submit(card, now);
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
  return { payment, attempt };
}

/** For whoever heard from a processor. The same verdict again changes nothing. */
export async function settleAttempt(context: WriteContext, attemptId: string, verdict: Verdict): Promise<Payment> {
  return settle(context, await lockAttempt(context, attemptId), verdict);
}

/** For a step that the customer takes once: what two tabs answer, the first of them decides. */
export async function settleIfOpen(context: WriteContext, attemptId: string, verdict: Verdict): Promise<Payment> {
  const attempted = await lockAttempt(context, attemptId);
  return attempted.attempt.outcome === null ? settle(context, attempted, verdict) : attempted.payment;
}

/** The customer came back without having paid. Noted before the processor is told, so that its webhook finds it so. */
export async function noteReturn(context: WriteContext, attemptId: string): Promise<void> {
  const { attempt } = await lockAttempt(context, attemptId);
  attempt.returnedAt ??= context.clock.now();
}

/** Each try of the customer, first to last. */
export async function listAttempts({ em }: Context, { id: paymentId }: Payment): Promise<PaymentAttempt[]> {
  return em.find(PaymentAttempt, { paymentId }, { orderBy: { number: 'asc' } });
}

/** The one that a payment is being decided by. */
export async function findOpenAttempt({ em }: Context, { id }: Payment): Promise<PaymentAttempt | null> {
  return em.findOne(PaymentAttempt, { paymentId: id, outcome: null });
}

/**
 * Takes the open attempts that are due to be asked about, so that no other process asks at the same time. They come due
 * again less and less often, and when the payment's time runs out. Where the payment has ended, they come due every minute for
 * the day that a session lives: a customer who is still at the processor's page could pay and get nothing for it.
 * See docs/decisions/money.md, "One job and one column look after open attempts".
 */
export async function claimOpenAttempts(context: WriteContext): Promise<string[]> {
  const rows = await rowsOf<{ id: string }>(context)`
    with due as (
      select id from payment_attempt where outcome is null and next_check_at <= now()
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

/** Takes one attempt, for whoever waits for it; false when it was asked about in the last seconds. */
export async function claimAttempt(context: WriteContext, attemptId: string): Promise<boolean> {
  const taken = await run(context)`
    update payment_attempt set asked_at = now()
    where id = ${attemptId} and outcome is null and (asked_at is null or asked_at < now() - interval '5 seconds')`;
  return taken === 1;
}

interface Attempted {
  payment: Payment;
  attempt: PaymentAttempt;
}

/** The payment is locked first, as everywhere; what the attempt was before that may be out of date. */
async function lockAttempt(context: WriteContext, attemptId: string): Promise<Attempted> {
  const seen = await context.em.findOne(PaymentAttempt, { id: attemptId });
  if (!seen) throw new Error('A verdict came for an attempt that was never made.');
  const payment = await getLockedPayment(context, { id: seen.paymentId });
  const attempt = await context.em.findOne(PaymentAttempt, { id: attemptId }, { refresh: true });
  if (!attempt) throw new Error('An attempt is gone.');
  return { payment, attempt };
}

/** What every verdict comes to, under the payment's lock. */
async function settle(context: WriteContext, attempted: Attempted, verdict: Verdict): Promise<Payment> {
  const { payment, attempt } = attempted;
  switch (verdict.result) {
    case 'unknown':
      break;
    case 'open':
      noteProgress(attempt, payment, verdict);
      break;
    case 'paid':
      await capture(context, attempted, verdict);
      break;
    case 'declined':
    case 'cancelled':
      await end(context, attempted, verdict);
      break;
  }
  return payment;
}

function noteProgress(attempt: PaymentAttempt, payment: Payment, open: Verdict & { result: 'open' }): void {
  if (attempt.outcome !== null) return;
  attempt.processorId = open.processorId ?? attempt.processorId;
  attempt.actionUrl = open.actionUrl ?? attempt.actionUrl;
  // The card was given here, so that what is left to do here is the bank's own step.
  if (!open.actionUrl && attempt.askedForStep === false) attempt.askedForStep = true;
  if (open.decline && payment.status === 'processing') payment.noteDecline(open.decline);
}

/** Money came in. What was settled otherwise before is no reason to keep it from the merchant. */
async function capture(
  context: WriteContext,
  { payment, attempt }: Attempted,
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
    return askForReview(context, { payment, attempt }, isAsAsked ? 'paid_twice' : 'amount_mismatch');
  }
  if (card) payment.paymentMethod = { type: 'card', ...card };
  await completePayment(context, payment);
}

/** Nothing here may guess what is owed to whom: a person decides, with `tillhook payments resolve`. */
function askForReview({ log }: WriteContext, { payment, attempt }: Attempted, reason: ReviewReason): void {
  payment.reviewReason ??= reason;
  const paid = `${attempt.paidAmount} ${attempt.paidCurrency}`;
  const asked = `${payment.amount} ${payment.currency}`;
  const of = { paymentId: payment.id, attemptId: attempt.id, processorId: attempt.processorId };
  log.error({ ...of, reason, asked, paid }, 'a payment needs a decision: tillhook payments review');
}

/** Nothing was charged. It only moves the payment when it is still this attempt that decides it. */
async function end(
  context: WriteContext,
  { payment, attempt }: Attempted,
  verdict: Verdict & { result: 'declined' | 'cancelled' },
): Promise<void> {
  if (attempt.outcome !== null) return;
  // Whoever was asked did not know yet that the customer has its address by now.
  if (verdict.result === 'cancelled' && verdict.isUnsent && attempt.processorId !== null) return;
  const now = context.clock.now();
  attempt.outcome = verdict.result;
  attempt.settledAt = now;
  const decline = verdict.result === 'declined' ? verdict : verdict.decline;
  attempt.failureCode = decline?.code ?? null;
  attempt.failureMessage = decline?.message ?? null;
  if (payment.status !== 'processing') return;
  if (verdict.result === 'declined') payment.decline(verdict, now);
  else giveUp({ payment, attempt }, verdict.decline, now);
  await announcePayment(context, payment);
}

/**
 * Nothing came of it: the customer may go on where they came back to, and otherwise the offer has ended.
 * See docs/decisions/processors.md, "A session that the processor ends also ends the payment".
 */
function giveUp({ payment, attempt }: Attempted, decline: Decline | undefined, now: Date): void {
  if (decline) payment.noteDecline(decline);
  if (attempt.returnedAt) payment.reopen(now);
  else payment.expire(now);
}
