import { Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { Money } from './money.tsx';

interface RecordHeadingProps {
  amount: number;
  currency: string;
  /** What tells the record from others with the same amount. */
  children: ReactNode;
}

export function RecordHeading({ amount, currency, children }: RecordHeadingProps): ReactNode {
  return (
    <>
      <Money amount={amount} currency={currency} />{' '}
      <Text span inherit c="dimmed" fw={400}>
        {currency}
      </Text>{' '}
      <Text span inherit fw={400}>
        {children}
      </Text>
    </>
  );
}
