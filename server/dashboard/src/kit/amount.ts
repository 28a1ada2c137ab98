/** In the API and in the dashboard, amounts are whole numbers of the minor unit of the currency. */
import { locale } from './locale.ts';

/**
 * The exponents of ISO 4217 that are not 2. They are not taken from `Intl`, which knows how people write a currency
 * and leaves out the decimals of some currencies.
 */
const exponents = new Map(
  Object.entries({
    0: 'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF',
    3: 'BHD IQD JOD KWD LYD OMR TND',
    4: 'CLF UYW',
  }).flatMap(([exponent, codes]) => codes.split(' ').map((code) => [code, Number(exponent)] as const)),
);

/** The number of decimals of the currency. */
export function decimalsOf(currency: string): number {
  return exponents.get(currency) ?? 2;
}

/**
 * Writes `500000` in `NGN` as `₦5,000.00`, in the format of the user's language. With the code it is `NGN 5,000.00`.
 * The service never answers with more than the largest safe integer, so that number means "or more".
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
  // Passed as a text, because a quotient of large amounts is not exact.
  const text = format.format(`${amount}e-${decimals}` as `${number}`);
  return amount < Number.MAX_SAFE_INTEGER ? text : `${text} or more`;
}

/**
 * The `currencyDisplay` with which no other currency looks the same in the user's language: `₦`, but `CA$` and not `$`
 * in the United States. The pages of the service choose in the same way.
 * See docs/decisions/money.md, "A sign that several currencies have is not written alone".
 */
export function signOf(currency: string): Display {
  const known = chosen.get(currency) ?? chooseSign(currency);
  chosen.set(currency, known);
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

/** Writes the amount without a sign, for an input field: `500000` in `NGN` is `5000.00`. */
export function writeAmount(amount: number, currency: string): string {
  const decimals = decimalsOf(currency);
  const digits = String(amount).padStart(decimals + 1, '0');
  return decimals === 0 ? digits : `${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`;
}

/**
 * Reads a typed amount, such as `5,000.00` or `5000`, in minor units. Null when it is not a valid amount of the
 * currency. A comma is accepted before three digits only: `5,50` is refused, because in some countries it means five
 * and a half.
 * See docs/decisions/dashboard.md, "Amounts are typed with a dot for decimals".
 */
export function readAmount(typed: string, currency: string): number | null {
  const decimals = decimalsOf(currency);
  const pattern = /^(\d{1,12}|\d{1,3}(?:,\d{3}){1,3})(?:\.(\d*))?$/;
  const [, whole, fraction = ''] = pattern.exec(typed.replaceAll(/[\s_]/g, '')) ?? [];
  if (whole === undefined || fraction.length > decimals) return null;
  return Number(whole.replaceAll(',', '') + fraction.padEnd(decimals, '0'));
}

/** Converts whole units to the minor unit: 5,000 NGN are `500000`, and 5,000 JPY are `5000`. */
export function wholeAmount(units: number, currency: string): number {
  return units * 10 ** decimalsOf(currency);
}

/** The highest amount that the service accepts, in minor units. */
export const maxAmount = 999_999_999_999;

/** Why the typed amount cannot be sent, as a sentence for its field. Null when it can be sent. */
export function amountProblem(typed: string, currency: string): string | null {
  const amount = readAmount(typed, currency);
  if (amount === null && isHuge(typed)) return tooLarge(currency);
  if (amount === null) return `Type an amount such as ${writeAmount(500_000, currency)}.`;
  if (amount === 0) return 'The amount must be more than 0.';
  return amount > maxAmount ? tooLarge(currency) : null;
}

/** Whether the text is a number with more digits than `readAmount` reads. */
function isHuge(typed: string): boolean {
  return /^\d{13,}(\.\d*)?$/.test(typed.replaceAll(/[\s_,]/g, ''));
}

function tooLarge(currency: string): string {
  return `The amount can be ${formatAmount(maxAmount, currency)} at most.`;
}
