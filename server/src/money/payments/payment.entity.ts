import { defineEntity, p } from '@mikro-orm/core';
import type { Card, Decline } from '../../kit/card.ts';
import type { Mode } from '../../kit/mode.ts';

/** How often a customer's card may be declined before the payment fails. */
export const maxAttempts = 3;

const amountMismatch = 'amount_mismatch';

const declineLifeMs = 15 * 60_000;

export type PaymentStatus = 'pending' | 'processing' | 'completed' | 'failed' | 'expired';

/**
 * Why an operator has to decide: the customer paid another amount than was asked for, or paid a second time; a refund was
 * made at the processor and the wallet has too little for it; or the customer disputes the payment.
 */
export type ReviewReason = 'amount_mismatch' | 'paid_twice' | 'refund_without_funds' | 'disputed';

/**
 * Choice: a dispute comes first, because the bank sets a deadline for the answer. The two reasons that refuse a refund come
 * before the others, so that the worst reason, which merchants see, says whether the payment can be refunded.
 */
const worstFirst: readonly ReviewReason[] = ['disputed', 'refund_without_funds', 'amount_mismatch', 'paid_twice'];

/** A line of the bill, such as three tickets. `unitAmount` is the price of one, in minor units. */
export interface LineItem {
  name: string;
  quantity: number;
  unitAmount: number;
}

/** Why a payment expired: its time or its session at the processor ended, or the merchant cancelled it. */
export type ExpiryReason = 'expired' | 'cancelled';

/** Who ended a payment before it was paid. */
export type Canceller = 'merchant' | 'customer';

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
    callbackUrl: p.text().nullable(),
    cancelUrl: p.text().nullable(),
    locale: p.text().nullable(),
    attempts: p.integer(),
    paymentMethod: p.json<Card & { type: 'card' }>().nullable(),
    failureCode: p.text().nullable(),
    failureMessage: p.text().nullable(),
    /** The worst reason for a review. Null when an operator has nothing to decide. */
    reviewReason: p.text().$type<ReviewReason>().nullable(),
    /** The other reasons for a review. A new row has none by default. */
    moreReviewReasons: p.array().$type<ReviewReason[]>(),
    /** The sum of its refunds that are completed or under way. A new row has 0 by default. */
    amountRefunded: p.bigint(),
    /** Stays when the payment completes late. Null when the payment did not expire, and when an older version expired it. */
    expiryReason: p.text().$type<ExpiryReason>().nullable(),
    /** Stays when the payment completes late. Null when the payment ended otherwise, and when an older version ended it. */
    cancelledBy: p.text().$type<Canceller>().nullable(),
    /** Null when the checkout named none, and when an older version created it. */
    lineItems: p.json<LineItem[]>().nullable(),
    /**
     * The merchant's name for statements when the customer last submitted a card or went on to the processor's page.
     * See docs/decisions/processors.md, "The parameters of a Stripe session come from the attempt alone".
     */
    statementName: p.text().nullable(),
    /** The header `traceparent` of the call that created it. Null when that call was not traced. */
    traceparent: p.text().nullable(),
    expiresAt: p.datetime(3),
    completedAt: p.datetime(3).nullable(),
    createdAt: p.datetime(3),
    updatedAt: p.datetime(3),
  },
});

/** Its methods refuse every change of status that the contract does not allow. */
export class Payment extends PaymentSchema.class {
  get isFinal(): boolean {
    return this.status === 'completed' || this.status === 'failed' || this.status === 'expired';
  }

  /** Everything that an operator has to decide about the payment, the worst first. */
  get reviewReasons(): ReviewReason[] {
    return [...(this.reviewReason ? [this.reviewReason] : []), ...this.moreReviewReasons];
  }

  get attemptsLeft(): number {
    return maxAttempts - this.attempts;
  }

  get wasDeclined(): boolean {
    return Boolean(this.failureCode);
  }

  /**
   * Who ended the payment before it was paid. Null when its time was over, when it failed for another reason, and when it
   * completed late.
   * See docs/decisions/checkout-page.md, "A payment stores who cancelled it".
   */
  get canceller(): Canceller | null {
    if (this.status === 'completed') return null;
    return this.cancelledBy ?? this.cancellerOfOlderVersion;
  }

  /** An older version stored only that the merchant cancelled a payment that expired. */
  private get cancellerOfOlderVersion(): Canceller | null {
    if (this.status === 'expired') return this.expiryReason === 'cancelled' ? 'merchant' : null;
    const wasGivenUp = this.status === 'failed' && this.attemptsLeft > 0 && this.failureCode !== amountMismatch;
    return wasGivenUp && this.expiresAt > this.updatedAt ? 'customer' : null;
  }

