let found: string | undefined;

/**
 * Choice: always Latin digits, because the text around the numbers is English and the fields accept no other digits.
 */
export function locale(): string {
  found ??= new Intl.Locale(navigator.languages.find(isLocale) ?? 'en', { numberingSystem: 'latn' }).toString();
  return found;
}

/** Browsers take milliseconds to create a format, so a format is created only when it is first used. */
export function lazyFormat<Format>(make: (locale: string) => Format): () => Format {
  let made: Format | undefined;
  return () => {
    made ??= make(locale());
    return made;
  };
}

/** On a machine without language settings, Chromium reports `en-US@posix`, for which `Intl` throws an error. */
function isLocale(tag: string): boolean {
  try {
    return Intl.getCanonicalLocales(tag).length > 0;
  } catch {
    return false;
  }
}

/**
 * Isolates text of a user where `bdi` is not possible, so that right-to-left letters do not reorder the words around
 * it.
 */
export function isolated(text: string): string {
  return `\u2068${text}\u2069`;
}
