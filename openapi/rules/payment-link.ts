/** The rules about the price of a payment link, which no schema can describe. The service and the mock share them. */
export interface LinkPrice {
  amount?: number | null | undefined;
  currency?: string | null | undefined;
  minAmount?: number | null | undefined;
  maxAmount?: number | null | undefined;
  suggestedAmount?: number | null | undefined;
  productId?: string | null | undefined;
  quantity?: number | null | undefined;
  maxQuantity?: number | null | undefined;
}

export interface PriceProblem {
  param: keyof LinkPrice;
  problem: string;
}

/** `open`: the customer enters the amount. */
export type PriceKind = 'fixed' | 'product' | 'open';

export function priceKindOf({ amount, productId }: LinkPrice): PriceKind {
  if (productId != null) return 'product';
  return amount == null ? 'open' : 'fixed';
}

const fieldsOf: Record<PriceKind, readonly (keyof LinkPrice)[]> = {
  fixed: ['amount'],
  product: ['quantity', 'maxQuantity'],
  open: ['minAmount', 'maxAmount', 'suggestedAmount'],
};

const priceFields = Object.values(fieldsOf).flat();

const words: Record<PriceKind, string> = {
  fixed: 'a fixed amount',
  product: 'a product',
  open: 'an amount that the customer enters',
};

/** Returns null for a valid price of a new link. */
export function newPriceProblem(price: LinkPrice): PriceProblem | null {
  const kind = priceKindOf(price);
  if (kind === 'product' && price.currency != null) {
    return {
      param: 'currency',
      problem: 'must not be sent together with productId: the currency is that of the product',
    };
  }
  return changedPriceProblem(kind, price) ?? limitsProblem(price);
}

/** Returns null when a link of this kind may have the changed fields. The kind of a link never changes. */
export function changedPriceProblem(kind: PriceKind, changes: LinkPrice): PriceProblem | null {
  const foreign = priceFields.find((name) => changes[name] != null && !fieldsOf[kind].includes(name));
  if (foreign) return { param: foreign, problem: `must not be sent for a link with ${words[kind]}` };
  const { quantity, maxQuantity } = changes;
  return quantity != null && maxQuantity != null
    ? { param: 'maxQuantity', problem: 'must not be sent together with quantity' }
    : null;
}

export function limitsProblem({ minAmount, maxAmount, suggestedAmount }: LinkPrice): PriceProblem | null {
  if (minAmount != null && maxAmount != null && maxAmount < minAmount) {
    return { param: 'maxAmount', problem: 'must not be less than minAmount' };
  }
  if (suggestedAmount == null) return null;
  if (suggestedAmount < (minAmount ?? 0)) {
    return { param: 'suggestedAmount', problem: 'must not be less than minAmount' };
  }
  return suggestedAmount > (maxAmount ?? suggestedAmount)
    ? { param: 'suggestedAmount', problem: 'must not be more than maxAmount' }
    : null;
}

export const notInFuture = 'must be in the future';

export const slugInUse = 'A payment link with this slug already exists; choose another one';