  /**
   * Changes with every change of status. A form that was sent for an older version is out of date and is not accepted.
   */
  get version(): string {
    return `${this.attempts}.${this.updatedAt.getTime()}`;
  }

  /** The customer submitted a card, or goes on to the processor's page. The processor is asked next. */
  submit(card: Card | null, now: Date): void {
    move(this, { from: ['pending'], to: 'processing', now });
    this.attempts += 1;
    this.paymentMethod = card && { type: 'card', ...card };
  }

  /**
   * The processor has the money. Choice: a payment of any other status becomes completed, because the money was paid. A
   * payment that failed or expired completes late, and so does one whose customer is about to try again.
   * See docs/decisions/money.md, "A verdict may complete a payment that had ended".
   */
  complete(now: Date): void {
    move(this, { from: ['pending', 'processing', 'failed', 'expired'], to: 'completed', now });
    this.completedAt = now;
    this.failureCode = null;
    this.failureMessage = null;
  }

  /** The processor declined the card. With attempts left, the customer may try again within a quarter of an hour. */
  decline(decline: Decline, now: Date): void {
    move(this, { from: ['processing'], to: this.attemptsLeft > 0 ? 'pending' : 'failed', now });
    this.noteDecline(decline);
    this.expiresAt = new Date(Math.min(this.expiresAt.getTime(), now.getTime() + declineLifeMs));
  }

  /** Notes why a card was declined. The status stays: on the processor's page the customer may try another card. */
  noteDecline({ code, message }: Decline): void {
    this.failureCode = code;
    this.failureMessage = message;
  }

  /** The customer came back from the processor's page without having paid. This does not count as an attempt. */
  reopen(now: Date): void {
    move(this, { from: ['processing'], to: 'pending', now });
    this.attempts -= 1;
    this.paymentMethod = null;
  }

  /** The customer gave up after a decline. */
  abandon(now: Date): void {
    if (!this.wasDeclined) throw new Error('A payment without a declined attempt cannot be abandoned.');
    move(this, { from: ['pending'], to: 'failed', now });
    this.cancelledBy = 'customer';
  }

  /**
   * The payment expired, or the merchant cancelled it. After a decline it becomes failed, otherwise expired. Before a
   * payment in processing may expire, the processor must have confirmed that nothing can be charged any more.
   */
  expire(now: Date, reason: ExpiryReason): void {
    move(this, { from: ['pending', 'processing'], to: this.wasDeclined ? 'failed' : 'expired', now });
    if (this.status === 'expired') this.expiryReason = reason;
    if (reason === 'cancelled') this.cancelledBy = 'merchant';
    if (this.expiresAt > now) this.expiresAt = now;
  }

  /**
   * A part of it, or the whole, goes back to the customer.
   * See docs/decisions/money.md, "A refund is counted from its start".
   */
  addRefund(amount: bigint, now: Date): void {
    if (this.status !== 'completed') throw new Error(`A ${this.status} payment cannot be refunded.`);
    if (amount > this.amount - this.amountRefunded) throw new Error('A payment cannot be refunded beyond its amount.');
    this.amountRefunded += amount;
    this.updatedAt = now;
  }

  /** A refund has failed, so its amount can be refunded again. */
  takeRefundBack(amount: bigint, now: Date): void {
    if (amount > this.amountRefunded) throw new Error('More comes back to a payment than was refunded.');
    this.amountRefunded -= amount;
    this.updatedAt = now;
  }

  /**
   * Adds a reason why an operator has to decide.
   * See docs/decisions/money.md, "A payment can be under review for several reasons".
   */
  askForReview(reason: ReviewReason): void {
    setReviewReasons(this, [...this.reviewReasons, reason]);
  }

  /** The payment stays under review while another reason is left. */
  endReview(reason: ReviewReason): void {
    setReviewReasons(
      this,
      this.reviewReasons.filter((each) => each !== reason),
    );
  }

  /** An operator has decided that the money goes back to the customer. */
  refuse(now: Date): void {
    move(this, { from: ['processing'], to: 'failed', now });
    this.noteDecline({ code: amountMismatch, message: 'Another amount was paid than was asked for' });
  }
}
PaymentSchema.setClass(Payment);

/**
 * A function and not a private `#` method: the ORM creates entities
 * without the class's constructor, so those would throw.
 */
function move(payment: Payment, { from, to, now }: { from: PaymentStatus[]; to: PaymentStatus; now: Date }): void {
  if (!from.includes(payment.status)) throw new Error(`A ${payment.status} payment cannot become ${to}.`);
  payment.status = to;
  payment.updatedAt = now;
}

function setReviewReasons(payment: Payment, reasons: ReviewReason[]): void {
  const [worst = null, ...others] = worstFirst.filter((reason) => reasons.includes(reason));
  payment.reviewReason = worst;
  payment.moreReviewReasons = others;
}
