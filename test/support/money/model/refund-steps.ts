import { completeTestPayment } from '@tillhook/server/src/money/payments/test-payment.service.ts';
import { startRefund } from '@tillhook/server/src/money/refunds/refunds.service.ts';
import { settleRefund } from '@tillhook/server/src/money/refunds/settle-refund.service.ts';
import type { RefundVerdict } from '@tillhook/server/src/processors/port.ts';
import fc from 'fast-check';
import { balanceOf, type Model, type ModelPayment, type ModelRefund, move } from './model.ts';
import { applyVerdict as applyPaymentVerdict, applySubmit } from './payment-rules.ts';
import { anyPick, type Step, stepTo } from './step.ts';
import { attempt } from './world.ts';

/** Without an amount, the service refunds the rest of the payment. */
const amount = fc.oneof(fc.integer({ min: 1, max: 400 }), fc.constant(undefined));

const create = fc.record({ which: anyPick, amount, repeats: fc.constantFrom(false, false, false, true) }).map((given) =>
  stepTo('refund a payment', given, {
    among: ({ payments }) => payments,
    fits: ({ status }) => status === 'completed',
    async act(payment, model, world) {
      const taken = given.repeats ? model.refunds[0]?.reference : undefined;
      const reference = taken ?? `refund-${1000 + model.refunds.length}`;
      const wanted = given.amount ?? payment.amount - payment.refunded;
      const expected = errorAnswerOf(payment, wanted) ?? (taken && 'duplicate_reference');
      const details = { reference, ...(given.amount !== undefined && { amount: given.amount }) };
      const { value, errorCode } = await attempt(world, (tx) => startRefund(tx, payment.reference, details));
      // The service refuses a duplicate reference before it checks the funds.
      const isPoor = balanceOf(model, 'collection', payment.currency) < wanted;
      if (value && !expected && !isPoor) {
        move(model, { from: 'collection', to: 'refund_reserved', amount: wanted, currency: payment.currency });
        payment.refunded += wanted;
        model.refunds.push({ id: value.id, reference, status: 'pending', amount: wanted, payment });
      }
      return { errorCode, expected: expected ?? (isPoor ? 'insufficient_funds' : undefined) };
    },
  }),
);

function errorAnswerOf({ status, amount: paid, refunded }: ModelPayment, wanted: number): string | undefined {
  if (status !== 'completed') return 'payment_not_completed';
  return paid === refunded || wanted > paid - refunded ? 'refund_exceeds_payment' : undefined;
}

const results: RefundVerdict['result'][] = ['completed', 'completed', 'failed', 'failed', 'processing', 'unknown'];

const settle = fc.record({ which: anyPick, result: fc.constantFrom(...results) }).map((given) =>
  stepTo('settle a refund', given, {
    among: ({ refunds }) => refunds,
    fits: ({ status }) => status !== 'failed',
    async act(refund, model, world) {
      applyVerdict(model, refund, given.result);
      const verdict = { result: given.result, code: 'lost_or_stolen_card', message: 'Lost' };
      return attempt(world, (tx) => settleRefund(tx, refund.id, verdict));
    },
  }),
);

/** Repeats the rules of `money/refunds/settle-refund.service.ts`: each verdict has its effect at most once. */
function applyVerdict(model: Model, refund: ModelRefund, result: RefundVerdict['result']): void {
  const { status, reference, amount: moved, payment } = refund;
  const isOpen = status === 'pending' || status === 'processing';
  const { currency } = payment;
  if (result === 'processing' && status === 'pending') refund.status = 'processing';
  if (result === 'completed' && isOpen) {
    refund.status = 'completed';
    move(model, { from: 'refund_reserved', to: 'processor_clearing', amount: moved, currency });
    model.events.push(`${reference} refund.success`);
  }
  if (result === 'failed' && status !== 'failed') {
    refund.status = 'failed';
    payment.refunded -= moved;
    move(model, { from: isOpen ? 'refund_reserved' : 'processor_clearing', to: 'collection', amount: moved, currency });
    model.events.push(`${reference} refund.failed`);
  }
}

export const payFirst = stepTo(
  'complete the first payment',
  { which: 0 },
  {
    among: ({ payments }) => payments,
    fits: () => true,
    async act(payment, model, world) {
      applySubmit(payment);
      applyPaymentVerdict(model, { payment, outcome: null }, 'paid');
      const { errorCode } = await attempt(world, (tx) => completeTestPayment(tx, payment.reference));
      return { errorCode };
    },
  },
);

/** A step that is listed twice is chosen twice as often. */
export const refundSteps: fc.Arbitrary<Step>[] = [create, create, create, settle, settle, settle, settle];
