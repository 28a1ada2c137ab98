import { id, oneOf, page, searchOf, text, wholeNumber } from '../app/search.ts';
import { maxAmount, readAmount, writeAmount } from '../kit/amount.ts';
import { columns, created, currency, email, order, reference } from '../kit/filter-values.ts';
import { stateNames } from './payment-states.ts';

/** Amounts are in the minor unit of the currency. */
export const paymentFilters = searchOf({
  search: text(),
  status: oneOf(stateNames),
  customerEmail: email,
  reference,
  paymentLinkId: id,
  currency,
  minAmount: wholeNumber(1, maxAmount),
  maxAmount: wholeNumber(1, maxAmount),
  ...created,
  order,
  columns,
  page,
});

type Amounts = Pick<ReturnType<typeof paymentFilters>, 'minAmount' | 'maxAmount'>;

/**
 * Reads the entered amounts in the new currency, without an exchange rate: 5.00 USD becomes 5 JPY. An amount with too
 * many decimals for the new currency is removed.
 */
export function inCurrency(amounts: Amounts, { from, to }: { from: string; to: string }): Amounts {
  const changed = (amount: number | undefined) =>
    amount === undefined ? undefined : (readAmount(writeAmount(amount, from).replace(/\.0+$/, ''), to) ?? undefined);
  return { minAmount: changed(amounts.minAmount), maxAmount: changed(amounts.maxAmount) };
}
