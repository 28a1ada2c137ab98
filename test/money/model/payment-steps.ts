/** Everything that happens to a payment, and what the model makes of it. */
import { noteReturn, settleAttempt, submitAttempt } from '@tillhook/server/src/payments/attempts.service.ts';
import { abandonPayment, cancelCheckout } from '@tillhook/server/src/payments/checkout.service.ts';
import { expireCheckouts } from '@tillhook/server/src/payments/expire-checkouts.job.ts';
import * as payments from '@tillhook/server/src/payments/payments.service.ts';
import { resolvePayment } from '@tillhook/server/src/payments/review.service.ts';
import { completeTestPayment, failTestPayment } from '@tillhook/server/src/payments/test-payment.service.ts';
import fc from 'fast-check';
import type { Model, ModelAttempt, ModelPayment } from './model.ts';
import {
  abandoned,
  expire,
  expireIfDue,
  isDue,
  isUndecided,
  type Outcome,
  resolved,
  returned,
  settled,
  submitted,
  verdictOf,
} from './payment-rules.ts';
import { anyPick, pickFrom, type Step, step } from './step.ts';
import { attempt as attemptIn, type World } from './world.ts';

const minuteMs = 60_000;
const card = { brand: 'visa', last4: '4242' } as const;
const hasPayment = (model: Model) => model.payments.length > 0;
const isOpen = ({ status }: ModelPayment) => status === 'pending' || status === 'processing';

const amount = fc.integer({ min: 1, max: 1000 });
const currency = fc.constantFrom('NGN', 'NGN', 'NGN', 'USD');

export const startCheckout = fc
  .record({
    amount,
    currency,
    expiresIn: fc.constantFrom(300, 86_400, 86_400),
    repeats: fc.constantFrom(false, false, true),
  })
  .map(({ repeats, ...details }) =>
    step(
      'start a checkout',
      { repeats, ...details },
      {
        async act(model, world) {
          const taken = repeats ? model.payments[0]?.reference : undefined;
          const reference = taken ?? `order-${1000 + model.payments.length}`;
          const order = { email: 'ada@example.com', reference, ...details };
          const { value, refusal } = await attemptIn(world, (context) => payments.startCheckout(context, order));
          if (value) {
            const { id, accessCode } = value;
            const expiresAt = model.now + details.expiresIn * 1000;
            const fresh = { status: 'pending', attempts: 0, wasDeclined: false, review: null } as const;
            model.payments.push({ ...details, ...fresh, id, reference, accessCode, expiresAt });
          }
          return { refusal, expected: taken && 'duplicate_reference' };
        },
      },
    ),
  );

const submit = anyPick.map((which) =>
  step(
    'submit a card',
    { which },
    {
      applies: hasPayment,
      async act(model, world) {
        const { refusal } = await submitTo(pickFrom(model.payments, which, isOpen), model, world);
        return { refusal, expected: undefined };
      },
    },
  ),
);

/** What a customer does on the hosted page, without a pause: three of these that are declined end a payment. */
const pay = fc
  .record({ which: anyPick, outcome: fc.constantFrom<Outcome>('paid', 'declined', 'declined', 'declined') })
  .map(({ which, outcome }) =>
    step(
      'submit a card and settle it',
      { which, outcome },
      {
        applies: hasPayment,
        async act(model, world) {
          const { refusal, attempt } = await submitTo(pickFrom(model.payments, which, isOpen), model, world);
          if (!attempt) return { refusal, expected: undefined };
          settled(model, attempt, outcome);
          const verdict = verdictOf(attempt, outcome);
          const settling = await attemptIn(world, (context) => settleAttempt(context, attempt.id, verdict));
          return { refusal: refusal ?? settling.refusal, expected: undefined };
        },
      },
    ),
  );

async function submitTo(
  payment: ModelPayment,
  model: Model,
  world: World,
): Promise<{ refusal?: string; attempt?: ModelAttempt }> {
  expireIfDue(model, payment);
  const isTaken = payment.status === 'pending';
  const { value, refusal } = await attemptIn(world, (context) => submitAttempt(context, payment.accessCode, { card }));
  if (isTaken) submitted(payment);
  const refused = refusal && { refusal };
  if (!value?.attempt) return { ...refused };
  const attempt: ModelAttempt = { id: value.attempt.id, payment, outcome: null };
  model.attempts.push(attempt);
  return { ...refused, attempt };
}

