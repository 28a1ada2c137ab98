import { withFreshEntityManager } from '@tillhook/server/src/context.ts';
import { abandonPayment, cancelCheckout } from '@tillhook/server/src/money/payments/checkout.service.ts';
import { expireCheckouts } from '@tillhook/server/src/money/payments/expire-checkouts.job.ts';
import * as payments from '@tillhook/server/src/money/payments/payments.service.ts';
import { completeTestPayment, failTestPayment } from '@tillhook/server/src/money/payments/test-payment.service.ts';
import fc from 'fast-check';
import { openPayments } from './attempt-steps.ts';
import type { Model, ModelPayment } from './model.ts';
import { applyAbandon, applySubmit, applyVerdict, expire, expireIfDue, isDue, isUndecided } from './payment-rules.ts';
import { anyPick, type Step, step, stepTo } from './step.ts';
import { attempt as attemptIn } from './world.ts';

const minuteMs = 60_000;
const hasPayment = (model: Model) => model.payments.length > 0;

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
          const { value, errorCode } = await attemptIn(world, (context) => payments.startCheckout(context, order));
          if (value) {
            const { id, accessCode } = value;
            const expiresAt = model.now + details.expiresIn * 1000;
            const fresh = { status: 'pending', attempts: 0, wasDeclined: false, refunded: 0 } as const;
            const reviews = new Set<never>();
            model.payments.push({ ...details, ...fresh, id, reference, accessCode, expiresAt, reviews });
          }
          return { errorCode, expected: taken && 'duplicate_reference' };
        },
      },
    ),
  );

const abandon = anyPick.map((which) =>
  stepTo(
    'abandon a payment',
    { which },
    {
      ...openPayments,
      async act(payment, model, world) {
        applyAbandon(model, payment);
        return attemptIn(world, (context) => abandonPayment(context, payment.accessCode));
      },
    },
  ),
);

const cancel = anyPick.map((which) =>
  stepTo(
    'cancel a checkout',
    { which },
    {
      ...openPayments,
      async act(payment, model, world) {
        const expected = errorOfCancel(payment.status);
        if (!expected) expire(model, payment, 'cancelled');
        const { errorCode } = await attemptIn(world, (context) => cancelCheckout(context, payment.reference));
        return { errorCode, expected };
      },
    },
  ),
);

export const expireAfter = (minutes: number) =>
  step(
    'let time pass, and expire what is due',
    { minutes },
    {
      applies: hasPayment,
      async act(model, { context }) {
        model.now += minutes * minuteMs;
        for (const payment of model.payments) expireIfDue(model, payment);
        await expireCheckouts(withFreshEntityManager(context));
        return {};
      },
    },
  );

const expireAll = fc.constantFrom(1, 20, 120).map(expireAfter);

const letTimePass = fc.constantFrom(1, 20, 120).map((minutes) =>
  step(
    'let time pass',
    { minutes },
    {
      applies: hasPayment,
      async act(model) {
        model.now += minutes * minuteMs;
        return {};
      },
    },
  ),
);

const decideTestPayment = fc.record({ which: anyPick, pays: fc.boolean() }).map(({ which, pays }) =>
  stepTo(
    pays ? 'complete a test payment' : 'fail a test payment',
    { which },
    {
      ...openPayments,
      async act(payment, model, world) {
        const open = model.attempts.find((attempt) => attempt.payment === payment && isUndecided(attempt));
        const isDecidable =
          payment.status === 'processing' ? open : payment.status === 'pending' && !isDue(model, payment);
        const { errorCode } = await attemptIn(world, (context) =>
          pays ? completeTestPayment(context, payment.reference) : failTestPayment(context, payment.reference),
        );
        // A refused call changes nothing, and does not even expire a payment whose time to pay is over.
        if (!isDecidable) return { errorCode, expected: 'payment_already_final' };
        // The test helper creates and settles an attempt whose id it does not return, so the model stores no attempt.
        if (payment.status === 'pending') applySubmit(payment);
        applyVerdict(model, open ?? { payment, outcome: null }, pays ? 'paid' : 'declined');
        if (!pays) applyAbandon(model, payment);
        return { errorCode };
      },
    },
  ),
);

function errorOfCancel(status: ModelPayment['status']): string | undefined {
  if (status === 'pending') return undefined;
  return status === 'processing' ? 'payment_in_progress' : 'payment_already_final';
}

export const endSteps: fc.Arbitrary<Step>[] = [abandon, cancel, expireAll, letTimePass];

/** A step that is listed twice is chosen twice as often. */
export const paymentSteps: fc.Arbitrary<Step>[] = [
  startCheckout,
  startCheckout,
  decideTestPayment,
  decideTestPayment,
  ...endSteps,
];
