import { Group, NativeSelect, TextInput } from '@mantine/core';
import type { ReactNode } from 'react';
import classes from './amount-fields.module.css';
import { currencies as all } from './filter-fields.ts';

interface AmountFieldsProps {
  label: string;
  /** The user types the amount with the decimals of the currency. */
  amount: InputProps;
  currency: InputProps;
  /** All currencies of ISO 4217 when omitted. */
  currencies?: readonly string[];
}

interface InputProps {
  value?: string;
  onChange?: (event: never) => void;
  error?: ReactNode;
}

export function AmountFields({ label, amount, currency, currencies = all }: AmountFieldsProps): ReactNode {
  return (
    <Group gap="xs" align="flex-start" wrap="nowrap">
      <AmountField {...amount} label={label} />
      <NativeSelect {...currency} className={classes.currency} label="Currency" data={[...currencies]} />
    </Group>
  );
}

/** A field for an amount, in a form that uses only one currency. */
export function AmountField(props: InputProps & { label: string; description?: string }): ReactNode {
  return (
    <TextInput
      {...props}
      className={classes.amount}
      inputMode="decimal"
      autoComplete="off"
      required
      withAsterisk={false}
      maxLength={24}
    />
  );
}
