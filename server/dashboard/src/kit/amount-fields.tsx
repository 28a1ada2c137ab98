import { Group, NativeSelect, TextInput } from '@mantine/core';
import type { ReactNode } from 'react';
import classes from './amount-fields.module.css';
import { currencies as all } from './filter-fields.ts';

interface AmountFieldsProps {
  label: string;
  /** The props of the field for the amount, which the user types with the decimals of the currency. */
  amount: InputProps;
  currency: InputProps;
  /** The currencies that the user can choose. All currencies of ISO 4217 when omitted. */
  currencies?: readonly string[];
}

/** The props that `form.getInputProps` returns. */
interface InputProps {
  value?: string;
  onChange?: (event: never) => void;
  error?: ReactNode;
}

/** A field for an amount with the decimals of the currency, and a field for the currency. */
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
