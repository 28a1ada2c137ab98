let found: string | undefined;

/**
 * The language for numbers and moments: the first of the browser's languages that `Intl` accepts.
 *
 * Choice: with the digits of English words, because the words around them are English and the fields take no others.
 * Otherwise what is counted and what is formatted would have different digits in Arabic or Persian.
 */
export function locale(): string {
  found ??= new Intl.Locale(navigator.languages.find(isLocale) ?? 'en', { numberingSystem: 'latn' }).toString();
  return found;
}

/**
 * Makes the format when it is first used. Browsers take milliseconds to make a format, and the first rendering of the
 * dashboard would wait for all of them.
 */
export function lazyFormat<Format>(make: (locale: string) => Format): () => Format {
  let made: Format | undefined;
  return () => {
    made ??= make(locale());
    return made;
  };
}

/**
 * When a machine has no language, Chromium reports `en-US@posix`, and `Intl` throws an error for it.
 * `supportedLocalesOf` would also tell, but it loads the data of all languages first.
 */
function isLocale(tag: string): boolean {
  try {
    return Intl.getCanonicalLocales(tag).length > 0;
  } catch {
    return false;
  }
}

/** A text of other people in a sentence of ours, where there can be no `bdi`: it does not turn the words around it. */
export function isolated(text: string): string {
  return `\u2068${text}\u2069`;
}
