import type { BankTransferReceipt, CheckoutRequest, Payment, PaymentLink } from '@tillhook/openapi';
import { ApiError } from '../requests/api-error.ts';
import type { Mode } from '../requests/credentials.ts';
import { type Answers, duplicateReference, type RememberingCall } from './answers.ts';
import {
  advance,
  type Checkout,
  complete,
  decideReview,
  decline,
  expire,
  giveUp,
  isPending,
  newCheckout,
  receiveTransfer,
  wasDeclined,
} from './checkout.ts';
import type { Outbox } from './outbox.ts';
import type { Remembered } from './remembered.ts';
import type { Wallets } from './wallets.ts';

export const customerActs = ['pay', 'decline', 'expire', 'leave'] as const;
export type CustomerAct = (typeof customerActs)[number];

export interface Payments {
  answers: Answers;
  find(accessCode: string): Checkout | undefined;
  /** Does what the customer chose on the page. Does nothing when the payment has already ended. */
  act(checkout: Checkout, act: CustomerAct): void;
  /** Remembers an example checkout. */
  adopt(checkout: Checkout): void;
  expireDue(): void;
  /** Brings forward the expiry of all pending checkouts of the mode, and returns their number. */
  advance(mode: Mode, seconds: number): number;
}

interface PaymentOptions {
  outbox: Outbox;
  wallets: Wallets;
  serviceUrl: string;
}

export function createPayments(
  remembered: Record<Mode, Remembered>,
  { outbox, wallets, serviceUrl }: PaymentOptions,
): Payments {
  const modes = Object.values(remembered);
  const changed = (checkout: Checkout): Payment => {
    const { mode, amount, currency, reference, status, paymentLinkId } = checkout.payment;
    if (status === 'completed') {
      wallets.post(mode, { kind: 'collection', currency, type: 'payment', amount, reference });
      const link = remembered[mode].paymentLinks.named(paymentLinkId);
      if (link) Object.assign(link, countedIn(link, amount));
    }
    const content = eventOf(checkout);
    if (content) outbox.publish(mode, content);
    return checkout.payment;
  };
  const expireDue = () => {
    const now = Date.now();
    for (const { checkouts } of modes) {
      for (const checkout of checkouts.items) {
        if (!isPending(checkout) || Date.parse(checkout.payment.expiresAt) > now) continue;
        expire(checkout, null);
        changed(checkout);
      }
    }
  };

  return {
    find: (accessCode) =>
      modes.flatMap(({ checkouts }) => checkouts.items).find((one) => one.accessCode === accessCode),
    adopt: (checkout) => remembered[checkout.payment.mode].checkouts.add(checkout),
    act(checkout, act) {
      if (!isPending(checkout)) return;
      if (act === 'leave' && !wasDeclined(checkout)) return;
      acts[act](checkout);
      changed(checkout);
    },
    expireDue,
    advance(mode, seconds) {
      const pending = remembered[mode].checkouts.items.filter(isPending);
      for (const checkout of pending) advance(checkout, seconds);
      expireDue();
      return pending.length;
    },
    answers: answersAbout(remembered, { changed, serviceUrl }),
  };
}

const countedIn = ({ completedPayments, completedAmount }: PaymentLink, amount: number): Partial<PaymentLink> => ({
  completedPayments: completedPayments + 1,
  completedAmount: completedAmount + amount,
});

interface Changing {
  /** Publishes the event of a changed checkout, and returns its payment. */
  changed(checkout: Checkout): Payment;
  serviceUrl: string;
}

function answersAbout(remembered: Record<Mode, Remembered>, { changed, serviceUrl }: Changing): Answers {
  const named = (mode: Mode, reference: unknown) => remembered[mode].checkouts.named(reference);
  const ended = ({ request, mode }: RememberingCall, change: (checkout: Checkout) => void) => {
    const checkout = named(mode, request.path.reference);
    if (!checkout) return undefined;
    refuseEnded(checkout);
    change(checkout);
    return changed(checkout);
  };
  const decided = ({ request, mode }: RememberingCall, decision: 'completed' | 'failed') => {
    const checkout = named(mode, request.path.reference);
    if (!checkout?.payment.reviewReason) return undefined;
    const wasCompleted = checkout.payment.status === 'completed';
    if (wasCompleted && decision === 'failed') throw new ApiError('payment_already_final', completedStays);
    const hasEnded = decideReview(checkout, decision);
    return hasEnded ? changed(checkout) : checkout.payment;
  };
  return {
    createCheckout({ request, mode, example }) {
      const order = request.body as CheckoutRequest;
      if (named(mode, order.reference)) throw duplicateReference('payment');
      const checkout = newCheckout(order, mode, serviceUrl);
      remembered[mode].checkouts.add(checkout);
      const { accessCode, payment } = checkout;
      const data = { checkoutUrl: payment.checkoutUrl, reference: payment.reference, accessCode };
      return { ...(example as object), data };
    },
    getPayment: ({ request, mode }) => named(mode, request.path.reference)?.payment,
    updatePayment({ request, mode }) {
      const checkout = named(mode, request.path.reference);
      if (!checkout) return undefined;
      const { note = null } = request.body as Partial<Payment>;
      checkout.payment.note = note;
      return { ...checkout.payment };
    },
    cancelCheckout: (call) => ended(call, (checkout) => expire(checkout, 'merchant')),
    testCompletePayment: (call) => decided(call, 'completed') ?? ended(call, complete),
    testReceiveBankTransfer: ({ request, mode }) => {
      const checkout = named(mode, request.path.reference);
      if (!checkout) return undefined;
      const wasCompleted = checkout.payment.status === 'completed';
      receiveTransfer(checkout, request.body as BankTransferReceipt);
      return wasCompleted || checkout.payment.status !== 'completed' ? checkout.payment : changed(checkout);
    },
    testFailPayment: (call) =>
      decided(call, 'failed') ??
      ended(call, (checkout) => {
        decline(checkout);
        if (isPending(checkout)) expire(checkout, null);
      }),
  };
}

const acts: Record<CustomerAct, (checkout: Checkout) => void> = {
  pay: complete,
  decline,
  expire: (checkout) => expire(checkout, null),
  leave: giveUp,
};

const completedStays =
  'This payment is completed and stays so: resolve it as completed, and refund a second amount at the processor';

function refuseEnded(checkout: Checkout): void {
  if (isPending(checkout)) return;
  throw new ApiError('payment_already_final', `This payment is already ${checkout.payment.status}`);
}

function eventOf({ payment }: Checkout) {
  const { reference, amount, currency, status, customerEmail, updatedAt: timestamp } = payment;
  const { failureCode, failureMessage, cancelledBy } = payment;
  const data = { reference, amount, currency, status, customerEmail };
  if (status === 'completed') return { event: 'checkout.success', data, timestamp };
  if (status === 'failed')
    return { event: 'checkout.failed', data: { ...data, failureCode, failureMessage, cancelledBy }, timestamp };
  return status === 'expired'
    ? { event: 'checkout.expired', data: { ...data, reason: cancelledBy ? 'cancelled' : 'expired' }, timestamp }
    : null;
}
