/** Amounts are whole numbers of a currency's minor unit, in the API and everywhere here. */
import { locale } from './locale.ts';

/**
 * ISO 4217's exponents where they are not 2. Not those of `Intl`, which knows how people write a currency and leaves the
 * decimals of some away.
 */
const exponents = new Map(
  Object.entries({
    0: 'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF',
    3: 'BHD IQD JOD KWD LYD OMR TND',
    4: 'CLF UYW',
  }).flatMap(([exponent, codes]) => codes.split(' ').map((code) => [code, Number(exponent)] as const)),
);

/** How many decimals the currency has. */
export function decimalsOf(currency: string): number {
  return exponents.get(currency) ?? 2;
}

/**
 * `500000` in `NGN` is `₦5,000.00`, as the reader's language writes it. By its code it is `NGN 5,000.00`: a sign such as $ is of
 * many currencies.
 */
export function formatAmount(amount: number, currency: string, by: 'sign' | 'code' = 'sign'): string {
  const decimals = decimalsOf(currency);
  return new Intl.NumberFormat(locale, {
    style: 'currency',
    currency,
    currencyDisplay: by === 'code' ? 'code' : 'narrowSymbol',
    minimumFractionDigits: decimals,
    maximumFractionDigits: decimals,
  }).format(amount / 10 ** decimals);
}

/** The same without a sign, to be edited: `500000` in `NGN` is `5000.00`. */
export function writeAmount(amount: number, currency: string): string {
  const decimals = decimalsOf(currency);
  const digits = String(amount).padStart(decimals + 1, '0');
  return decimals === 0 ? digits : `${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`;
}

/**
 * What somebody typed, `5,000.00` or `5000`, in minor units; null when it is no amount of the currency. A comma stands before three
 * digits: `5,50` is refused, because for some it is five and a half.
 * See docs/decisions/dashboard.md, "Amounts are typed with a dot for decimals".
 */
export function readAmount(typed: string, currency: string): number | null {
  const decimals = decimalsOf(currency);
  const pattern = /^(\d{1,12}|\d{1,3}(?:,\d{3}){1,3})(?:\.(\d*))?$/;
  const [, whole, fraction = ''] = pattern.exec(typed.replaceAll(/[\s_]/g, '')) ?? [];
  if (whole === undefined || fraction.length > decimals) return null;
  return Number(whole.replaceAll(',', '') + fraction.padEnd(decimals, '0'));
}

/** So many of a currency, in its minor unit: 5,000 of NGN are `500000`, and of JPY `5000`. */
export function wholeAmount(units: number, currency: string): number {
  return units * 10 ** decimalsOf(currency);
}

/** What the service takes at most, in minor units. */
export const mostAmount = 999_999_999_999;

/** Why what was typed cannot be sent, for the field that it stands in; null when it can. */
export function amountProblem(typed: string, currency: string): string | null {
  const amount = readAmount(typed, currency);
  if (amount === null) return `Type an amount such as ${writeAmount(500_000, currency)}.`;
  if (amount === 0) return 'The amount must be more than 0.';
  return amount > mostAmount ? `The amount can be ${formatAmount(mostAmount, currency)} at most.` : null;
}
