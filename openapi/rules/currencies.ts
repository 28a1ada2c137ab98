/** How server and mock write the amounts of a currency. */

/**
 * The exponents of ISO 4217 where they are not 2. Those of `Intl` differ: it follows how people write amounts, and
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

/** How many decimals an amount of this currency has: 2 for `NGN`, and 0 for `JPY`. */
export function minorUnitDigits(currency: string): number {
  return exponents.get(currency) ?? 2;
}

/**
 * Chooses the sign by which `Intl` writes a currency, so that no other currency looks the same in that language: `₦` in
 * every English, `$` in the United States only, and else `US$`, `CA$` or a code. The data of the language decides, and
 * not a list of ours.
 * See docs/decisions/money.md, "A sign that several currencies have is not written alone".
 */
export function currencyDisplay(currency: string, locale: string): 'narrowSymbol' | 'symbol' | 'code' {
  const narrow = signOf(currency, locale, 'narrowSymbol');
  // A space tells nothing: `F CFA` is the franc of West Africa, and `FCFA` that of Central Africa.
  if (/\s/.test(narrow)) return 'code';
  // What a language writes without the code is clear in that language.
  if (narrow === signOf(currency, locale, 'symbol')) return 'narrowSymbol';
  return sharedSigns(locale).has(narrow) ? 'symbol' : 'narrowSymbol';
}

function signOf(currency: string, locale: string, currencyDisplay: 'narrowSymbol' | 'symbol'): string {
  const parts = new Intl.NumberFormat(locale, { style: 'currency', currency, currencyDisplay }).formatToParts(0);
  return parts.find(({ type }) => type === 'currency')?.value ?? currency;
}

/** Customers choose the locale, and each new one costs milliseconds, so only some are remembered. */
const mostRemembered = 100;
const remembered = new Map<string, ReadonlySet<string>>();

/** The short signs that more than one currency has in this language. */
function sharedSigns(wanted: string): ReadonlySet<string> {
  // The locale that `Intl` has data for. No sign depends on what a customer may add to it, such as `-x-abc`.
  const { baseName: locale } = new Intl.Locale(new Intl.NumberFormat(wanted).resolvedOptions().locale);
  const known = remembered.get(locale);
  if (known) return known;
  const signs = Intl.supportedValuesOf('currency').map((currency) => signOf(currency, locale, 'narrowSymbol'));
  const shared = new Set(signs.filter((sign, index) => signs.indexOf(sign) !== index));
  if (remembered.size >= mostRemembered) remembered.clear();
  remembered.set(locale, shared);
  return shared;
}
