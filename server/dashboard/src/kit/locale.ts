/** How the reader's language writes numbers and moments: the first of the browser's languages that `Intl` takes. */
export const locale: string = navigator.languages.find(isLocale) ?? 'en';

/** Chromium says `en-US@posix` where the machine's language is not set, and `Intl` throws at that. */
function isLocale(tag: string): boolean {
  try {
    return Intl.NumberFormat.supportedLocalesOf(tag).length > 0;
  } catch {
    return false;
  }
}
