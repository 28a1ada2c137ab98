import { decimalAmount } from '../../kit/money.ts';

/** `NGN 5,000.00`. The code in place of a sign, because several currencies use the sign $. */
export function shownAmount({ amount, currency }: { amount: number; currency: string }): string {
  const decimal = decimalAmount(amount, currency);
  const digits = decimal.split('.')[1]?.length ?? 0;
  const format = new Intl.NumberFormat('en', { minimumFractionDigits: digits, maximumFractionDigits: digits });
  return `${currency} ${format.format(decimal as `${number}`)}`;
}
