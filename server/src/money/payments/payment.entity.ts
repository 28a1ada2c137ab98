import { defineEntity, p } from '@mikro-orm/core';
import type { Card, Decline } from '../../kit/card.ts';
import type { Mode } from '../../kit/mode.ts';
import type { PaymentMethod, PaymentMethodType, WaitingMethodType } from '../../kit/payment-method.ts';

export const maxAttempts = 3;

// See docs/decisions/money.md, "The first two wrong security codes use up no attempt".
const maxForgivenCodes = 2;

const wrongCodes = ['incorrect_cvc', 'invalid_cvc'];

const amountMismatch = 'amount_mismatch';

const declineLifeMs = 15 * 60_000;

export type PaymentStatus = 'pending' | 'processing' | 'completed' | 'failed' | 'expired';

/**
 * `refund_without_funds`: a refund was made at the processor, and the wallet has too little money for it. `paid_late`: a
 * bank transfer came after the payment had ended.
 */
export type ReviewReason = 'amount_mismatch' | 'paid_late' | 'paid_twice' | 'refund_without_funds' | 'disputed';

// Choice: `disputed` is the worst reason, because the bank sets a deadline for the answer. Merchants see only the worst
// reason, so a reason that prevents refunds is worse than a reason that does not.
const worstFirst: readonly ReviewReason[] = [
  'disputed',
  'refund_without_funds',
  'amount_mismatch',
  'paid_late',
  'paid_twice',
];

/** `unitAmount` is the price of a single item, in minor units. */
export interface LineItem {
  name: string;
  quantity: number;
  unitAmount: number;
}

/**
 * `expired`: the checkout, or its session at the processor, ran out of time. `cancelled`: the merchant cancelled it.
 */
export type ExpiryReason = 'expired' | 'cancelled';

export type Canceller = 'merchant' | 'customer';

/** A bank transfer, or a request on the customer's phone. `last4` are the last digits of the phone. */
export type Awaited = { type: 'bank_transfer' } | { type: 'mobile_money'; operator: string; last4: string };

const PaymentSchema = defineEntity({
  name: 'Payment',
  properties: {
    id: p.uuid().primary(),
    merchantId: p.uuid(),
    mode: p.text().$type<Mode>(),
    reference: p.text(),
    accessCode: p.uuid(),
    amount: p.bigint(),
    currency: p.character().length(3),
    status: p.text().$type<PaymentStatus>(),
    customerEmail: p.text(),
    description: p.text().nullable(),
    metadata: p.json<Record<string, string>>(),
    /** For the merchant's people only: no page, mail or event of the payment has it. */
    note: p.text().nullable(),
    callbackUrl: p.text().nullable(),
    cancelUrl: p.text().nullable(),
    locale: p.text().nullable(),
    /** The locale of the page on which the customer last tried to pay. */
    pageLocale: p.text().nullable(),
    /** False if the merchant wants no mails to the customer about this payment. */
    receipt: p.boolean().default(true),
    attempts: p.integer(),
    /** The number of declines for a wrong security code that used up no attempt. */
    forgivenCodes: p.integer().default(0),
    paymentMethod: p.json<PaymentMethod>().nullable(),
    /** The ways to pay to which the merchant restricts the payment; null for all that the processor offers. */
    paymentMethods: p.array().$type<PaymentMethodType[]>().nullable(),
    /** Set while the payment is pending and the customer has been asked to send money, or to confirm on the phone. */
    waitsFor: p.text().$type<WaitingMethodType>().nullable(),
    failureCode: p.text().nullable(),
    failureMessage: p.text().nullable(),
    /** The worst reason for a review; null when the payment is not under review. */
    reviewReason: p.text().$type<ReviewReason>().nullable(),
    moreReviewReasons: p.array().$type<ReviewReason[]>(),
    /** The sum of the payment's completed and open refunds. */
    amountRefunded: p.bigint(),
    /** Kept when the payment is completed late. Null also for a payment that an older version of the service ended. */
    expiryReason: p.text().$type<ExpiryReason>().nullable(),
    cancelledBy: p.text().$type<Canceller>().nullable(),
    lineItems: p.json<LineItem[]>().nullable(),
    /** The payment link by which the customer came. */
    paymentLinkId: p.uuid().nullable(),
    // The merchant's name on card statements at the time of the last attempt.
    // See docs/decisions/processors.md, "The parameters of a Stripe session come from the attempt alone".
    statementName: p.text().nullable(),
    traceparent: p.text().nullable(),
    expiresAt: p.datetime(3),
    completedAt: p.datetime(3).nullable(),
    createdAt: p.datetime(3),
    updatedAt: p.datetime(3),
  },
});

export class Payment extends PaymentSchema.class {
  get isFinal(): boolean {
    return this.status === 'completed' || this.status === 'failed' || this.status === 'expired';
  }

  get reviewReasons(): ReviewReason[] {
    return [...(this.reviewReason ? [this.reviewReason] : []), ...this.moreReviewReasons];
  }

  get attemptsLeft(): number {
    return maxAttempts - this.attempts;
  }

  get wasDeclined(): boolean {
    return Boolean(this.failureCode);
  }

  // Null when the payment was not cancelled, or was completed late.
  // See docs/decisions/checkout-page.md, "A payment stores who cancelled it".
  get canceller(): Canceller | null {
    if (this.status === 'completed') return null;
    return this.cancelledBy ?? this.cancellerOfOlderVersion;
  }

