/**
 * Steps about a checkout: it starts, is cancelled, is abandoned or expires, or a test helper completes or fails its
 * payment.
 */
import { withFreshEntityManager } from '@tillhook/server/src/context.ts';
import { abandonPayment, cancelCheckout } from '@tillhook/server/src/payments/checkout.service.ts';
import { expireCheckouts } from '@tillhook/server/src/payments/expire-checkouts.job.ts';
import * as payments from '@tillhook/server/src/payments/payments.service.ts';
import { completeTestPayment, failTestPayment } from '@tillhook/server/src/payments/test-payment.service.ts';
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
        const expected = refusalOfCancel(payment.status);
        if (!expected) expire(model, payment, 'cancelled');
