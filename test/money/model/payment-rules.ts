/** What becomes of a payment, told once more and without a database: the model's side of `payments/attempts.service.ts`. */
import type { ReviewReason } from '@tillhook/server/src/payments/payment.entity.ts';
import type { Verdict } from '@tillhook/server/src/processors/port.ts';
import { type Model, type ModelAttempt, type ModelPayment, move } from './model.ts';

const maxAttempts = 3;
const declineLifeMs = 15 * 60_000;
const decline = { code: 'card_declined', message: 'The card was declined' };

/** What a processor may say. `paid otherwise` is another amount than was asked for, `open` comes after a decline there. */
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

export function submitted(payment: ModelPayment): void {
  payment.status = 'processing';
  payment.attempts += 1;
}

type Settled = Pick<ModelAttempt, 'payment' | 'outcome'>;

export function settled(model: Model, attempt: Settled, outcome: Outcome): void {
  switch (outcome) {
    case 'unknown':
      break;
    case 'open':
      if (isUndecided(attempt)) attempt.payment.wasDeclined = true;
      break;
    case 'paid':
    case 'paid otherwise':
      if (attempt.outcome !== 'paid') paid(model, attempt, outcome);
      break;
    case 'declined':
    case 'cancelled':
      if (attempt.outcome === null) ended(model, attempt, outcome);
      break;
  }
}

/** The customer came back without having paid. */
export function returned(model: Model, attempt: ModelAttempt): void {
  const isTheirs = isUndecided(attempt);
  if (attempt.outcome !== null) return;
  attempt.outcome = 'cancelled';
  if (!isTheirs) return;
  model.turns.push('came back');
  attempt.payment.status = 'pending';
  attempt.payment.attempts -= 1;
}

/** Whether something can still become of it. */
export function isOpen({ status }: ModelPayment): boolean {
  return status === 'pending' || status === 'processing';
}

export function isUndecided({ payment, outcome }: Settled): boolean {
  return payment.status === 'processing' && outcome === null;
}

/** Money counts whenever it comes; what it cannot be counted as waits for a person. */
function paid(model: Model, attempt: Settled, outcome: 'paid' | 'paid otherwise'): void {
  const { payment } = attempt;
  attempt.outcome = 'paid';
  if (outcome === 'paid otherwise') review(model, payment, 'amount_mismatch');
  else if (payment.status === 'completed') review(model, payment, 'paid_twice');
  else {
    if (payment.status === 'failed' || payment.status === 'expired')
      model.turns.push(`paid after it had ${payment.status}`);
    completed(model, payment);
  }
}

function review({ turns }: Model, payment: ModelPayment, reason: ReviewReason): void {
  payment.review ??= reason;
  turns.push(reason === 'paid_twice' ? 'paid twice' : 'paid otherwise');
}

function ended(model: Model, attempt: Settled, outcome: 'declined' | 'cancelled'): void {
  const { payment } = attempt;
  attempt.outcome = outcome;
  if (payment.status !== 'processing') return;
  if (outcome === 'cancelled') expire(model, payment);
  else declined(model, payment);
}

function declined(model: Model, payment: ModelPayment): void {
  payment.wasDeclined = true;
  payment.status = 'pending';
  payment.expiresAt = Math.min(payment.expiresAt, model.now + declineLifeMs);
  if (payment.attempts < maxAttempts) return;
  model.turns.push('third decline');
  failed(model, payment);
}

/** A person decides. The refusal, when there is one. */
export function resolved(model: Model, payment: ModelPayment, decision: 'completed' | 'failed'): string | undefined {
  if (!payment.review || (payment.status === 'completed' && decision === 'failed')) return 'payment_already_final';
  payment.review = null;
  if (payment.status === 'completed') return undefined;
  const isDecidedElsewhere = model.attempts.some((attempt) => attempt.payment === payment && isUndecided(attempt));
  const ends = decision === 'completed' || (payment.status === 'processing' && !isDecidedElsewhere);
  if (!ends) return undefined;
  model.turns.push(`resolved as ${decision}`);
  if (decision === 'completed') completed(model, payment);
  else failed(model, payment);
  return undefined;
}

/** The customer gives up, which ends what was declined. */
export function abandoned(model: Model, payment: ModelPayment): void {
  expireIfDue(model, payment);
  if (payment.status === 'pending' && payment.wasDeclined) failed(model, payment);
}

export function expireIfDue(model: Model, payment: ModelPayment): void {
  if (isDue(model, payment)) expire(model, payment);
}

export function isDue({ now }: Model, { status, expiresAt }: ModelPayment): boolean {
  return status === 'pending' && expiresAt <= now;
}

/** After a decline it has failed; otherwise nobody tried, and nobody is told. */
export function expire(model: Model, payment: ModelPayment): void {
  if (payment.wasDeclined) failed(model, payment);
  else payment.status = 'expired';
}

function completed(model: Model, payment: ModelPayment): void {
  const { amount, currency, reference } = payment;
  Object.assign(payment, { status: 'completed', wasDeclined: false });
  move(model, { from: 'processor_clearing', to: 'collection', amount, currency });
  model.events.push(`${reference} checkout.success`);
}

function failed(model: Model, payment: ModelPayment): void {
  payment.status = 'failed';
  payment.wasDeclined = true;
  model.events.push(`${payment.reference} checkout.failed`);
}
