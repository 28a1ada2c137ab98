import type { ReactNode } from 'react';
import { formatAmount } from './amount.ts';

interface MoneyProps {
  /** In minor units. */
  amount: number;
  currency: string;
  /**
   * For those who look after merchants of many currencies, of which several have the sign $.
   * See docs/decisions/dashboard.md, "Operators read amounts with the code of the currency".
   */
  by?: 'sign' | 'code';
}

/** An amount. The code of its currency is its title where it is not shown. */
export function Money({ amount, currency, by = 'sign' }: MoneyProps): ReactNode {
  return (
    <data value={`${amount} ${currency}`} title={`${currency}, ${amount} in its minor unit`}>
      {formatAmount(amount, currency, by)}
    </data>
  );
}
