import { defineEntity, p } from '@mikro-orm/core';
import type { Card, Decline } from '../../kit/card.ts';
import type { Mode } from '../../kit/mode.ts';

/** The maximum number of attempts. When the card of the last attempt is declined, the payment fails. */
export const maxAttempts = 3;

const amountMismatch = 'amount_mismatch';

const declineLifeMs = 15 * 60_000;

export type PaymentStatus = 'pending' | 'processing' | 'completed' | 'failed' | 'expired';

/**
 * Why an operator has to review a payment: the customer paid a wrong amount or paid twice; a refund was made at the
 * processor, and the wallet has too little money for it; or the customer disputes the payment.
 */
export type ReviewReason = 'amount_mismatch' | 'paid_twice' | 'refund_without_funds' | 'disputed';

/**
 * Choice: a dispute comes first, because the bank sets a deadline for the answer. The two reasons that prevent a
 * refund come before the others, because merchants see only the worst reason, and learn from this reason whether the
 * payment can be refunded.
 */
const worstFirst: readonly ReviewReason[] = ['disputed', 'refund_without_funds', 'amount_mismatch', 'paid_twice'];

/** A line of the bill, such as three tickets. `unitAmount` is the price of a single ticket, in minor units. */
export interface LineItem {
  name: string;
  quantity: number;
  unitAmount: number;
}

/**
 * Why a payment expired: its time or its session at the processor ended (`expired`), or the merchant cancelled the
 * payment (`cancelled`).
 */
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
    /** The worst reason for a review. Null when the payment is not under review. */
    reviewReason: p.text().$type<ReviewReason>().nullable(),
    /** The other reasons for a review. A new row has none by default. */
    moreReviewReasons: p.array().$type<ReviewReason[]>(),
    /** The sum of the payment's completed and open refunds. A new row has 0 by default. */
    amountRefunded: p.bigint(),
    /**
     * The reason stays when the payment is completed late. Null when the payment did not expire, or when an older
     * version of the service ended it.
     */
    expiryReason: p.text().$type<ExpiryReason>().nullable(),
    /**
     * The canceller stays when the payment is completed late. Null when the payment was not cancelled, or when an
     * older version of the service ended it.
     */
    cancelledBy: p.text().$type<Canceller>().nullable(),
    /** Null when the checkout has no line items, or when an older version of the service created it. */
    lineItems: p.json<LineItem[]>().nullable(),
    /**
     * The merchant's name on card statements at the time when the customer last submitted a card or went on to the
     * processor's page.
     * See docs/decisions/processors.md, "The parameters of a Stripe session come from the attempt alone".
     */
    statementName: p.text().nullable(),
    /** The header `traceparent` of the call that created the payment. Null when the call was not traced. */
    traceparent: p.text().nullable(),
    expiresAt: p.datetime(3),
    completedAt: p.datetime(3).nullable(),
    createdAt: p.datetime(3),
    updatedAt: p.datetime(3),
  },
});

/** A payment. The methods throw when the contract does not allow a change of status. */
export class Payment extends PaymentSchema.class {
  get isFinal(): boolean {
    return this.status === 'completed' || this.status === 'failed' || this.status === 'expired';
  }

  /** All reasons why an operator has to review the payment, the worst first. */
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
   * Who ended the payment before it was paid. Null when the payment's time was over, when the payment failed for
   * another reason, and when it was completed late.
   * See docs/decisions/checkout-page.md, "A payment stores who cancelled it".
   */
  get canceller(): Canceller | null {
    if (this.status === 'completed') return null;
    return this.cancelledBy ?? this.cancellerOfOlderVersion;
  }

  /**
   * Finds out who ended a payment of an older version of the service. That version stored the canceller only when a
   * merchant cancelled a payment that became expired.
   */
  private get cancellerOfOlderVersion(): Canceller | null {
    if (this.status === 'expired') return this.expiryReason === 'cancelled' ? 'merchant' : null;
    const wasGivenUp = this.status === 'failed' && this.attemptsLeft > 0 && this.failureCode !== amountMismatch;
    return wasGivenUp && this.expiresAt > this.updatedAt ? 'customer' : null;
  }

  /**
   * A string that changes with every change of status. A form with an older version is out of date and is not
   * accepted.
   */
  get version(): string {
    return `${this.attempts}.${this.updatedAt.getTime()}`;
  }

  /** Makes the payment processing, because the customer submitted a card or went on to the processor's page. */
  submit(card: Card | null, now: Date): void {
    move(this, { from: ['pending'], to: 'processing', now });
    this.attempts += 1;
    this.paymentMethod = card && { type: 'card', ...card };
  }

