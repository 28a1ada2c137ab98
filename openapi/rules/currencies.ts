/** The currencies that server and mock accept, and how they write an amount. */

/** The codes of ISO 4217 that the ICU in this version of Node knows. */
export const currencies: ReadonlySet<string> = new Set(Intl.supportedValuesOf('currency'));

export const unknownCurrency = 'is not a currency that this service knows, such as NGN or USD';

/**
 * The exponents of ISO 4217 that are not 2. `Intl` is no source for them: it follows how people write amounts, and
 * omits the decimals of some currencies, such as PKR and HUF.
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
 * Chooses the form in which `Intl` writes a currency, so that no two currencies look the same in one language: `₦` in
 * every English; `$` for USD in the United States only, and `US$` elsewhere. The data of the language decides.
 * See docs/decisions/money.md, "A sign that several currencies have is not written alone".
 */
export function currencyDisplay(currency: string, locale: string): 'narrowSymbol' | 'symbol' | 'code' {
  const narrow = signOf(currency, locale, 'narrowSymbol');
  // A space distinguishes nothing: `F CFA` is the West African franc, and `FCFA` the Central African franc.
  if (/\s/.test(narrow)) return 'code';
  // A sign is clear in a language whose usual symbol it is.
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

/** Returns the narrow symbols that several currencies share in this language. */
function sharedSigns(wanted: string): ReadonlySet<string> {
  // The locale for which `Intl` has data. Extensions of a customer, such as `-x-abc`, change no sign.
  const { baseName: locale } = new Intl.Locale(new Intl.NumberFormat(wanted).resolvedOptions().locale);
  const known = cache.get(locale);
  if (known) return known;
  const signs = Intl.supportedValuesOf('currency').map((currency) => signOf(currency, locale, 'narrowSymbol'));
  const shared = new Set(signs.filter((sign, index) => signs.indexOf(sign) !== index));
  if (cache.size >= maxCachedLocales) cache.clear();
  cache.set(locale, shared);
  return shared;
}
