import { noteReturn, submitAttempt } from '@tillhook/server/src/money/payments/attempts.service.ts';
import { resolvePayment } from '@tillhook/server/src/money/payments/reviews.service.ts';
import { settlePayment } from '@tillhook/server/src/money/payments/settle-payment.service.ts';
import fc from 'fast-check';
import type { Model, ModelAttempt, ModelPayment } from './model.ts';
import {
  applyDecision,
  applyReturn,
  applySubmit,
  applyVerdict,
  expireIfDue,
  isOpen,
  isUndecided,
  type Outcome,
  verdictOf,
} from './payment-rules.ts';
import { anyPick, type ErrorCodes, type Step, stepTo } from './step.ts';
import { attempt as attemptIn, type World } from './world.ts';

const card = { brand: 'visa', last4: '4242' } as const;
export const openPayments = { among: ({ payments }: Model) => payments, fits: isOpen };
const undecided = { among: ({ attempts }: Model) => attempts, fits: isUndecided };

interface Pick {
  which: number;
}

export const submit = (given: Pick) => stepTo('submit a card', given, { ...openPayments, act: submitTo });

/** Three declines end a payment. */
export const pay = (given: Pick & { outcome: Outcome }) =>
  stepTo('submit a card and settle it', given, {
    ...openPayments,
    async act(payment, model, world) {
      const { errorCode, attempt } = await submitTo(payment, model, world);
      if (!attempt) return { errorCode };
      return settleAs(attempt, given.outcome, { model, world });
    },
  });

export const settle = (given: Pick & { outcome: Outcome }) =>
  stepTo('settle an attempt', given, {
    ...undecided,
    act: (attempt, model, world) => settleAs(attempt, given.outcome, { model, world }),
  });

export const comeBack = (given: Pick) =>
  stepTo('come back from the processor', given, {
    ...undecided,
    async act(attempt, model, world) {
      applyReturn(model, attempt);
      await attemptIn(world, (context) => noteReturn(context, attempt.id));
      const verdict = { result: 'cancelled' } as const;
      return attemptIn(world, (context) => settlePayment(context, attempt.id, verdict));
    },
  });

export const resolve = (given: Pick & { as: 'completed' | 'failed' }) =>
  stepTo('resolve a payment', given, {
    among: ({ payments }) => payments,
    fits: ({ reviews }) => reviews.size > 0,
    async act(payment, model, world) {
      const [about] = [...payment.reviews].sort();
      const expected = applyDecision(model, payment, { as: given.as, about });
      const { errorCode } = await attemptIn(world, (context) =>
        resolvePayment(context, { id: payment.id, about }, given.as),
      );
      return { errorCode, expected };
    },
  });

async function submitTo(
  payment: ModelPayment,
  model: Model,
  world: World,
): Promise<{ errorCode?: string | undefined; attempt?: ModelAttempt }> {
  expireIfDue(model, payment);
  const isTaken = payment.status === 'pending';
  const { value, errorCode } = await attemptIn(world, (context) =>
    submitAttempt(context, payment.accessCode, { card }),
  );
  if (isTaken) applySubmit(payment);
  if (!value?.attempt) return { errorCode };
  const attempt: ModelAttempt = { id: value.attempt.id, payment, outcome: null };
  model.attempts.push(attempt);
  return { errorCode, attempt };
}

async function settleAs(
  attempt: ModelAttempt,
  outcome: Outcome,
  { model, world }: { model: Model; world: World },
): Promise<ErrorCodes> {
  applyVerdict(model, attempt, outcome);
  const verdict = verdictOf(attempt, outcome);
  return attemptIn(world, (context) => settlePayment(context, attempt.id, verdict));
}

const someAttempt = { which: anyPick };
const anySubmit = fc.record(someAttempt).map(submit);
const anyPay = fc
  .record({ ...someAttempt, outcome: fc.constantFrom<Outcome>('paid', 'declined', 'declined', 'declined') })
  .map(pay);
const outcomes: Outcome[] = ['paid', 'paid', 'declined', 'cancelled', 'open', 'unknown', 'paid otherwise'];
const anySettle = fc.record({ ...someAttempt, outcome: fc.constantFrom(...outcomes) }).map(settle);
const anyComeBack = fc.record(someAttempt).map(comeBack);
const anyResolve = fc.record({ ...someAttempt, as: fc.constantFrom('completed', 'failed') }).map(resolve);

/** A step that is listed twice is chosen twice as often. */
export const attemptSteps: fc.Arbitrary<Step>[] = [
  ...[anySubmit, anySubmit, anySubmit, anySettle, anySettle, anySettle, anySettle],
  ...[anyPay, anyPay, anyPay, anyComeBack, anyResolve],
];
