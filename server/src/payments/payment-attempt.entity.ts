import { defineEntity, p } from '@mikro-orm/core';
import type { Card } from './payment.entity.ts';

const PaymentAttemptSchema = defineEntity({
  name: 'PaymentAttempt',
  properties: {
    /** Also the processor's idempotency key. */
    id: p.uuid().primary(),
    paymentId: p.uuid(),
    number: p.integer(),
    brand: p.text().$type<Card['brand']>(),
    last4: p.text(),
    outcome: p.text().$type<'paid' | 'declined'>().nullable(),
    failureCode: p.text().nullable(),
    startedAt: p.datetime(3),
    settledAt: p.datetime(3).nullable(),
  },
});

export class PaymentAttempt extends PaymentAttemptSchema.class {}
PaymentAttemptSchema.setClass(PaymentAttempt);
