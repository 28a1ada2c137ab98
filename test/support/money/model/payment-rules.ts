/** Repeats the rules of `money/payments/settle-payment.service.ts` for the model in memory. */
import type { ExpiryReason, ReviewReason } from '@tillhook/server/src/money/payments/payment.entity.ts';
import type { Verdict } from '@tillhook/server/src/processors/port.ts';
import { type Model, type ModelAttempt, type ModelPayment, move } from './model.ts';

const maxAttempts = 3;
const declineLifeMs = 15 * 60_000;
const decline = { code: 'card_declined', message: 'The card was declined' };

/** `paid otherwise` means that the customer paid a wrong amount; `open` means that a decline left the attempt open. */
export type Outcome = 'paid' | 'paid otherwise' | 'declined' | 'cancelled' | 'open' | 'unknown';

export function verdictOf({ payment }: Pick<ModelAttempt, 'payment'>, outcome: Outcome): Verdict {
  const { amount, currency } = payment;
  switch (outcome) {
    case 'paid':
      return { result: 'paid', amount: BigInt(amount), currency };
    case 'paid otherwise':
      return { result: 'paid', amount: BigInt(amount) + 1n, currency };
    case 'declined':
      return { result: 'declined', ...decline };
    case 'cancelled':
      return { result: 'cancelled' };
    case 'open':
      return { result: 'open', decline };
    case 'unknown':
      return { result: 'unknown' };
  }
}

export function applySubmit(payment: ModelPayment): void {
  payment.status = 'processing';
  payment.attempts += 1;
}

type AttemptState = Pick<ModelAttempt, 'payment' | 'outcome'>;

export function applyVerdict(model: Model, attempt: AttemptState, outcome: Outcome): void {
  switch (outcome) {
    case 'unknown':
      break;
    case 'open':
      if (isUndecided(attempt)) attempt.payment.wasDeclined = true;
      break;
    case 'paid':
    case 'paid otherwise':
      if (attempt.outcome !== 'paid') applyPaid(model, attempt, outcome);
      break;
    case 'declined':
    case 'cancelled':
      if (attempt.outcome === null) applyEnd(model, attempt, outcome);
      break;
  }
}

export function applyReturn(model: Model, attempt: ModelAttempt): void {
  const isTheirs = isUndecided(attempt);
  if (attempt.outcome !== null) return;
  attempt.outcome = 'cancelled';
  if (!isTheirs) return;
  model.rareOutcomes.push('came back');
  attempt.payment.status = 'pending';
  attempt.payment.attempts -= 1;
}

export function isOpen({ status }: ModelPayment): boolean {
  return status === 'pending' || status === 'processing';
}

export function isUndecided({ payment, outcome }: AttemptState): boolean {
  return payment.status === 'processing' && outcome === null;
}

function applyPaid(model: Model, attempt: AttemptState, outcome: 'paid' | 'paid otherwise'): void {
  const { payment } = attempt;
  attempt.outcome = 'paid';
  if (outcome === 'paid otherwise') review(model, payment, 'amount_mismatch');
  else if (payment.status === 'completed') review(model, payment, 'paid_twice');
  else {
    if (payment.status === 'failed' || payment.status === 'expired')
      model.rareOutcomes.push(`paid after it had ${payment.status}`);
    complete(model, payment);
  }
}

function review({ rareOutcomes }: Model, payment: ModelPayment, reason: ReviewReason): void {
  // The customer must not pay again before an operator has decided about the other amount.
  if (reason === 'amount_mismatch' && payment.status === 'pending') payment.status = 'processing';
  payment.reviews.add(reason);
  rareOutcomes.push(reason === 'paid_twice' ? 'paid twice' : 'paid otherwise');
}

function applyEnd(model: Model, attempt: AttemptState, outcome: 'declined' | 'cancelled'): void {
  const { payment } = attempt;
  attempt.outcome = outcome;
  if (payment.status !== 'processing') return;
  if (outcome === 'cancelled') expire(model, payment, 'expired');
  else applyDecline(model, payment);
}

function applyDecline(model: Model, payment: ModelPayment): void {
  payment.wasDeclined = true;
  payment.status = 'pending';
  payment.expiresAt = Math.min(payment.expiresAt, model.now + declineLifeMs);
  if (payment.attempts < maxAttempts) return;
  model.rareOutcomes.push('third decline');
  fail(model, payment);
}

export function applyDecision(
  model: Model,
  payment: ModelPayment,
  { as: decision, about }: { as: 'completed' | 'failed'; about: ReviewReason | undefined },
): string | undefined {
  if (!about || (payment.status === 'completed' && decision === 'failed')) return 'payment_already_final';
  payment.reviews.delete(about);
  if (payment.status === 'completed') return undefined;
  const isDecidedElsewhere = model.attempts.some((attempt) => attempt.payment === payment && isUndecided(attempt));
  const ends = decision === 'completed' || (payment.status === 'processing' && !isDecidedElsewhere);
  if (!ends) return undefined;
  model.rareOutcomes.push(`resolved as ${decision}`);
  if (decision === 'completed') complete(model, payment);
  else fail(model, payment);
  return undefined;
}

export function applyAbandon(model: Model, payment: ModelPayment): void {
  expireIfDue(model, payment);
  if (payment.status === 'pending' && payment.wasDeclined) fail(model, payment);
}

export function expireIfDue(model: Model, payment: ModelPayment): void {
  if (isDue(model, payment)) expire(model, payment, 'expired');
}

export function isDue({ now }: Model, { status, expiresAt }: ModelPayment): boolean {
  return status === 'pending' && expiresAt <= now;
}

export function expire(model: Model, payment: ModelPayment, reason: ExpiryReason): void {
  if (payment.wasDeclined) fail(model, payment);
  else {
    payment.status = 'expired';
    model.events.push(`${payment.reference} checkout.expired ${reason}`);
  }
}

function complete(model: Model, payment: ModelPayment): void {
  const { amount, currency, reference } = payment;
  Object.assign(payment, { status: 'completed', wasDeclined: false });
  move(model, { from: 'processor_clearing', to: 'collection', amount, currency });
  model.events.push(`${reference} checkout.success`);
}

function fail(model: Model, payment: ModelPayment): void {
  payment.status = 'failed';
  payment.wasDeclined = true;
  model.events.push(`${payment.reference} checkout.failed`);
}
