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

/** The `title` attribute always has the currency code, which the text may omit. */
export function Money({ amount, currency, by = 'sign' }: MoneyProps): ReactNode {
  return (
    <data value={`${amount} ${currency}`} title={`${currency}, ${amount} in the minor unit`}>
      {formatAmount(amount, currency, by)}
    </data>
  );
}
