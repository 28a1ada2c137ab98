/** The language for numbers and moments: the first of the browser's languages that `Intl` accepts. */
export const locale: string = navigator.languages.find(isLocale) ?? 'en';

/** When a machine has no language, Chromium reports `en-US@posix`, and `Intl` throws an error for it. */
function isLocale(tag: string): boolean {
  try {
    return Intl.NumberFormat.supportedLocalesOf(tag).length > 0;
  } catch {
    return false;
  }
}
