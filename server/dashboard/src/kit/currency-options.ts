/**
 * Codes that no customer pays in: withdrawn currencies, units of account, bonds, funds and metals.
 * Choice: a list of our own, because `Intl` does not say which codes are withdrawn. The service accepts them all the same.
 */
const unusual = new Set(
  'ANG BGN BOV CHE CHW CLF COU CUC HRK MXV SLL USN UYI UYW VED XAG XAU XBA XBB XBC XBD XDR XPD XPT XSU XTS XUA XXX ZWL'.split(
    ' ',
  ),
);

/** `all` without unusual codes, each with its English name; the merchant's own currency comes first. */
export function currencyOptions(all: readonly string[], own: string): { value: string; label: string }[] {
  const names = new Intl.DisplayNames('en', { type: 'currency' });
  const codes = [own, ...all.filter((code) => code !== own && !unusual.has(code))];
  return codes.map((value) => ({ value, label: `${value}: ${names.of(value) ?? value}` }));
}
