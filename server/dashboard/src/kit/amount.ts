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

/** `500000` in `NGN` is `₦5,000.00`, as the reader's language writes it. */
export function formatAmount(amount: number, currency: string): string {
  const decimals = decimalsOf(currency);
  return new Intl.NumberFormat(locale, {
    style: 'currency',
    currency,
    currencyDisplay: 'narrowSymbol',
    minimumFractionDigits: decimals,
    maximumFractionDigits: decimals,
  }).format(amount / 10 ** decimals);
}

/** What somebody typed, `5,000.00` or `5000`, in minor units; null when it is no amount of the currency. */
export function readAmount(typed: string, currency: string): number | null {
  const decimals = decimalsOf(currency);
  const [, whole, fraction = ''] = /^(\d{1,12})(?:\.(\d*))?$/.exec(typed.replaceAll(/[\s,_]/g, '')) ?? [];
  if (whole === undefined || fraction.length > decimals) return null;
  return Number(whole + fraction.padEnd(decimals, '0'));
}
