import { type Html, html } from './html.ts';
import { remember } from './remember.ts';

export function supportedLocales(wanted: readonly (string | null | undefined)[]): string[] {
  return wanted.flatMap((tag) => (tag ? canonicalIfSupported(tag) : []));
}

export function moment(at: Date, locale: string): Html {
  return html`<time datetime="${at.toISOString()}" lang="${locale}" data-locale="${completeLocale(locale)}">${formatMoment(at, locale)}</time>`;
}

export function formatMoment(at: Date, locale: string): string {
  return momentFormat(locale).format(at);
}

export function formatCount(count: number, locale: string): string {
  return countFormat(locale).format(count);
}

/**
 * Adds the numbering system and the calendar to the locale. Each browser would otherwise choose them by its version of
 * the Unicode data, and a page in Arabic could show two kinds of digits.
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

const countFormat = remember((locale) => new Intl.NumberFormat(locale), 200);

const canonicalIfSupported = remember((tag) => {
  try {
    return Intl.NumberFormat.supportedLocalesOf(tag);
  } catch {
    return [];
  }
}, 500);
