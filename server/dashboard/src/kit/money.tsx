import type { ReactNode } from 'react';
import { formatAmount } from './amount.ts';

/** An amount in minor units. The code of the currency is there to be read where its sign, such as $, is of many. */
export function Money({ amount, currency }: { amount: number; currency: string }): ReactNode {
  return (
    <data value={`${amount} ${currency}`} title={`${currency}, ${amount} in its minor unit`}>
      {formatAmount(amount, currency)}
    </data>
  );
}
