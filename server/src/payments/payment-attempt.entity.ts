import { defineEntity, p } from '@mikro-orm/core';
import type { Card } from '../kit/card.ts';

/** `cancelled` is one of which nothing was charged, and nothing will be. */
export type AttemptOutcome = 'paid' | 'declined' | 'cancelled';

const PaymentAttemptSchema = defineEntity({
  name: 'PaymentAttempt',
  properties: {
    /** Also the processor's idempotency key. */
    id: p.uuid().primary(),
    paymentId: p.uuid(),
    number: p.integer(),
    /** Null until the card is known, where the processor asks for it. */
    brand: p.text().$type<Card['brand']>().nullable(),
    last4: p.text().nullable(),
    /** What the processor calls it; null until it answered. */
    processorId: p.text().nullable(),
    /** Where the customer goes on, when that is not here. */
    actionUrl: p.text().nullable(),
    /** When the customer came back from there without having paid. */
    returnedAt: p.datetime(3).nullable(),
    /** Null while it is open. */
    outcome: p.text().$type<AttemptOutcome>().nullable(),
    /** What the processor says it has, which may not be what was asked for. */
    paidAmount: p.bigint().nullable(),
    paidCurrency: p.character().length(3).nullable(),
    failureCode: p.text().nullable(),
    failureMessage: p.text().nullable(),
    /** Whether the bank asked the cardholder to confirm (3-D Secure); null while nobody knows, as where the processor asks for the card. */
    askedForStep: p.boolean().nullable(),
    startedAt: p.datetime(3),
    settledAt: p.datetime(3).nullable(),
  },
});

/** One try to pay. A payment has at most one that is open. When it is next looked after is left to SQL. */
export class PaymentAttempt extends PaymentAttemptSchema.class {}
PaymentAttemptSchema.setClass(PaymentAttempt);
