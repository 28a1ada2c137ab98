import type { PaymentStatus } from '@tillhook/sdk/session';
import { moment, oneOf, page, searchOf, wholeNumber } from '../app/search.ts';
import { maxAmount, readAmount, writeAmount } from '../kit/amount.ts';
import { currency, email, reference } from '../kit/filter-fields.ts';

export const paymentStatuses = [
  'pending',
  'processing',
  'completed',
  'failed',
  'expired',
] as const satisfies PaymentStatus[];

/** Amounts are in the minor unit of the currency. */
export const paymentFilters = searchOf({
  status: oneOf(paymentStatuses),
  customerEmail: email,
  reference,
  currency,
  minAmount: wholeNumber(1, maxAmount),
  maxAmount: wholeNumber(1, maxAmount),
  from: moment,
  to: moment,
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
