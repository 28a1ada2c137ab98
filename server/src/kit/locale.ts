/** Writes times in the language of the person who reads a page. */
import { type Html, html } from './html.ts';

/** A browser sends a few languages, but a header has room for thousands, and each one costs a look-up. */
const mostWanted = 20;

/** Returns the first of these languages that `Intl` supports, or English. */
export function pickLocale(wanted: readonly (string | null | undefined)[]): string {
  return wanted.slice(0, mostWanted).find((tag) => tag && isLocale(tag)) ?? 'en';
}

/** A time as the reader's language writes it. The browser changes it to the reader's time zone. */
export function moment(at: Date, locale: string): Html {
  const format = new Intl.DateTimeFormat(locale, {
    day: 'numeric',
    month: 'long',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    timeZone: 'UTC',
    timeZoneName: 'short',
  });
  return html`<time datetime="${at.toISOString()}" lang="${locale}">${format.format(at)}</time>`;
}

function isLocale(tag: string): boolean {
  try {
    return Intl.NumberFormat.supportedLocalesOf(tag).length > 0;
  } catch {
    return false;
  }
}
