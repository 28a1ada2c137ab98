/** Writes times in the language of the person who reads a page. */
import { type Html, html } from './html.ts';
import { remember } from './remember.ts';

/** Returns the language tags that are well-formed and that `Intl` supports, in their canonical form. */
export function supportedLocales(wanted: readonly (string | null | undefined)[]): string[] {
  return wanted.flatMap((tag) => (tag ? canonicalIfSupported(tag) : []));
}

/** Returns a time as text in the reader's language. The browser converts it to the reader's time zone. */
export function moment(at: Date, locale: string): Html {
  return html`<time datetime="${at.toISOString()}" lang="${locale}" data-locale="${completeLocale(locale)}">${momentFormat(locale).format(at)}</time>`;
}

/**
 * Returns the locale with its numbering system and calendar, for the scripts of a page. Without them, each browser
 * chooses by its version of the Unicode data, and a page in Arabic would show the digits that the server chose in one
 * place and other digits in the next place.
 */
export const completeLocale = remember((locale) => {
  const { numberingSystem, calendar } = new Intl.DateTimeFormat(locale).resolvedOptions();
  return new Intl.Locale(locale, { numberingSystem, calendar }).toString();
}, 200);

const momentFormat = remember(
  (locale) =>
    new Intl.DateTimeFormat(locale, {
      day: 'numeric',
      month: 'long',
      year: 'numeric',
      hour: '2-digit',
      minute: '2-digit',
      timeZone: 'UTC',
      timeZoneName: 'short',
    }),
  200,
);

const canonicalIfSupported = remember((tag) => {
  try {
    return Intl.NumberFormat.supportedLocalesOf(tag);
  } catch {
    return [];
  }
}, 500);
