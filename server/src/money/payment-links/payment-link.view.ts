import type { PaymentLink as PaymentLinkRecord } from '@tillhook/openapi';
import type { Context } from '../../context.ts';
import { amountInJson } from '../../kit/money.ts';
import type { PaymentLink } from './payment-link.entity.ts';

export function paymentLinkView(link: PaymentLink, { clock, publicUrl }: Context): PaymentLinkRecord {
  return {
    id: link.id,
    slug: link.slug,
    url: `${publicUrl}/pay/${link.slug}`,
    name: link.name,
    description: link.description ?? null,
    amount: amountOrNull(link.amount),
    currency: link.currency,
    minAmount: amountOrNull(link.minAmount),
    maxAmount: amountOrNull(link.maxAmount),
    suggestedAmount: amountOrNull(link.suggestedAmount),
    productId: link.productId ?? null,
    quantity: link.quantity ?? null,
    maxQuantity: link.maxQuantity ?? null,
    status: link.statusAt(clock.now()),
    isActive: link.isActive,
    expiresAt: link.expiresAt?.toISOString() ?? null,
    callbackUrl: link.callbackUrl ?? null,
    metadata: link.metadata,
    maxPayments: link.maxPayments ?? null,
    completedPayments: amountInJson(BigInt(link.completedPayments)),
    completedAmount: amountInJson(BigInt(link.completedAmount)),
    mode: link.mode,
    createdAt: link.createdAt.toISOString(),
    updatedAt: link.updatedAt.toISOString(),
  };
}

function amountOrNull(amount: bigint | null | undefined): number | null {
  return amount == null ? null : Number(amount);
}
