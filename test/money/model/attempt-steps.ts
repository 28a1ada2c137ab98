/** What customers, processors and the operator do about an attempt to pay, and what the model makes of it. */
import { noteReturn, settleAttempt, submitAttempt } from '@tillhook/server/src/payments/attempts.service.ts';
import { resolvePayment } from '@tillhook/server/src/payments/review.service.ts';
import fc from 'fast-check';
import type { Model, ModelAttempt, ModelPayment } from './model.ts';
import {
  expireIfDue,
  isOpen,
  isUndecided,
  type Outcome,
  resolved,
  returned,
  settled,
  submitted,
  verdictOf,
} from './payment-rules.ts';
import { anyPick, type Step, stepTo } from './step.ts';
import { attempt as attemptIn, type World } from './world.ts';

const card = { brand: 'visa', last4: '4242' } as const;
const openPayments = { among: ({ payments }: Model) => payments, fits: isOpen };
const undecided = { among: ({ attempts }: Model) => attempts, fits: isUndecided };

const submit = anyPick.map((which) => stepTo('submit a card', { which }, { ...openPayments, act: submitTo }));

/** What a customer does on the hosted page, without a pause: three of these that are declined end a payment. */
const pay = fc
  .record({ which: anyPick, outcome: fc.constantFrom<Outcome>('paid', 'declined', 'declined', 'declined') })
  .map((given) =>
    stepTo('submit a card and settle it', given, {
      ...openPayments,
      async act(payment, model, world) {
        const { refusal, attempt } = await submitTo(payment, model, world);
        if (!attempt) return { refusal };
        return { refusal: refusal ?? (await settleAs(attempt, given.outcome, { model, world })) };
      },
    }),
  );

const settle = fc
  .record({
    which: anyPick,
    outcome: fc.constantFrom<Outcome>('paid', 'paid', 'declined', 'cancelled', 'open', 'unknown', 'paid otherwise'),
  })
  .map((given) =>
    stepTo('settle an attempt', given, {
      ...undecided,
      act: async (attempt, model, world) => ({ refusal: await settleAs(attempt, given.outcome, { model, world }) }),
    }),
  );

const comeBack = anyPick.map((which) =>
  stepTo(
    'come back from the processor',
    { which },
    {
      ...undecided,
      async act(attempt, _model, world) {
        returned(attempt);
        await attemptIn(world, (context) => noteReturn(context, attempt.id));
        const verdict = { result: 'cancelled' } as const;
        return attemptIn(world, (context) => settleAttempt(context, attempt.id, verdict));
      },
    },
  ),
);

const resolve = fc
  .record({ which: anyPick, as: fc.constantFrom('completed' as const, 'failed' as const) })
  .map((given) =>
    stepTo('resolve a payment', given, {
      among: ({ payments }) => payments,
      fits: ({ review }) => review !== null,
      async act(payment, model, world) {
        const expected = resolved(model, payment, given.as);
        const { refusal } = await attemptIn(world, (context) => resolvePayment(context, payment.id, given.as));
        return { refusal, expected };
      },
    }),
  );

async function submitTo(
  payment: ModelPayment,
  model: Model,
  world: World,
): Promise<{ refusal?: string | undefined; attempt?: ModelAttempt }> {
  expireIfDue(model, payment);
  const isTaken = payment.status === 'pending';
  const { value, refusal } = await attemptIn(world, (context) => submitAttempt(context, payment.accessCode, { card }));
  if (isTaken) submitted(payment);
  if (!value?.attempt) return { refusal };
  const attempt: ModelAttempt = { id: value.attempt.id, payment, outcome: null };
  model.attempts.push(attempt);
  return { refusal, attempt };
}

/** The refusal, when there is one. */
async function settleAs(
  attempt: ModelAttempt,
  outcome: Outcome,
  { model, world }: { model: Model; world: World },
): Promise<string | undefined> {
  settled(model, attempt, outcome);
  const verdict = verdictOf(attempt, outcome);
  const { refusal } = await attemptIn(world, (context) => settleAttempt(context, attempt.id, verdict));
  return refusal;
}

/** As often as each is written here. */
export const attemptSteps: fc.Arbitrary<Step>[] = [
  ...[submit, submit, submit, settle, settle, settle, settle],
  ...[pay, pay, pay, comeBack, resolve],
];
