import { defineEntity, p } from '@mikro-orm/core';
import type { Card, Decline } from '../kit/card.ts';
import type { Mode } from '../kit/mode.ts';

/** How often a customer's card may be declined before the payment fails. */
export const maxAttempts = 3;

const declineLifeMs = 15 * 60_000;

export type PaymentStatus = 'pending' | 'processing' | 'completed' | 'failed' | 'expired';

/** Why a person has to look at it: another amount was paid than was asked for, or it was paid a second time. */
export type ReviewReason = 'amount_mismatch' | 'paid_twice';

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
    reviewReason: p.text().$type<ReviewReason>().nullable(),
    expiresAt: p.datetime(3),
    completedAt: p.datetime(3).nullable(),
    createdAt: p.datetime(3),
    updatedAt: p.datetime(3),
  },
});

/** Refuses every transition that the contract does not know, so that no caller can forget to. */
export class Payment extends PaymentSchema.class {
  get isFinal(): boolean {
    return this.status === 'completed' || this.status === 'failed' || this.status === 'expired';
  }

  get attemptsLeft(): number {
    return maxAttempts - this.attempts;
  }

  get wasDeclined(): boolean {
    return Boolean(this.failureCode);
  }

  /** Another after every transition: what a customer did to an older one was not meant for this. */
  get version(): string {
    return `${this.attempts}.${this.updatedAt.getTime()}`;
  }

  /** The customer submitted a card, or goes to where it is asked for; the processor is asked next. */
  submit(card: Card | null, now: Date): void {
    move(this, { from: ['pending'], to: 'processing', now });
    this.attempts += 1;
    this.paymentMethod = card && { type: 'card', ...card };
  }

  /**
   * The processor has the money. Choice: that is so in every status but the one that says it already, because money is the
   * truth: a payment that failed or expired completes late, and so does one whose customer is about to try again.
   * See docs/decisions/money.md, "A verdict may complete a payment that had ended".
   */
  complete(now: Date): void {
    move(this, { from: ['pending', 'processing', 'failed', 'expired'], to: 'completed', now });
    this.completedAt = now;
    this.failureCode = null;
    this.failureMessage = null;
  }

  /** The processor declined. With attempts left the customer may try again, for a quarter of an hour. */
  decline(decline: Decline, now: Date): void {
    move(this, { from: ['processing'], to: this.attemptsLeft > 0 ? 'pending' : 'failed', now });
    this.noteDecline(decline);
    this.expiresAt = new Date(Math.min(this.expiresAt.getTime(), now.getTime() + declineLifeMs));
  }

  /** The processor declined a card and lets the customer try another there. */
  noteDecline({ code, message }: Decline): void {
    this.failureCode = code;
    this.failureMessage = message;
  }

  /** The customer came back from the processor and has paid nothing there, which counts as no attempt. */
  reopen(now: Date): void {
    move(this, { from: ['processing'], to: 'pending', now });
    this.attempts -= 1;
    this.paymentMethod = null;
  }

  /** The customer gave up after a decline. */
  abandon(now: Date): void {
    if (!this.wasDeclined) throw new Error('A payment that nobody tried cannot be abandoned.');
    move(this, { from: ['pending'], to: 'failed', now });
  }

  /**
   * Time ran out, or was cut short. After a decline that is a failure; otherwise nothing failed. While a processor is at
   * it, it must have said first that nothing is charged any more.
   */
  expire(now: Date): void {
    move(this, { from: ['pending', 'processing'], to: this.wasDeclined ? 'failed' : 'expired', now });
    if (this.expiresAt > now) this.expiresAt = now;
  }

  /** A person has decided that the money goes back. */
  refuse(now: Date): void {
    move(this, { from: ['processing'], to: 'failed', now });
    this.noteDecline({ code: 'amount_mismatch', message: 'Another amount was paid than was asked for' });
  }
}
PaymentSchema.setClass(Payment);

/** Not a private method: the object that the ORM hands out is not one of the class's own making. */
function move(payment: Payment, { from, to, now }: { from: PaymentStatus[]; to: PaymentStatus; now: Date }): void {
  if (!from.includes(payment.status)) throw new Error(`A ${payment.status} payment cannot become ${to}.`);
  payment.status = to;
  payment.updatedAt = now;
}
