let found: string | undefined;

/**
 * The language for numbers and moments: the first of the browser's languages that `Intl` accepts.
 * Choice: always with Latin digits, because the texts around them are English and the fields accept no other digits.
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
 * On a machine without language settings, Chromium reports `en-US@posix`, and `Intl` throws an error for it.
 * `supportedLocalesOf` would also tell, but it loads the data of all languages first.
 */
function isLocale(tag: string): boolean {
  try {
    return Intl.getCanonicalLocales(tag).length > 0;
  } catch {
    return false;
  }
}

/**
 * Isolates a text that a user wrote, where markup such as `bdi` is not possible. Right-to-left letters in it then do
 * not change the order of the words around it.
 */
export function isolated(text: string): string {
  return `\u2068${text}\u2069`;
}
