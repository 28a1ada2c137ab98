import { type Html, html } from './html.ts';
import { remember } from './remember.ts';

export function supportedLocales(wanted: readonly (string | null | undefined)[]): string[] {
  return wanted.flatMap((tag) => (tag ? canonicalIfSupported(tag) : []));
}

export function moment(at: Date, locale: string): Html {
  return html`<time datetime="${at.toISOString()}" lang="${locale}" data-locale="${completeLocale(locale)}">${formatMoment(at, locale)}</time>`;
}

export function formatMoment(at: Date, locale: string, timeZone = 'UTC'): string {
  return momentFormat(`${locale} ${timeZone}`).format(at);
}

/** What a user has chosen in the preferences. */
export interface OwnFormats {
  language?: string | null | undefined;
  timeZone?: string | null | undefined;
}

/** For a mail to a user: it cannot ask the browser for its time zone, so it names UTC if the user has chosen none. */
export function formatOwnMoment(at: Date, formats: OwnFormats): string {
  return formatMoment(at, ownLocale(formats), formats.timeZone ?? undefined);
}

/** Has Latin digits, as the dashboard has, because the text around the numbers is English. */
export function ownLocale({ language }: OwnFormats): string {
  return new Intl.Locale(language ?? 'en-GB', { numberingSystem: 'latn' }).toString();
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

const momentFormat = remember((localeAndZone) => {
  const [locale, timeZone] = localeAndZone.split(' ');
  return new Intl.DateTimeFormat(locale, {
    day: 'numeric',
    month: 'long',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    timeZone,
    timeZoneName: 'short',
  });
}, 200);

const countFormat = remember((locale) => new Intl.NumberFormat(locale), 200);

const canonicalIfSupported = remember((tag) => {
  try {
    return Intl.NumberFormat.supportedLocalesOf(tag);
  } catch {
    return [];
  }
}, 500);
