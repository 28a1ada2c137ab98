/** As in the service, a payment fails after three declined cards, and also when it expires after a decline. */
import { randomBytes, randomUUID } from 'node:crypto';
import type { BankTransferReceipt, CheckoutRequest, Payment } from '@tillhook/openapi';
import { v7 as newId } from 'uuid';
import { ownCurrency } from '../examples/seeds.ts';
import type { Mode } from '../requests/credentials.ts';

export interface Checkout {
  payment: Payment;
  accessCode: string;
  /** The address of the checkout page, which shows the receipt after the payment. */
  pageUrl: string;
  /** The locale of amounts on the checkout's page; null for English. */
  locale: string | null;
  /** The references of the bank transfers that came in. */
  bankReferences: Set<string>;
}

export const maxAttempts = 3;

const defaultLifeSeconds = 86_400;
const declineLifeMs = 15 * 60_000;

/** `serviceUrl` is the contract's URL of the service, which `api.ts` replaces with the URL of the mock. */
export function newCheckout(order: CheckoutRequest, mode: Mode, serviceUrl: string): Checkout {
  const accessCode = randomUUID();
  const pageUrl = `${serviceUrl}/checkout/${accessCode}`;
  const now = new Date();
  const payment: Payment = {
    id: newId(),
    reference: order.reference ?? newReference(),
    amount: order.amount,
    currency: order.currency ?? ownCurrency,
    status: 'pending',
    customerEmail: order.email,
    mode,
    description: order.description ?? null,
    metadata: order.metadata ?? {},
    note: null,
    attempts: 0,
    paymentMethod: null,
    failureCode: null,
    failureMessage: null,
    cancelledBy: null,
    reviewReason: null,
    amountRefunded: 0,
    lineItems: order.lineItems ?? [],
    paymentLinkId: null,
    checkoutUrl: pageUrl,
    receiptUrl: null,
    callbackUrl: order.callbackUrl ?? null,
    cancelUrl: order.cancelUrl ?? null,
    expiresAt: new Date(now.getTime() + (order.expiresIn ?? defaultLifeSeconds) * 1000).toISOString(),
    completedAt: null,
    createdAt: now.toISOString(),
    updatedAt: now.toISOString(),
  };
  return { payment, accessCode, pageUrl, locale: order.locale ?? null, bankReferences: new Set() };
}

export function newReference(): string {
  return `ref_${randomBytes(10).toString('hex')}`;
}

export const isPending = ({ payment }: Checkout) => payment.status === 'pending';
export const wasDeclined = ({ payment }: Checkout) => payment.failureCode !== null;

export function complete(checkout: Checkout): void {
  const { payment } = checkout;
  payment.attempts += 1;
  payment.paymentMethod = { type: 'card', brand: 'visa', last4: '4242' };
  payment.failureCode = null;
  payment.failureMessage = null;
  finish(checkout);
}

/** Another amount than was asked for leaves the payment under review, as in the service. */
export function receiveTransfer(
  checkout: Checkout,
  { amount, bankReference = randomUUID() }: BankTransferReceipt,
): void {
  const { payment, bankReferences } = checkout;
  if (bankReferences.has(bankReference)) return;
  bankReferences.add(bankReference);
  if (payment.status === 'completed' || isEnded(checkout) || amount !== payment.amount) {
    payment.reviewReason = reasonForReview(checkout, amount);
    if (payment.status === 'pending') move(checkout, 'processing');
    return;
  }
  payment.paymentMethod = { type: 'bank_transfer', brand: 'unknown', last4: '0042' };
  payment.failureCode = null;
  payment.failureMessage = null;
  finish(checkout);
}

/** As the operator does in live mode. Returns whether the decision changed the status, which is an event. */
export function decideReview(checkout: Checkout, decision: 'completed' | 'failed'): boolean {
  const { payment } = checkout;
  payment.reviewReason = null;
  if (payment.status === 'completed' || (decision === 'failed' && payment.status !== 'processing')) return false;
  const isPaid = decision === 'completed';
  payment.failureCode = isPaid ? null : 'amount_mismatch';
  payment.failureMessage = isPaid ? null : 'Another amount was paid than was asked for';
  if (isPaid) {
    payment.cancelledBy = null;
    finish(checkout);
  } else move(checkout, 'failed');
  return true;
}

const isEnded = ({ payment: { status } }: Checkout) => status === 'failed' || status === 'expired';

function reasonForReview({ payment }: Checkout, amount: number): Payment['reviewReason'] {
  if (amount !== payment.amount || payment.reviewReason === 'amount_mismatch') return 'amount_mismatch';
  return payment.status === 'completed' ? 'paid_twice' : 'paid_late';
}

/** The third decline fails the payment; after an earlier decline, the payment expires in 15 minutes. */
export function decline(checkout: Checkout): void {
  const { payment } = checkout;
  payment.attempts += 1;
  payment.paymentMethod = { type: 'card', brand: 'visa', last4: '0002' };
  payment.failureCode = 'card_declined';
  payment.failureMessage = 'The card was declined';
  move(checkout, payment.attempts < maxAttempts ? 'pending' : 'failed');
  payment.expiresAt = earlier(payment.expiresAt, Date.now() + declineLifeMs);
}

/** Ends the payment, because the customer leaves after a decline. */
export function giveUp(checkout: Checkout): void {
  checkout.payment.cancelledBy = 'customer';
  move(checkout, 'failed');
}

export function expire(checkout: Checkout, cancelledBy: 'merchant' | null): void {
  checkout.payment.cancelledBy = cancelledBy;
  move(checkout, wasDeclined(checkout) ? 'failed' : 'expired');
  checkout.payment.expiresAt = earlier(checkout.payment.expiresAt, Date.now());
}

export function advance({ payment }: Checkout, seconds: number): void {
  payment.expiresAt = new Date(Date.parse(payment.expiresAt) - seconds * 1000).toISOString();
}

function move({ payment }: Checkout, status: Payment['status']): void {
  payment.status = status;
  payment.updatedAt = new Date().toISOString();
  if (status !== 'pending') payment.checkoutUrl = null;
}

function finish(checkout: Checkout): void {
  const { payment, pageUrl } = checkout;
  move(checkout, 'completed');
  payment.completedAt = payment.updatedAt;
  payment.receiptUrl = pageUrl;
}

function earlier(time: string, otherMs: number): string {
  return new Date(Math.min(Date.parse(time), otherMs)).toISOString();
}
