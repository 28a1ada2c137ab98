import { type UseFormReturnType, useForm } from '@mantine/form';
import type { Product, ProductRequest } from '@tillhook/sdk/session';
import { useSession } from '../app/session.ts';
import { amountProblem, readAmount, writeAmount } from '../kit/amount.ts';

export interface TypedProduct {
  name: string;
  description: string;
  price: string;
  currency: string;
  imageUrl: string;
  /** The stock as typed. Empty means unlimited. */
  stock: string;
}

export function useProductForm(product: Product | undefined): UseFormReturnType<TypedProduct> {
  const { merchant } = useSession();
  return useForm<TypedProduct>({
    initialValues: typedOf(product, merchant.currency),
    validate: {
      name: (typed) => (typed.trim() ? null : 'Enter a name.'),
      price: (typed, { currency }) => amountProblem(typed, currency),
      imageUrl: (typed) =>
        typed.trim() === '' || isWebAddress(typed.trim()) ? null : 'Enter an address that begins with https://.',
      stock: (typed) => (/^\d{0,9}$/.test(typed.trim()) ? null : 'Enter a whole number, or leave empty for unlimited.'),
    },
  });
}

export function typedOf(product: Product | undefined, ownCurrency: string): TypedProduct {
  if (!product) return { name: '', description: '', price: '', currency: ownCurrency, imageUrl: '', stock: '' };
  const { name, description, price, currency, imageUrl, stock } = product;
  return {
    name,
    description: description ?? '',
    price: writeAmount(price, currency),
    currency,
    imageUrl: imageUrl ?? '',
    stock: stock === null ? '' : String(stock),
  };
}

/** An empty field is sent as null, which clears the stored value. */
export function requestOf({ name, description, price, currency, imageUrl, stock }: TypedProduct): ProductRequest {
  return {
    name: name.trim(),
    description: description.trim() || null,
    price: readAmount(price, currency) ?? 0,
    currency,
    imageUrl: imageUrl.trim() || null,
    stock: stock.trim() === '' ? null : Number(stock),
  };
}

export function isWebAddress(typed: string): boolean {
  return URL.canParse(typed) && ['https:', 'http:'].includes(new URL(typed).protocol);
}
