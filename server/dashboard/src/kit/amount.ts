/** The API and the dashboard represent amounts as integers in the minor unit of the currency. */
import { locale } from './locale.ts';

/** The exponents of ISO 4217 that are not 2. `Intl` omits the decimals of some currencies, as everyday usage does. */
const exponents = new Map(
  Object.entries({
    0: 'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF',
    3: 'BHD IQD JOD KWD LYD OMR TND',
    4: 'CLF UYW',
  }).flatMap(([exponent, codes]) => codes.split(' ').map((code) => [code, Number(exponent)] as const)),
);

export function decimalsOf(currency: string): number {
  return exponents.get(currency) ?? 2;
}

/**
 * Formats `500000` in `NGN` as `₦5,000.00`, or by code as `NGN 5,000.00`. The service returns the largest safe integer
 * for every larger amount, so "or more" is added to that integer.
 */
export function formatAmount(amount: number, currency: string, by: 'sign' | 'code' = 'sign'): string {
  const decimals = decimalsOf(currency);
  const format = new Intl.NumberFormat(locale(), {
    style: 'currency',
    currency,
    currencyDisplay: by === 'code' ? 'code' : signOf(currency),
    minimumFractionDigits: decimals,
    maximumFractionDigits: decimals,
  });
  // The amount is passed as a string, because dividing a large amount would lose digits.
  const text = format.format(`${amount}e-${decimals}` as `${number}`);
  return amount < Number.MAX_SAFE_INTEGER ? text : `${text} or more`;
}

/**
 * No two currencies look the same in the user's language: in the United States `₦` for NGN, but `CA$` and not `$` for
 * CAD.
 * See docs/decisions/money.md, "A sign that several currencies have is not written alone".
 */
export function signOf(currency: string): Display {
  const key = `${locale()} ${currency}`;
  const known = chosen.get(key) ?? chooseSign(currency);
  chosen.set(key, known);
  return known;
}

type Display = 'narrowSymbol' | 'symbol' | 'code';
const chosen = new Map<string, Display>();

function chooseSign(currency: string): Display {
  const narrow = sign(currency, 'narrowSymbol');
  if (/\s/.test(narrow)) return 'code';
  if (narrow === sign(currency, 'symbol')) return 'narrowSymbol';
  const others = Intl.supportedValuesOf('currency').filter((each) => each !== currency);
  return others.some((each) => sign(each, 'narrowSymbol') === narrow) ? 'symbol' : 'narrowSymbol';
}

function sign(currency: string, currencyDisplay: 'narrowSymbol' | 'symbol'): string {
  const parts = new Intl.NumberFormat(locale(), { style: 'currency', currency, currencyDisplay }).formatToParts(0);
  return parts.find(({ type }) => type === 'currency')?.value ?? currency;
}

/** Formats an amount without a currency sign, for an input field: `500000` in `NGN` is `5000.00`. */
export function writeAmount(amount: number, currency: string): string {
  const decimals = decimalsOf(currency);
  const digits = String(amount).padStart(decimals + 1, '0');
  return decimals === 0 ? digits : `${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`;
}

/**
 * Returns null for an invalid amount. A comma is accepted only before three digits: `5,50` is refused, because in some
 * countries it means five and a half.
 * See docs/decisions/dashboard.md, "Amounts are typed with a dot for decimals".
 */
export function readAmount(typed: string, currency: string): number | null {
  const decimals = decimalsOf(currency);
  const pattern = /^(\d{1,12}|\d{1,3}(?:,\d{3}){1,3})(?:\.(\d*))?$/;
  const [, whole, fraction = ''] = pattern.exec(typed.replaceAll(/[\s_]/g, '')) ?? [];
  if (whole === undefined || fraction.length > decimals) return null;
  return Number(whole.replaceAll(',', '') + fraction.padEnd(decimals, '0'));
}

/** Converts major units to minor units: 5,000 NGN are `500000`, and 5,000 JPY are `5000`. */
export function wholeAmount(units: number, currency: string): number {
  return units * 10 ** decimalsOf(currency);
}

/** The maximum amount that the service accepts, in minor units. */
export const maxAmount = 999_999_999_999;

/** Returns null when the typed amount is valid. */
export function amountProblem(typed: string, currency: string): string | null {
  const amount = readAmount(typed, currency);
  if (amount === null && isHuge(typed)) return tooLarge(currency);
  if (amount === null) return `Enter an amount such as ${writeAmount(500_000, currency)}.`;
  if (amount === 0) return 'The amount must be more than 0.';
  return amount > maxAmount ? tooLarge(currency) : null;
}

/** Whether the text is a number with more digits than `readAmount` accepts. */
function isHuge(typed: string): boolean {
  return /^\d{13,}(\.\d*)?$/.test(typed.replaceAll(/[\s_,]/g, ''));
}

function tooLarge(currency: string): string {
  return `The amount can be ${formatAmount(maxAmount, currency)} at most.`;
}