const settle = fc
  .record({
    which: anyPick,
    outcome: fc.constantFrom<Outcome>('paid', 'paid', 'declined', 'cancelled', 'open', 'unknown', 'paid otherwise'),
  })
  .map(({ which, outcome }) =>
    step(
      'settle an attempt',
      { which, outcome },
      {
        applies: (model) => model.attempts.length > 0,
        async act(model, world) {
          const attempt = pickFrom(model.attempts, which, isUndecided);
          settled(model, attempt, outcome);
          const verdict = verdictOf(attempt, outcome);
          const { refusal } = await attemptIn(world, (context) => settleAttempt(context, attempt.id, verdict));
          return { refusal, expected: undefined };
        },
      },
    ),
  );

const comeBack = anyPick.map((which) =>
  step(
    'come back from the processor',
    { which },
    {
      applies: (model) => model.attempts.length > 0,
      async act(model, world) {
        const attempt = pickFrom(model.attempts, which, isUndecided);
        returned(attempt);
        await attemptIn(world, (context) => noteReturn(context, attempt.id));
        const verdict = { result: 'cancelled' } as const;
        const { refusal } = await attemptIn(world, (context) => settleAttempt(context, attempt.id, verdict));
        return { refusal, expected: undefined };
      },
    },
  ),
);

const resolve = fc
  .record({ which: anyPick, as: fc.constantFrom('completed' as const, 'failed' as const) })
  .map(({ which, as }) =>
    step(
      'resolve a payment',
      { which, as },
      {
        applies: hasPayment,
        async act(model, world) {
          const payment = pickFrom(model.payments, which, ({ review }) => review !== null);
          const expected = resolved(model, payment, as);
          const { refusal } = await attemptIn(world, (context) => resolvePayment(context, payment.id, as));
          return { refusal, expected };
        },
      },
    ),
  );

const abandon = anyPick.map((which) =>
  step(
    'abandon a payment',
    { which },
    {
      applies: hasPayment,
      async act(model, world) {
        const payment = pickFrom(model.payments, which, isOpen);
        abandoned(model, payment);
        const { refusal } = await attemptIn(world, (context) => abandonPayment(context, payment.accessCode));
        return { refusal, expected: undefined };
      },
    },
  ),
);

const cancel = anyPick.map((which) =>
  step(
    'cancel a checkout',
    { which },
    {
      applies: hasPayment,
      async act(model, world) {
        const payment = pickFrom(model.payments, which, isOpen);
        const expected = payment.status === 'pending' ? undefined : 'payment_already_final';
        if (!expected) expire(model, payment);
        const { refusal } = await attemptIn(world, (context) => cancelCheckout(context, payment.reference));
        return { refusal, expected };
      },
    },
  ),
);

const expireAll = fc.constantFrom(1, 20, 120).map((minutes) =>
  step(
    'let time pass, and expire what is due',
    { minutes },
    {
      applies: hasPayment,
      async act(model, { context }) {
        model.now += minutes * minuteMs;
        for (const payment of model.payments) expireIfDue(model, payment);
        await expireCheckouts({ ...context, em: context.em.fork() });
        return { expected: undefined };
      },
    },
  ),
);

const letTimePass = fc.constantFrom(1, 20, 120).map((minutes) =>
  step(
    'let time pass',
    { minutes },
    {
      applies: hasPayment,
      async act(model) {
        model.now += minutes * minuteMs;
        return { expected: undefined };
      },
    },
  ),
);

const stand = fc.record({ which: anyPick, pays: fc.boolean() }).map(({ which, pays }) =>
  step(
    pays ? 'complete a test payment' : 'fail a test payment',
    { which },
    {
      applies: hasPayment,
      async act(model, world) {
        const payment = pickFrom(model.payments, which, isOpen);
        const open = model.attempts.find((attempt) => attempt.payment === payment && isUndecided(attempt));
        const isDecidable =
          payment.status === 'processing' ? open : payment.status === 'pending' && !isDue(model, payment);
        const { refusal } = await attemptIn(world, (context) =>
          pays ? completeTestPayment(context, payment.reference) : failTestPayment(context, payment.reference),
        );
        // What is refused changes nothing, so a payment that is due has not expired by it.
        if (!isDecidable) return { refusal, expected: 'payment_already_final' };
        // Nobody outside learns the id of this attempt, and it is settled already.
        if (payment.status === 'pending') submitted(payment);
        settled(model, open ?? { payment, outcome: null }, pays ? 'paid' : 'declined');
        if (!pays) abandoned(model, payment);
        return { refusal, expected: undefined };
      },
    },
  ),
);

/** As often as each is written here. */
export const paymentSteps: fc.Arbitrary<Step>[] = [
  ...[startCheckout, startCheckout, submit, submit, submit, settle, settle, settle, settle],
  ...[pay, pay, pay, stand, stand, comeBack, resolve, abandon, cancel, expireAll, letTimePass],
];
