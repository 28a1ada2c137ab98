import type { ReactNode } from 'react';
import { formatAmount } from './amount.ts';

interface MoneyProps {
  /** In minor units. */
  amount: number;
  currency: string;
  /**
   * For operators, who see amounts in many currencies. Several of these currencies have the sign $.
   * See docs/decisions/dashboard.md, "Operators read amounts with the code of the currency".
   */
  by?: 'sign' | 'code';
}

/** An amount. When the code of its currency is not visible, it is in the title. */
export function Money({ amount, currency, by = 'sign' }: MoneyProps): ReactNode {
  return (
    <data value={`${amount} ${currency}`} title={`${currency}, ${amount} in its minor unit`}>
      {formatAmount(amount, currency, by)}
    </data>
  );
}
