/** The text that a user types becomes terms. A record is found if its words match every term. */
import { type RawBuilder, sql } from 'kysely';
import { decimalsOf, knownCurrencies } from '../kit/money.ts';

/** The patterns of one term; a word matches any of them. */
type Patterns = string[];

const maxTerms = 6;
/** Postgres finds a text by its groups of three letters or digits. */
const isIndexable = (pattern: string): boolean => /[\p{L}\p{N}]{3}/u.test(pattern);
const amountPattern =
  /^(?<before>\p{Sc}|[a-z]{3})?(?<whole>\d{1,3}(?:,\d{3})+|\d{1,15})(?:\.(?<part>\d{1,4}))?(?<after>[a-z]{3})?$/iu;
const signOrCode = /^(\p{Sc}|[a-z]{3})$/iu;

/** One or two digits are part of almost every reference, so they may be read as an amount only. */
export function termsOf(typed: string, { areDigitsAmounts }: { areDigitsAmounts: boolean }): Patterns[] {
  const texts = withCurrencies(typed.split(/\s+/).filter(Boolean)).slice(0, maxTerms);
  return texts.map((text) => {
    const amounts = amountsIn(text.replace(' ', ''));
    return areDigitsAmounts && amounts.length > 0 && text.length < 3 ? amounts : [`%${escaped(text)}%`, ...amounts];
  });
}

/** `NGN 3500` is one text. */
function withCurrencies([text, next, ...others]: string[]): string[] {
  if (text === undefined) return [];
  if (next === undefined) return [text];
  return signOrCode.test(text) && /^[\d.,]+$/.test(next) && currenciesOf(text)
    ? [`${text} ${next}`, ...withCurrencies(others)]
    : [text, ...withCurrencies([next, ...others])];
}

const escaped = (text: string): string => text.replace(/[\\%_]/g, '\\$&');

/** Returns the patterns of an amount such as `35`, `3,500.00` or `₦3500`, as `wordsOf` writes it. */
function amountsIn(text: string): string[] {
  const { before, whole, part = '', after } = amountPattern.exec(text)?.groups ?? {};
  const code = before ?? after;
  const known = code === undefined ? undefined : currenciesOf(code);
  if (whole === undefined || (code !== undefined && !known)) return [];
  const written = (digits: number) => BigInt(whole.replaceAll(',', '') + part.padEnd(digits, '0'));
  if (known) {
    const taken = known.filter((currency) => decimalsOf(currency) >= part.length);
    return taken.map((currency) => amountToken(written(decimalsOf(currency)), decimalsOf(currency), currency));
  }
  return allDigits.filter((digits) => digits >= part.length).map((digits) => amountToken(written(digits), digits, ''));
}

const amountToken = (amount: bigint, digits: number, currency: string) =>
  `%=${amount}=${digits}${currency.toLowerCase()}%`;

function currenciesOf(signOrName: string): string[] | undefined {
  const code = signOrName.toUpperCase();
  return knownCurrencies.has(code) ? [code] : bySign().get(signOrName);
}

let signs: Map<string, string[]> | undefined;

/** Made when the first sign is searched for, because it takes some milliseconds. */
function bySign(): Map<string, string[]> {
  signs ??= Map.groupBy(knownCurrencies, (currency) => {
    const format = new Intl.NumberFormat('en', { style: 'currency', currency, currencyDisplay: 'narrowSymbol' });
    return format.formatToParts(0).find(({ type }) => type === 'currency')?.value ?? currency;
  });
  return signs;
}

const digitsOf = Map.groupBy(knownCurrencies, decimalsOf);
const allDigits = [...digitsOf.keys()].sort();

const digitsInSql = sql.raw(
  `case ${[...digitsOf]
    .filter(([digits]) => digits !== 2)
    .map(([digits, codes]) => `when currency in (${codes.map((code) => `'${code}'`)}) then '${digits}'`)
    .join(' ')} else '2' end`,
);

/** The text in which a record is searched for: the columns, and the amount with its decimals and its currency. */
export function wordsOf(columns: readonly string[], amount: string): RawBuilder<unknown> {
  return sql`lower(concat_ws(e'\n', ${sql.raw(columns.join(', '))},
    '=' || ${sql.raw(amount)} || '=' || ${digitsInSql} || currency))`;
}

export function matching(words: RawBuilder<unknown>, terms: readonly Patterns[]): RawBuilder<unknown> {
  return sql.join(
    terms.map(
      (patterns) =>
        sql`(${sql.join(
          patterns.map((one) => sql`${words} like lower(${one})`),
          sql` or `,
        )})`,
    ),
    sql` and `,
  );
}

/** Returns the terms for a search in the index, or null if the index could not narrow the search down. */
export function indexedTerms(terms: readonly Patterns[]): Patterns[] | null {
  const narrowed = terms.map((patterns) => patterns.filter(isIndexable));
  if (narrowed.every((patterns) => patterns.length === 0)) return null;
  return terms.map((patterns, index) => (narrowed[index]?.length ? narrowed[index] : patterns));
}
