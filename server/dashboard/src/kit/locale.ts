/**
 * The language and country of dates and numbers, and the time zone of dates: the choice of the user, or of the browser.
 * See docs/decisions/dashboard.md, "All times of a page are in one time zone".
 */
import type { DisplayPreferences } from '@tillhook/sdk/session';
import { pageLanguage } from '../app/languages.ts';

type Formats = Pick<DisplayPreferences, 'language' | 'timeZone'>;

let chosen: Formats = { language: null, timeZone: null };
let found: string | undefined;

/** Formats that were made before are made again when they are next used. */
export function chooseFormats({ language, timeZone }: Formats): void {
  if (language === chosen.language && timeZone === chosen.timeZone) return;
  chosen = { language, timeZone: timeZone === null ? null : (knownZone(timeZone) ?? null) };
  found = undefined;
  for (const forget of formats) forget();
}

/** Choice: always Latin digits, because the fields accept no other digits. */
export function locale(): string {
  found ??= latin(chosen.language ?? browserLanguage());
  return found;
}

/** Returns the first language of the browser; before it, one in which the words of the page are. */
export function browserLanguage(): string {
  const known = navigator.languages.filter(isLocale);
  const ofWords = known.find((tag) => new Intl.Locale(tag).language === pageLanguage);
  return ofWords ?? known[0] ?? 'en';
}

export function latin(language: string): string {
  return new Intl.Locale(language, { numberingSystem: 'latn' }).toString();
}

export function browserZone(): string {
  return new Intl.DateTimeFormat().resolvedOptions().timeZone;
}

/** Undefined for the time zone of the browser. */
export function timeZone(): string | undefined {
  return chosen.timeZone ?? undefined;
}

/** The words for a chosen time zone that is not the browser's, such as "Tokyo time"; undefined for the browser's. */
export function otherZone(): string | undefined {
  const zone = timeZone();
  if (zone === undefined || isSameZone(zone)) return undefined;
  return zone === 'UTC' ? zone : `${cityOf(zone)} time`;
}

/** Returns "Buenos Aires" for `America/Argentina/Buenos_Aires`. */
export function cityOf(zone: string): string {
  return zone.slice(zone.lastIndexOf('/') + 1).replaceAll('_', ' ');
}

/** Whether the clocks of the browser have this time zone. */
export function isSameZone(zone: string): boolean {
  return new Intl.DateTimeFormat('en', { timeZone: zone }).resolvedOptions().timeZone === browserZone();
}

const formats = new Set<() => void>();

/** Browsers take milliseconds to create a format, so a format is created only when it is first used. */
export function lazyFormat<Format>(make: (locale: string, timeZone: string | undefined) => Format): () => Format {
  let made: Format | undefined;
  formats.add(() => {
    made = undefined;
  });
  return () => {
    made ??= make(locale(), timeZone());
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

/** The service may know zones that an older browser does not know: then the zone of the browser is used. */
export function knownZone(zone: string): string | undefined {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: zone }) && zone;
  } catch {
    return undefined;
  }
}

/**
 * Isolates text of a user where `bdi` is not possible, so that right-to-left letters do not reorder the words around
 * it.
 */
export function isolated(text: string): string {
  return `\u2068${text}\u2069`;
}
