import type { Currency } from '@tillhook/sdk/session';
import type { ReadValue } from '../app/search.ts';
import { amountProblem, readAmount, writeAmount } from './amount.ts';
import type { FilterField } from './filters.tsx';

/** The service decides which of the browser's currency codes it accepts. */
export const currencies: readonly string[] = Intl.supportedValuesOf('currency');

const referencePattern = /^[\w.=-]{6,64}$/;
const emailPattern = /^[^\s@]+@[^\s@]+\.[^\s@]+$/;

export const reference: ReadValue<string> = (raw) => matched(raw, referencePattern) ?? undefined;

export const email: ReadValue<string> = (raw) => matched(raw, emailPattern) ?? undefined;

export const currency: ReadValue<Currency> = (raw) => currencies.find((code) => code === raw);

export function referenceField(placeholder: string): FilterField<'reference'> {
  return {
    name: 'reference',
    label: 'Reference',
    kind: 'text',
    placeholder,
    read: (typed) => matched(typed, referencePattern),
    problem: 'The whole reference: 6 or more letters, digits and . _ = -',
  };
}

export function emailField<Name extends string>(name: Name): FilterField<Name> {
  return {
    name,
    label: 'Email',
    kind: 'text',
    placeholder: 'ada@example.com',
    read: (typed) => matched(typed, emailPattern),
    problem: 'The whole address, such as ada@example.com',
  };
}

/** The user types the amount with the decimals of the currency; the URL has it in minor units. */
export function amountField<Name extends string>(name: Name, label: string, currency: string): FilterField<Name> {
  return {
    name,
    label: `${label} (${currency})`,
    kind: 'text',
    placeholder: writeAmount(500_000, currency),
    read: (typed) => (amountProblem(typed, currency) ? null : String(readAmount(typed, currency))),
    write: (held) => writeAmount(Number(held), currency),
    problem: `An amount such as ${writeAmount(500_000, currency)}`,
  };
}

export const currencyField: FilterField<'currency'> = {
  name: 'currency',
  label: 'Currency',
  kind: 'choice',
  options: currencies.map((code) => ({ value: code, label: code })),
};

export const momentFields: readonly FilterField<'from' | 'to'>[] = [
  { name: 'from', label: 'Created from', kind: 'moment' },
  { name: 'to', label: 'Created to', kind: 'moment' },
];

export function choiceField<Name extends string>(
  name: Name,
  label: string,
  values: readonly string[],
): FilterField<Name> {
  return {
    name,
    label,
    kind: 'choice',
    options: values.map((value) => ({ value, label: value.replaceAll('_', ' ') })),
  };
}

function matched(raw: string, pattern: RegExp): string | null {
  const text = raw.trim();
  return text.length <= 254 && pattern.test(text) ? text : null;
}
