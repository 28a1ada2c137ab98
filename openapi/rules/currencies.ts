/** The ISO 4217 codes that the ICU of this Node version knows. */
export const currencies: ReadonlySet<string> = new Set(Intl.supportedValuesOf('currency'));

export const unknownCurrency = 'is not a currency that this service knows, such as NGN or USD';

/**
 * The ISO 4217 exponents that are not 2. `Intl` follows how people write amounts, so it omits the decimals of PKR.
 * See docs/decisions/money.md, "Currencies have the exponents of ISO 4217".
 */
const exponents = new Map(
  Object.entries({
    0: 'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF',
    3: 'BHD IQD JOD KWD LYD OMR TND',
    4: 'CLF UYW',
  }).flatMap(([exponent, codes]) => codes.split(' ').map((code) => [code, Number(exponent)] as const)),
);

/** Returns the number of decimals of an amount: 2 for `NGN`, 0 for `JPY`. */
export function minorUnitDigits(currency: string): number {
  return exponents.get(currency) ?? 2;
}

/**
 * No two currencies may look the same in one language: `$` is USD only in the United States, and `US$` elsewhere.
 * See docs/decisions/money.md, "A sign that several currencies have is not written alone".
 */
export function currencyDisplay(currency: string, locale: string): 'narrowSymbol' | 'symbol' | 'code' {
  const narrow = signOf(currency, locale, 'narrowSymbol');
  // A sign with a space becomes the code: readers confuse `F CFA` (West African) with `FCFA` (Central African).
  if (/\s/.test(narrow)) return 'code';
  // The language usually writes this sign for the currency, so the sign is unambiguous.
  if (narrow === signOf(currency, locale, 'symbol')) return 'narrowSymbol';
  return sharedSigns(locale).has(narrow) ? 'symbol' : 'narrowSymbol';
}

function signOf(currency: string, locale: string, currencyDisplay: 'narrowSymbol' | 'symbol'): string {
  const parts = new Intl.NumberFormat(locale, { style: 'currency', currency, currencyDisplay }).formatToParts(0);
  return parts.find(({ type }) => type === 'currency')?.value ?? currency;
}

/** Customers choose the locale, and each new locale costs milliseconds, so the cache is bounded. */
const maxCachedLocales = 100;
const cache = new Map<string, ReadonlySet<string>>();

function sharedSigns(wanted: string): ReadonlySet<string> {
  // The locale whose data `Intl` uses, without a customer's extensions such as `-x-abc`, which change no sign.
  const { baseName: locale } = new Intl.Locale(new Intl.NumberFormat(wanted).resolvedOptions().locale);
  const known = cache.get(locale);
  if (known) return known;
  const signs = Intl.supportedValuesOf('currency').map((currency) => signOf(currency, locale, 'narrowSymbol'));
  const shared = new Set(signs.filter((sign, index) => signs.indexOf(sign) !== index));
  if (cache.size >= maxCachedLocales) cache.clear();
  cache.set(locale, shared);
  return shared;
}
