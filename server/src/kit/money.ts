const currencies = new Set(Intl.supportedValuesOf('currency'));

export function isCurrency(code: string): boolean {
  return currencies.has(code);
}

/** `500000` in `NGN` for `en-NG` is `₦5,000.00`: minor units, formatted as the locale does. */
export function formatAmount(amount: number, currency: string, locale: string): string {
  const format = new Intl.NumberFormat(locale, { style: 'currency', currency, currencyDisplay: 'narrowSymbol' });
  const exponent = format.resolvedOptions().maximumFractionDigits ?? 2;
  return format.format(amount / 10 ** exponent);
}
