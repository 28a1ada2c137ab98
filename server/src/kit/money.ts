import { currencies, unknownCurrency } from '@tillhook/openapi/refusals/fields';
import { invalid } from './errors.ts';

/**
 * ISO 4217's exponents where they are not 2. Not those of `Intl`: it knows how people write a currency, and leaves the
 * decimals of some, such as PKR and HUF, away.
 * See docs/decisions/money.md, "Currencies have the exponents of ISO 4217".
 */
const exponents = new Map(
  Object.entries({
    0: 'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF',
    3: 'BHD IQD JOD KWD LYD OMR TND',
    4: 'CLF UYW',
  }).flatMap(([exponent, codes]) => codes.split(' ').map((code) => [code, Number(exponent)] as const)),
);

export function isCurrency(code: string): boolean {
  return currencies.has(code);
}

/** Throws `unsupported_currency`. */
export function checkCurrency(code: string): void {
  if (!isCurrency(code)) throw invalid('unsupported_currency', 'currency', unknownCurrency);
}

/** The currency that a request names, else the merchant's own. Throws `unsupported_currency`. */
export function currencyOr(wanted: string | undefined, own: string): string {
  if (wanted === undefined) return own;
  checkCurrency(wanted);
  return wanted;
}

/** `500000` in `NGN` for `en-NG` is `₦5,000.00`: minor units, formatted as the locale does. */
export function formatAmount(amount: number, currency: string, locale: string): string {
  const digits = exponents.get(currency) ?? 2;
  const format = new Intl.NumberFormat(locale, {
    style: 'currency',
    currency,
    currencyDisplay: 'narrowSymbol',
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  });
  return format.format(amount / 10 ** digits);
}
