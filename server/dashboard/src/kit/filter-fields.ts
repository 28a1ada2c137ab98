import { formatAmount } from './amount.ts';
import { currencies, email, reference } from './filter-values.ts';
import { lazyFormat } from './locale.ts';
import { type PeriodName, periodWords } from './period.ts';

interface Field<Name extends string> {
  label: string;
  /** The search parameters that the filter sets. */
  names: readonly Name[];
}

interface ChoiceField<Name extends string> extends Field<Name> {
  kind: 'choice';
  options: readonly { value: string; label: string }[];
}

interface TextField<Name extends string> extends Field<Name> {
  kind: 'text';
  placeholder: string;
  /** Returns the value for the URL, or undefined when the typed text is invalid. */
  read: (typed: string) => string | undefined;
  problem: string;
}

interface AmountField<Name extends string> extends Field<Name> {
  kind: 'amount';
  currency: string;
}

interface PeriodField<Name extends string> extends Field<Name> {
  kind: 'period';
}

export type FilterField<Name extends string = string> =
  | ChoiceField<Name>
  | TextField<Name>
  | AmountField<Name>
  | PeriodField<Name>;

export type Chosen<Name extends string> = { readonly [Filter in Name]?: string | number | undefined };

/** Undefined clears the filter. */
export type Changed<Name extends string> = { readonly [Filter in Name | 'page']?: string | undefined };

export function referenceField(placeholder: string): FilterField<'reference'> {
  return {
    kind: 'text',
    names: ['reference'],
    label: 'Reference',
    placeholder,
    read: reference,
    problem: 'The full reference: 6 or more letters, digits and . _ = -',
  };
}

export function emailField<Name extends string>(name: Name): FilterField<Name> {
  return {
    kind: 'text',
    names: [name],
    label: 'Email',
    placeholder: 'ada@example.com',
    read: email,
    problem: 'The full address, such as ada@example.com',
  };
}

/** The user types amounts with the decimals of the currency; the URL has them in minor units. */
export function amountField(currency: string): FilterField<'minAmount' | 'maxAmount'> {
  return { kind: 'amount', names: ['minAmount', 'maxAmount'], label: 'Amount', currency };
}

export const currencyField: FilterField<'currency'> = {
  kind: 'choice',
  names: ['currency'],
  label: 'Currency',
  options: currencies.map((code) => ({ value: code, label: code })),
};

export const createdField = periodField('Created');

export function periodField(label: string): FilterField<'period' | 'from' | 'to'> {
  return { kind: 'period', names: ['period', 'from', 'to'], label };
}

export function choiceField<Name extends string>(
  name: Name,
  label: string,
  options: readonly { value: string; label: string }[],
): FilterField<Name> {
  return { kind: 'choice', names: [name], label, options };
}

/** The words of a chosen filter; null when the filter is not chosen. */
export function wordsOf(field: FilterField, chosen: Chosen<string>): string | null {
  if (field.kind === 'amount') return amountWords(chosen, field.currency);
  if (field.kind === 'period') return periodWordsOf(chosen);
  const value = chosen[field.names[0] ?? ''];
  if (value === undefined) return null;
  const option = field.kind === 'choice' ? field.options.find((one) => one.value === value) : undefined;
  return option?.label ?? String(value);
}

function amountWords({ minAmount, maxAmount }: Chosen<string>, currency: string): string | null {
  const write = (amount: string | number) => formatAmount(Number(amount), currency);
  if (minAmount !== undefined && maxAmount !== undefined) return `${write(minAmount)} to ${write(maxAmount)}`;
  if (minAmount !== undefined) return `${write(minAmount)} or more`;
  return maxAmount === undefined ? null : `${write(maxAmount)} or less`;
}

function periodWordsOf({ period, from, to }: Chosen<string>): string | null {
  const write = (at: string | number) => times().format(new Date(at));
  if (period !== undefined) return periodWords[period as PeriodName];
  if (from !== undefined && to !== undefined) return `${write(from)} to ${write(to)}`;
  if (from !== undefined) return `from ${write(from)}`;
  return to === undefined ? null : `until ${write(to)}`;
}

const times = lazyFormat(
  (locale, timeZone) => new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short', timeZone }),
);
