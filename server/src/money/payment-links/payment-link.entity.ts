import { defineEntity, p } from '@mikro-orm/core';
import type { Mode } from '../../kit/mode.ts';

export type PaymentLinkStatus = 'active' | 'stopped' | 'expired' | 'limit_reached';

const PaymentLinkSchema = defineEntity({
  name: 'PaymentLink',
  properties: {
    id: p.uuid().primary(),
    merchantId: p.uuid(),
    mode: p.text().$type<Mode>(),
    slug: p.text(),
    name: p.text(),
    description: p.text().nullable(),
    /** Null when the customer enters the amount or pays for a product. */
    amount: p.bigint().nullable(),
    currency: p.character().length(3),
    minAmount: p.bigint().nullable(),
    maxAmount: p.bigint().nullable(),
    suggestedAmount: p.bigint().nullable(),
    productId: p.uuid().nullable(),
    /** A link with a product has one of the two: `maxQuantity` when the customer chooses the quantity. */
    quantity: p.integer().nullable(),
    maxQuantity: p.integer().nullable(),
    isActive: p.boolean(),
    expiresAt: p.datetime(3).nullable(),
    callbackUrl: p.text().nullable(),
    metadata: p.json<Record<string, string>>(),
    maxPayments: p.integer().nullable(),
    /** A database trigger counts the completed payments and adds up their amounts. */
    completedPayments: p.bigint().default('0'),
    completedAmount: p.bigint().default('0'),
    createdAt: p.datetime(3),
    updatedAt: p.datetime(3),
  },
});

type Unchangeable = 'id' | 'merchantId' | 'mode' | 'slug' | 'currency' | 'productId' | 'completedPayments';

export class PaymentLink extends PaymentLinkSchema.class {
  statusAt(now: Date): PaymentLinkStatus {
    if (!this.isActive) return 'stopped';
    if (this.expiresAt && this.expiresAt <= now) return 'expired';
    const isFull = this.maxPayments != null && this.completedPayments >= BigInt(this.maxPayments);
    return isFull ? 'limit_reached' : 'active';
  }

  change(changes: Partial<Omit<PaymentLink, Unchangeable>>, now: Date): void {
    Object.assign(this, changes);
    this.updatedAt = now;
  }
}
PaymentLinkSchema.setClass(PaymentLink);
