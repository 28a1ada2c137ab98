import { TextInput } from '@mantine/core';
import type { ReactNode } from 'react';
import { formatAmount, readAmount } from '../kit/amount.ts';

interface TypedAmountProps {
  amount: number;
  currency: string;
  typed: string;
  onChange: (typed: string) => void;
  isWrong: boolean;
}

/** The operator types the amount to confirm it, so that a decision on the wrong payment or transfer is noticed. */
export function TypedAmount({ amount, currency, typed, onChange, isWrong }: TypedAmountProps): ReactNode {
  const written = formatAmount(amount, currency, 'code');
  return (
    <TextInput
      label="Enter the amount to confirm"
      description={written}
      inputMode="decimal"
      autoComplete="off"
      value={typed}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
      error={isWrong && `That is not ${written}.`}
    />
  );
}

export function isSameAmount(typed: string, { amount, currency }: { amount: number; currency: string }): boolean {
  return readAmount(typed.replaceAll(/[^\d.,]/g, ''), currency) === amount;
}
