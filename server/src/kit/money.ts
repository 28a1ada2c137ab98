import { currencies, currencyDisplay, minorUnitDigits, unknownCurrency } from '@tillhook/openapi/rules/currencies';
import { invalid } from './errors.ts';
import { remember } from './remember.ts';

export const knownCurrencies: ReadonlySet<string> = currencies;

/** The number of decimals of an amount. */
export const decimalsOf: (currency: string) => number = minorUnitDigits;

export function isCurrency(code: string): boolean {
  return currencies.has(code);
}

export function checkCurrency(code: string): void {
  if (!isCurrency(code)) throw invalid('unsupported_currency', 'currency', unknownCurrency);
}

export function currencyOr(wanted: string | undefined, own: string): string {
  if (wanted === undefined) return own;
  checkCurrency(wanted);
  return wanted;
}

/** The highest integer that every program parses exactly from JSON. */
export const maxInJson = BigInt(Number.MAX_SAFE_INTEGER);

// See docs/decisions/money.md, "A request stops at the highest number of JSON, and money that arrives does not".
export function amountInJson(amount: bigint): number {
  if (amount < -maxInJson) return Number(-maxInJson);
  return Number(amount > maxInJson ? maxInJson : amount);
}

export function decimalAmount(amount: number | bigint, currency: string): string {
  const digits = minorUnitDigits(currency);
  const text = String(amount)
    .replace('-', '')
    .padStart(digits + 1, '0');
  const point = text.length - digits;
  const decimals = digits > 0 ? `.${text.slice(point)}` : '';
  return `${amount < 0 ? '-' : ''}${text.slice(0, point)}${decimals}`;
}

/** Formats an amount in minor units: `500000` in `NGN` for `en-NG` is `₦5,000.00`. */
export function formatAmount(amount: number, currency: string, locale: string): string {
  // The amount is passed as a text, because the division of a large amount would lose precision.
  return amountFormat(`${currency} ${locale}`).format(`${amount}e-${minorUnitDigits(currency)}` as `${number}`);
}

const amountFormat = remember((currencyAndLocale) => {
  const [currency = '', locale = ''] = currencyAndLocale.split(' ');
  const digits = minorUnitDigits(currency);
  return new Intl.NumberFormat(locale, {
    style: 'currency',
    currency,
    currencyDisplay: currencyDisplay(currency, locale),
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  });
}, 500);
