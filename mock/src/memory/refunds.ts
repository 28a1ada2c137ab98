/** As in test mode, the simulated processor completes a refund immediately. */
import type { Refund } from '@tillhook/openapi';
import { v7 as newId } from 'uuid';
import { ApiError } from '../requests/api-error.ts';
import type { Mode } from '../requests/credentials.ts';
import { type Answers, duplicateReference } from './answers.ts';
import { type Checkout, newReference } from './checkout.ts';
import type { Outbox } from './outbox.ts';
import type { Remembered } from './remembered.ts';
import type { Wallets } from './wallets.ts';

interface RefundOrder {
  amount?: number;
  reference?: string;
  reason?: string;
  metadata?: Record<string, string>;
}

export function createRefunds(remembered: Record<Mode, Remembered>, outbox: Outbox, wallets: Wallets): Answers {
  const named = (mode: Mode, reference: unknown) => remembered[mode].refunds.named(reference);
  return {
    createRefund({ request: { path, body, headers }, mode }) {
      const checkout = remembered[mode].checkouts.named(path.reference);
      if (!checkout) return undefined;
      const order = (body ?? {}) as RefundOrder;
      const amount = amountToRefund(checkout, order.amount);
      if (named(mode, order.reference)) throw duplicateReference('refund');
      const refund = newRefund(checkout, { ...order, amount }, headers.cookie ? 'dashboard' : 'api');
      const { currency, reference } = refund;
      const wallet = { kind: 'collection', currency } as const;
      wallets.post(mode, { ...wallet, type: 'refund', amount: -amount, reserved: amount, reference });
      checkout.payment.amountRefunded += amount;
      checkout.payment.updatedAt = refund.createdAt;
      remembered[mode].refunds.add(refund);
      // The answer shows the refund as pending, so the refund is completed after the answer.
      setImmediate(() => {
        finish(refund);
        wallets.release(mode, { ...wallet, amount });
        outbox.publish(mode, eventOf(refund));
      });
      return { ...refund };
    },
    getRefund: ({ request: { path }, mode }) => named(mode, path.reference),
  };
}

function amountToRefund({ payment }: Checkout, wanted: number | undefined): number {
  const { status, amount, amountRefunded, currency } = payment;
  if (status !== 'completed') {
    throw new ApiError('payment_not_completed', `Only a completed payment can be refunded, and this one is ${status}`);
  }
  const left = amount - amountRefunded;
  if (left > 0 && (wanted ?? left) <= left) return wanted ?? left;
  const message =
    left > 0
      ? `The payment has ${left} left to refund, in the minor unit of ${currency}`
      : 'Nothing is left of this payment: it is refunded already';
  throw new ApiError('refund_exceeds_payment', message, { param: 'amount' });
}

function newRefund({ payment }: Checkout, order: RefundOrder & { amount: number }, origin: Refund['origin']): Refund {
  const now = new Date().toISOString();
  return {
    id: newId(),
    reference: order.reference ?? newReference(),
    paymentReference: payment.reference,
    customerEmail: payment.customerEmail,
    amount: order.amount,
    currency: payment.currency,
    status: 'pending',
    reason: order.reason ?? null,
    failureCode: null,
    failureReason: null,
    origin,
    metadata: order.metadata ?? {},
    mode: payment.mode,
    createdAt: now,
    updatedAt: now,
    completedAt: null,
  };
}

function finish(refund: Refund): void {
  const now = new Date().toISOString();
  Object.assign(refund, { status: 'completed', updatedAt: now, completedAt: now });
}

function eventOf(refund: Refund) {
  const { reference, paymentReference, customerEmail, amount, currency, status, updatedAt: timestamp } = refund;
  const { failureCode, failureReason } = refund;
  const data = { reference, paymentReference, amount, currency, status, customerEmail, failureCode, failureReason };
  return { event: 'refund.success', data, timestamp };
}