  /**
   * Completes the payment, because the processor has the money. Choice: a payment of any other status becomes
   * completed, because the money was paid. So a payment may be completed after it failed or expired, or while the
   * customer is about to try again.
   * See docs/decisions/money.md, "A verdict may complete a payment that had ended".
   */
  complete(now: Date): void {
    move(this, { from: ['pending', 'processing', 'failed', 'expired'], to: 'completed', now });
    this.completedAt = now;
    this.failureCode = null;
    this.failureMessage = null;
  }

  /**
   * Applies a decline of the card by the processor. If the payment has attempts left, the customer may try again
   * within 15 minutes.
   */
  decline(decline: Decline, now: Date): void {
    move(this, { from: ['processing'], to: this.attemptsLeft > 0 ? 'pending' : 'failed', now });
    this.noteDecline(decline);
    this.expiresAt = new Date(Math.min(this.expiresAt.getTime(), now.getTime() + declineLifeMs));
  }

  /**
   * Stores why a card was declined. The status does not change, because the customer may try another card on the
   * processor's page.
   */
  noteDecline({ code, message }: Decline): void {
    this.failureCode = code;
    this.failureMessage = message;
  }

  /**
   * Makes the payment pending again, because the customer came back from the processor's page without having paid. The
   * visit is not counted as an attempt.
   */
  reopen(now: Date): void {
    move(this, { from: ['processing'], to: 'pending', now });
    this.attempts -= 1;
    this.paymentMethod = null;
  }

  /** Ends the payment as failed, because the customer gave up after a decline. */
  abandon(now: Date): void {
    if (!this.wasDeclined) throw new Error(`No attempt of payment ${this.id} was declined, so it cannot be abandoned.`);
    move(this, { from: ['pending'], to: 'failed', now });
    this.cancelledBy = 'customer';
  }

  /**
   * Ends the payment, because it expired or the merchant cancelled it. The payment becomes failed after a decline, and
   * otherwise expired. Before a processing payment is ended, the processor must have confirmed that nothing can be
   * charged any more.
   */
  expire(now: Date, reason: ExpiryReason): void {
    move(this, { from: ['pending', 'processing'], to: this.wasDeclined ? 'failed' : 'expired', now });
    if (this.status === 'expired') this.expiryReason = reason;
    if (reason === 'cancelled') this.cancelledBy = 'merchant';
    if (this.expiresAt > now) this.expiresAt = now;
  }

  /**
   * Adds a refund that gives the payment, or a part of it, back to the customer.
   * See docs/decisions/money.md, "A refund is counted from its start".
   */
  addRefund(amount: bigint, now: Date): void {
    if (this.status !== 'completed') throw new Error(`Payment ${this.id} is ${this.status} and cannot be refunded.`);
    if (amount > this.amount - this.amountRefunded)
      throw new Error('The refund is larger than the amount that is left of the payment.');
    this.amountRefunded += amount;
    this.updatedAt = now;
  }

  /** Subtracts a refund that has failed, so that its amount can be refunded again. */
  takeRefundBack(amount: bigint, now: Date): void {
    if (amount > this.amountRefunded) throw new Error('The failed refund is larger than all refunds of the payment.');
    this.amountRefunded -= amount;
    this.updatedAt = now;
  }

  /**
   * Adds a reason why an operator has to review the payment.
   * See docs/decisions/money.md, "A payment can be under review for several reasons".
   */
  askForReview(reason: ReviewReason): void {
    setReviewReasons(this, [...this.reviewReasons, reason]);
  }

  /** Removes this reason for a review. The payment stays under review while it has another reason. */
  endReview(reason: ReviewReason): void {
    setReviewReasons(
      this,
      this.reviewReasons.filter((each) => each !== reason),
    );
  }

  /** Ends the payment as failed, because an operator decided that the money goes back to the customer. */
  refuse(now: Date): void {
    move(this, { from: ['processing'], to: 'failed', now });
    this.noteDecline({ code: amountMismatch, message: 'Another amount was paid than was asked for' });
  }
}
PaymentSchema.setClass(Payment);

/**
 * Changes the status of the payment. Throws when the change is not allowed. This is a function and not a private `#`
 * method, because the ORM creates entities without calling the constructor, so calls of private methods would throw.
 */
function move(payment: Payment, { from, to, now }: { from: PaymentStatus[]; to: PaymentStatus; now: Date }): void {
  if (!from.includes(payment.status))
    throw new Error(`Payment ${payment.id} is ${payment.status} and cannot become ${to}.`);
  payment.status = to;
  payment.updatedAt = now;
}

function setReviewReasons(payment: Payment, reasons: ReviewReason[]): void {
  const [worst = null, ...others] = worstFirst.filter((reason) => reasons.includes(reason));
  payment.reviewReason = worst;
  payment.moreReviewReasons = others;
}
