import type { ReactNode } from 'react';
import { formatAmount } from './amount.ts';

interface MoneyProps {
  amount: number;
  currency: string;
  /**
   * Operators see amounts in many currencies, several of which have the sign $.
   * See docs/decisions/dashboard.md, "Operators read amounts with the code of the currency".
   */
  by?: 'sign' | 'code';
}

/** The title has the currency code when the text does not show the code. */
export function Money({ amount, currency, by = 'sign' }: MoneyProps): ReactNode {
  return (
    <data value={`${amount} ${currency}`} title={`${currency}, ${amount} in its minor unit`}>
      {formatAmount(amount, currency, by)}
    </data>
  );
}
