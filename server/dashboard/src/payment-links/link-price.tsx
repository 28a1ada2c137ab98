import type { PaymentLink } from '@tillhook/sdk/session';
import type { ReactNode } from 'react';
import { useRead } from '../app/use-read.ts';
import { formatAmount } from '../kit/amount.ts';
import { Money } from '../kit/money.tsx';

/** What a customer pays, in one line. */
export function LinkPrice({ link }: { link: PaymentLink }): ReactNode {
  const { amount, currency, productId } = link;
  if (amount !== null) return <Money amount={amount} currency={currency} />;
  return productId === null ? limitsOf(link) : 'Product';
}

export function limitsOf({ minAmount, maxAmount, currency }: PaymentLink): string {
  const text = (one: number) => formatAmount(one, currency);
  if (minAmount !== null && maxAmount !== null) return `${text(minAmount)} to ${text(maxAmount)}`;
  if (minAmount !== null) return `${text(minAmount)} or more`;
  return maxAmount === null ? 'Customer chooses' : `Up to ${text(maxAmount)}`;
}

export function ProductOf({ link: { productId, quantity, maxQuantity } }: { link: PaymentLink }): ReactNode {
  const product = useRead({
    key: ['products', productId],
    read: (tillhook, options) => tillhook.products.get(productId ?? '', options),
    isEnabled: productId !== null,
  });
  if (!product.data) return productId;
  const { name, price, currency, isActive, stock } = product.data;
  return (
    <>
      <bdi>{name}</bdi>, <Money amount={price} currency={currency} /> each,{' '}
      {maxQuantity === null ? `quantity ${quantity}` : `the customer chooses up to ${maxQuantity}`}
      {!isActive && '. It is archived, so the link cannot be paid.'}
      {isActive && stock === 0 && '. It is sold out, so the link cannot be paid.'}
    </>
  );
}
