import { defineEntity, p } from '@mikro-orm/core';
import type { Mode } from '../../kit/mode.ts';

export type RefundStatus = 'pending' | 'processing' | 'completed' | 'failed';

/** `processor`: an operator made the refund at the processor itself. */
export type RefundOrigin = 'api' | 'dashboard' | 'processor';

export interface RefundFailure {
  code: string;
  message: string;
}

const RefundSchema = defineEntity({
  name: 'Refund',
  properties: {
    /** The refund's id is also its idempotency key at the processor. */
    id: p.uuid().primary(),
    merchantId: p.uuid(),
    mode: p.text().$type<Mode>(),
    paymentId: p.uuid(),
    paymentReference: p.text(),
    customerEmail: p
      .text()
      .formula(
        ({ merchantId, paymentId }) =>
          `(select customer_email from payment where payment.merchant_id = ${merchantId} and payment.id = ${paymentId})`,
      ),
    reference: p.text(),
    amount: p.bigint(),
    currency: p.character().length(3),
    status: p.text().$type<RefundStatus>(),
    reason: p.text().nullable(),
    metadata: p.json<Record<string, string>>(),
    origin: p.text().$type<RefundOrigin>(),
    /** The processor's id of the refund; null until the processor has answered. */
    processorId: p.text().nullable(),
    /** False while the Collection wallet has too little money for a refund that was made at the processor. */
    isPosted: p.boolean(),
    failureCode: p.text().nullable(),
    failureReason: p.text().nullable(),
    traceparent: p.text().nullable(),
    createdAt: p.datetime(3),
    updatedAt: p.datetime(3),
    /** The time of completion stays when a completed refund fails later. */
    completedAt: p.datetime(3).nullable(),
  },
});

/** The column `next_check_at`, the time of the next status check, is used only in SQL. */
export class Refund extends RefundSchema.class {
  get isOpen(): boolean {
    return this.status === 'pending' || this.status === 'processing';
  }

  accept(now: Date): void {
    move(this, { from: ['pending'], to: 'processing', now });
  }

  complete(now: Date): void {
    move(this, { from: ['pending', 'processing'], to: 'completed', now });
    this.completedAt = now;
  }

  /** Choice: a completed refund can still fail, because the customer's bank may send the money back. */
  fail({ code, message }: RefundFailure, now: Date): void {
    move(this, { from: ['pending', 'processing', 'completed'], to: 'failed', now });
    this.failureCode = code;
    this.failureReason = message;
  }
}
RefundSchema.setClass(Refund);

/** Not a `#` method: the ORM creates entities without calling the constructor, so a `#` method would not exist. */
function move(refund: Refund, { from, to, now }: { from: RefundStatus[]; to: RefundStatus; now: Date }): void {
  if (!from.includes(refund.status))
    throw new Error(`Refund ${refund.id} is ${refund.status} and cannot become ${to}.`);
  refund.status = to;
  refund.updatedAt = now;
}