  /** An older version stored the canceller only when a merchant cancelled a payment, which then became `expired`. */
  private get cancellerOfOlderVersion(): Canceller | null {
    if (this.status === 'expired') return this.expiryReason === 'cancelled' ? 'merchant' : null;
    const wasGivenUp = this.status === 'failed' && this.attemptsLeft > 0 && this.failureCode !== amountMismatch;
    return wasGivenUp && this.expiresAt > this.updatedAt ? 'customer' : null;
  }

  /** The version changes with every change of status. A form with an older version is not accepted. */
  get version(): string {
    return `${this.attempts}.${this.updatedAt.getTime()}`;
  }

  submit(card: Card | null, now: Date): void {
    move(this, { from: ['pending'], to: 'processing', now });
    this.attempts += 1;
    this.paymentMethod = card && { type: 'card', ...card };
  }

  /**
   * The payment stays pending, because the customer may still choose another way to pay. Only a request to a phone counts
   * as an attempt: it disturbs its owner.
   */
  waitFor(awaited: Awaited, now: Date): void {
    move(this, { from: ['pending'], to: 'pending', now });
    this.waitsFor = awaited.type;
    if (awaited.type === 'mobile_money') this.attempts += 1;
    this.paymentMethod = awaited.type === 'mobile_money' ? { ...awaited, brand: 'unknown' } : null;
  }

  /** Another amount than was asked for has come, so the customer must not pay again before an operator has decided. */
  holdForReview(now: Date): void {
    if (this.status === 'pending') move(this, { from: ['pending'], to: 'processing', now });
  }

  // Choice: a payment that failed or expired may still be completed, because the money was paid.
  // See docs/decisions/money.md, "A verdict may complete a payment that had ended".
  complete(now: Date): void {
    move(this, { from: ['pending', 'processing', 'failed', 'expired'], to: 'completed', now });
    this.completedAt = now;
    this.failureCode = null;
    this.failureMessage = null;
  }

  decline(decline: Decline, now: Date): void {
    if (wrongCodes.includes(decline.code) && this.forgivenCodes < maxForgivenCodes) {
      this.forgivenCodes += 1;
      this.attempts -= 1;
    }
    move(this, { from: awaiting(this), to: this.attemptsLeft > 0 ? 'pending' : 'failed', now });
    this.noteDecline(decline);
    this.expiresAt = new Date(Math.min(this.expiresAt.getTime(), now.getTime() + declineLifeMs));
  }

  /** The payment's status does not change, because the customer may try another card on the processor's page. */
  noteDecline({ code, message }: Decline): void {
    this.failureCode = code;
    this.failureMessage = message;
  }

  /** A visit to the processor's page without a payment is not counted as an attempt. */
  reopen(now: Date): void {
    if (this.waitsFor !== 'bank_transfer') this.attempts -= 1;
    move(this, { from: awaiting(this), to: 'pending', now });
    this.paymentMethod = null;
  }

  abandon(now: Date): void {
    if (!this.wasDeclined) throw new Error(`Payment ${this.id} has no declined attempt and cannot be abandoned.`);
    move(this, { from: ['pending'], to: 'failed', now });
    this.cancelledBy = 'customer';
  }

  /** Before a processing payment is ended, the processor must have confirmed that nothing can be charged any more. */
  expire(now: Date, reason: ExpiryReason): void {
    move(this, { from: ['pending', 'processing'], to: this.wasDeclined ? 'failed' : 'expired', now });
    if (this.status === 'expired') this.expiryReason = reason;
    if (reason === 'cancelled') this.cancelledBy = 'merchant';
    if (this.expiresAt > now) this.expiresAt = now;
  }

  // See docs/decisions/money.md, "A refund is counted from its start".
  addRefund(amount: bigint, now: Date): void {
    if (this.status !== 'completed') throw new Error(`Payment ${this.id} is ${this.status} and cannot be refunded.`);
    if (amount > this.amount - this.amountRefunded)
      throw new Error('The refund is larger than the amount of the payment that is not refunded yet.');
    this.amountRefunded += amount;
    this.updatedAt = now;
  }

  takeRefundBack(amount: bigint, now: Date): void {
    if (amount > this.amountRefunded)
      throw new Error('The failed refund is larger than the total refunded amount of the payment.');
    this.amountRefunded -= amount;
    this.updatedAt = now;
  }

  // See docs/decisions/money.md, "A payment can be under review for several reasons".
  askForReview(reason: ReviewReason): void {
    setReviewReasons(this, [...this.reviewReasons, reason]);
  }

  endReview(reason: ReviewReason): void {
    setReviewReasons(
      this,
      this.reviewReasons.filter((each) => each !== reason),
    );
  }

  refuse(now: Date): void {
    move(this, { from: ['processing'], to: 'failed', now });
    this.noteDecline({ code: amountMismatch, message: 'Another amount was paid than was asked for' });
  }
}
PaymentSchema.setClass(Payment);

const awaiting = ({ waitsFor }: Payment): PaymentStatus[] => (waitsFor ? ['pending'] : ['processing']);

// `move` is a function and not a `#` method, which would throw: the ORM creates entities without the constructor.
function move(payment: Payment, { from, to, now }: { from: PaymentStatus[]; to: PaymentStatus; now: Date }): void {
  if (!from.includes(payment.status))
    throw new Error(`Payment ${payment.id} is ${payment.status} and cannot become ${to}.`);
  payment.status = to;
  payment.waitsFor = null;
  payment.updatedAt = now;
}

function setReviewReasons(payment: Payment, reasons: ReviewReason[]): void {
  const [worst = null, ...others] = worstFirst.filter((reason) => reasons.includes(reason));
  payment.reviewReason = worst;
  payment.moreReviewReasons = others;
}
