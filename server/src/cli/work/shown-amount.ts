import { formatAmount } from '../../kit/money.ts';

/** With the currency's code, because several currencies use the sign $. */
export function shownAmount({ amount, currency }: { amount: number; currency: string }): string {
  return `${formatAmount(amount, currency, 'en')} ${currency}`;
}
