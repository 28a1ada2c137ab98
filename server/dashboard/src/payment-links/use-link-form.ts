import { type UseFormReturnType, useForm } from '@mantine/form';
import type { PaymentLink, PaymentLinkRequest, PaymentLinkUpdate } from '@tillhook/sdk/session';
import { useSession } from '../app/session.ts';
import { amountProblem, readAmount, writeAmount } from '../kit/amount.ts';
import { fromLocal, toLocal } from '../kit/local-moment.ts';

export type PriceKind = 'fixed' | 'open' | 'product';

export interface TypedLink {
  name: string;
  description: string;
  kind: PriceKind;
  amount: string;
  currency: string;
  minAmount: string;
  maxAmount: string;
  suggestedAmount: string;
  productId: string;
  choosesQuantity: boolean;
  quantity: string;
  slug: string;
  expiresAt: string;
  maxPayments: string;
  callbackUrl: string;
}

const slugPattern = /^[a-z0-9][a-z0-9-]{1,62}[a-z0-9]$/;

export function useLinkForm(link: PaymentLink | undefined): UseFormReturnType<TypedLink> {
  const { merchant } = useSession();
  return useForm<TypedLink>({
    initialValues: typedOf(link, merchant.currency),
    validate: {
      name: (typed) => (typed.trim() ? null : 'Enter what the customer pays for.'),
      amount: (typed, { kind, currency }) => (kind === 'fixed' ? amountProblem(typed, currency) : null),
      minAmount: (typed, typedLink) => optionalAmountProblem(typed, typedLink),
      maxAmount: (typed, typedLink) => optionalAmountProblem(typed, typedLink),
      suggestedAmount: (typed, typedLink) => optionalAmountProblem(typed, typedLink),
      productId: (typed, { kind }) => (kind === 'product' && typed === '' ? 'Choose a product.' : null),
      quantity: (typed, { kind }) =>
        kind !== 'product' || /^[1-9]\d{0,3}$/.test(typed.trim()) ? null : 'Enter a whole number from 1 to 9,999.',
      slug: (typed) =>
        typed.trim() === '' || slugPattern.test(typed.trim())
          ? null
          : 'Use 3 to 64 lower-case letters, digits and hyphens.',
      maxPayments: (typed) => (/^([1-9]\d{0,8})?$/.test(typed.trim()) ? null : 'Enter a whole number, or leave empty.'),
      callbackUrl: (typed) =>
        typed.trim() === '' || /^https?:\/\/./i.test(typed.trim())
          ? null
          : 'Enter an address that begins with https://.',
    },
  });
}

function optionalAmountProblem(typed: string, { kind, currency }: TypedLink): string | null {
  return kind !== 'open' || typed.trim() === '' ? null : amountProblem(typed, currency);
}

export function typedOf(link: PaymentLink | undefined, ownCurrency: string): TypedLink {
  const { currency = ownCurrency, quantity = 1, maxQuantity = null } = link ?? {};
  const amount = (one: number | null | undefined) => (one == null ? '' : writeAmount(one, currency));
  return {
    name: link?.name ?? '',
    description: link?.description ?? '',
    kind: kindOf(link),
    amount: amount(link?.amount),
    currency,
    minAmount: amount(link?.minAmount),
    maxAmount: amount(link?.maxAmount),
    suggestedAmount: amount(link?.suggestedAmount),
    productId: link?.productId ?? '',
    choosesQuantity: maxQuantity !== null,
    quantity: String(maxQuantity ?? quantity ?? 1),
    slug: link?.slug ?? '',
    expiresAt: link?.expiresAt ? toLocal(link.expiresAt) : '',
    maxPayments: link?.maxPayments == null ? '' : String(link.maxPayments),
    callbackUrl: link?.callbackUrl ?? '',
  };
}

function kindOf(link: PaymentLink | undefined): PriceKind {
  if (!link || link.amount !== null) return 'fixed';
  return link.productId === null ? 'open' : 'product';
}

/** A field that is empty is left out. */
export function requestOf(typed: TypedLink): PaymentLinkRequest {
  const { slug, kind, currency, productId } = typed;
  const given = Object.fromEntries(Object.entries(detailsOf(typed)).filter(([, value]) => value !== null));
  return {
    ...(given as Partial<PaymentLinkRequest>),
    name: typed.name.trim(),
    ...(kind === 'product' ? { productId } : { currency }),
    ...(slug.trim() && { slug: slug.trim() }),
  };
}

/**
 * Only the fields that the user has changed since the dialog opened, because the service refuses the past time of an
 * expired link, and a colleague may have changed other fields.
 */
export function changesOf(typed: TypedLink, opened: PaymentLink): PaymentLinkUpdate {
  const before = new Map<string, unknown>(Object.entries(detailsOf(typedOf(opened, opened.currency))));
  const changed = Object.entries(detailsOf(typed)).filter(([name, value]) => value !== before.get(name));
  return changed.length > 0 ? Object.fromEntries(changed) : { name: typed.name.trim() };
}

/** A field that is empty is null, which clears the stored value. */
function detailsOf(typed: TypedLink): PaymentLinkUpdate {
  return {
    name: typed.name.trim(),
    description: typed.description.trim() || null,
    ...priceOf(typed),
    expiresAt: fromLocal(typed.expiresAt) || null,
    maxPayments: typed.maxPayments.trim() === '' ? null : Number(typed.maxPayments),
    callbackUrl: typed.callbackUrl.trim() || null,
  };
}

function priceOf({ kind, currency, choosesQuantity, ...typed }: TypedLink): PaymentLinkUpdate {
  const read = (text: string) => (text.trim() === '' ? null : readAmount(text, currency));
  if (kind === 'fixed') return { amount: readAmount(typed.amount, currency) ?? 0 };
  const quantity = Number(typed.quantity);
  if (kind === 'product') return choosesQuantity ? { maxQuantity: quantity } : { quantity };
  return {
    minAmount: read(typed.minAmount),
    maxAmount: read(typed.maxAmount),
    suggestedAmount: read(typed.suggestedAmount),
  };
}
