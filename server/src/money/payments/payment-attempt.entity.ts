import { defineEntity, p } from '@mikro-orm/core';
import type { Card } from '../../kit/card.ts';
import type { BankAccount, PaymentMethodType } from '../../kit/payment-method.ts';

/** `cancelled`: nothing was charged, and nothing will be charged. */
export type AttemptOutcome = 'paid' | 'declined' | 'cancelled';

const PaymentAttemptSchema = defineEntity({
  name: 'PaymentAttempt',
  properties: {
    /** The attempt's id is also its idempotency key at the processor. */
    id: p.uuid().primary(),
    paymentId: p.uuid(),
    number: p.integer(),
    method: p.text().$type<PaymentMethodType>().default('card'),
    /** Null while the card is unknown, because the customer enters it on the processor's page. */
    brand: p.text().$type<Card['brand']>().nullable(),
    last4: p.text().nullable(),
    /** The processor's id for this attempt; null until the processor has answered. */
    processorId: p.text().nullable(),
    /** The processor's page, where the customer continues; null when the customer stays on our page. */
    actionUrl: p.text().nullable(),
    /** The account for a bank transfer; null until the processor has opened it. */
    account: p.json<BankAccount>().nullable(),
    /** The time at which the customer came back from the processor's page without having paid. */
    returnedAt: p.datetime(3).nullable(),
    /** Null while the attempt is open. */
    outcome: p.text().$type<AttemptOutcome>().nullable(),
    /** The amount that the processor received, which may differ from the payment's amount. */
    paidAmount: p.bigint().nullable(),
    paidCurrency: p.character().length(3).nullable(),
    failureCode: p.text().nullable(),
    failureMessage: p.text().nullable(),
    /** Whether the bank asked the cardholder to confirm the payment (3-D Secure). Null while this is unknown. */
    askedForStep: p.boolean().nullable(),
    startedAt: p.datetime(3),
    settledAt: p.datetime(3).nullable(),
  },
});

/** The column `next_check_at`, the time of the next status check, is used only in SQL. */
export class PaymentAttempt extends PaymentAttemptSchema.class {}
PaymentAttemptSchema.setClass(PaymentAttempt);
