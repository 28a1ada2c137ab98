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
