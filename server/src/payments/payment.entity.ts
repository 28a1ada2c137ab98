import { defineEntity, p } from '@mikro-orm/core';
import type { Mode } from '../kit/mode.ts';

/** How often a customer may submit a card before the payment fails. */
export const maxAttempts = 3;

const declineLifeMs = 15 * 60_000;

export type PaymentStatus = 'pending' | 'processing' | 'completed' | 'failed' | 'expired';

export interface Card {
  brand: 'visa' | 'mastercard' | 'unknown';
  last4: string;
}

export interface Decline {
  code: string;
  message: string;
}

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

  /** The customer submitted a card; the processor is asked next. */
  submit(card: Card, now: Date): void {
    move(this, { from: ['pending'], to: 'processing', now });
    this.attempts += 1;
    this.paymentMethod = { type: 'card', ...card };
  }

  complete(now: Date): void {
    move(this, { from: ['processing'], to: 'completed', now });
    this.completedAt = now;
    this.failureCode = null;
    this.failureMessage = null;
  }

  /** The processor declined. With attempts left the customer may try again, for a quarter of an hour. */
  decline({ code, message }: Decline, now: Date): void {
    move(this, { from: ['processing'], to: this.attemptsLeft > 0 ? 'pending' : 'failed', now });
    this.failureCode = code;
    this.failureMessage = message;
    this.expiresAt = new Date(Math.min(this.expiresAt.getTime(), now.getTime() + declineLifeMs));
  }

  /** The customer gave up after a decline. */
  abandon(now: Date): void {
    if (this.attempts === 0) throw new Error('A payment that nobody tried cannot be abandoned.');
    move(this, { from: ['pending'], to: 'failed', now });
  }

  /** Time ran out, or was cut short. After a decline that is a failure; otherwise nobody tried, and nothing failed. */
  expire(now: Date): void {
    move(this, { from: ['pending'], to: this.attempts > 0 ? 'failed' : 'expired', now });
    if (this.expiresAt > now) this.expiresAt = now;
  }
}
PaymentSchema.setClass(Payment);

/** Not a private method: the object that the ORM hands out is not one of the class's own making. */
function move(payment: Payment, { from, to, now }: { from: PaymentStatus[]; to: PaymentStatus; now: Date }): void {
  if (!from.includes(payment.status)) throw new Error(`A ${payment.status} payment cannot become ${to}.`);
  payment.status = to;
  payment.updatedAt = now;
}
