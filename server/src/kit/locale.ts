/** How the language of whoever reads a page writes things. */
import { type Html, html } from './html.ts';

/** A browser asks for a handful. Each one costs a look-up, and a header has room for thousands. */
const mostWanted = 20;

/** The first of these languages that `Intl` knows how to write in. */
export function pickLocale(wanted: readonly (string | null | undefined)[]): string {
  return wanted.slice(0, mostWanted).find((tag) => tag && isLocale(tag)) ?? 'en';
}

/** A moment in the reader's way of writing it; the browser turns it into their own time zone. */
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
