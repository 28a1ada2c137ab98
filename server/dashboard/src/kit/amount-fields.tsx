import { Group, NativeSelect, TextInput } from '@mantine/core';
import type { ReactNode } from 'react';
import { pageLanguage } from '../app/languages.ts';
import { useSession } from '../app/session.ts';
import classes from './amount-fields.module.css';
import { currencies as all } from './filter-values.ts';

interface AmountFieldsProps {
  label: string;
  /** The user types the amount with the decimals of the currency. */
  amount: InputProps;
  currency: InputProps;
  /** All currencies that customers pay in when omitted. */
  currencies?: readonly string[];
}

interface InputProps {
  value?: string;
  onChange?: (event: never) => void;
  error?: ReactNode;
}

export function AmountFields({ label, amount, currency, currencies = all }: AmountFieldsProps): ReactNode {
  const { merchant } = useSession();
  return (
    <Group className={classes.row} gap="xs" align="flex-start">
      <AmountField {...amount} label={label} />
      <NativeSelect
        {...currency}
        className={classes.currency}
        label="Currency"
        data={currencyOptions(currencies, merchant.currency)}
      />
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

/**
 * Codes that no customer pays in: withdrawn currencies, units of account, bonds, funds and metals.
 * Choice: a list of our own, because `Intl` does not say which codes are withdrawn. The service accepts them all the same.
 */
const unusual = new Set(
  'ANG BGN BOV CHE CHW CLF COU CUC HRK MXV SLL USN UYI UYW VED XAG XAU XBA XBB XBC XBD XDR XPD XPT XSU XTS XUA XXX ZWL'.split(
    ' ',
  ),
);

/** `all` without unusual codes, each with its name; the merchant's own currency comes first. */
function currencyOptions(all: readonly string[], own: string): { value: string; label: string }[] {
  const names = new Intl.DisplayNames(pageLanguage, { type: 'currency' });
  const codes = [own, ...all.filter((code) => code !== own && !unusual.has(code))];
  return codes.map((value) => ({ value, label: `${value}: ${names.of(value) ?? value}` }));
}
