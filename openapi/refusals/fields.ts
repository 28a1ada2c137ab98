/** Rules for the value of one field that no schema can express: addresses, colours, currencies and times. */
import type { AddressOwner } from '../schema.ts';

export interface AddressRules {
  httpsOnly?: boolean;
  withoutFragment?: boolean;
}

/** What holds of the address in a field: whose address it is decides it. Links to a customer's shop are HTTPS when they are live. */
export function addressRules(owner: AddressOwner | undefined, mode: 'test' | 'live' | null | undefined): AddressRules {
  return {
    httpsOnly: owner === 'logo' || (owner === 'customer' && mode === 'live'),
    // A browser may go to a fragment; an event cannot.
    withoutFragment: owner === 'endpoint',
  };
}

/** What is wrong with a web address, as far as it shows by itself: no name is looked up. Null when nothing is. */
export function addressProblem(
  address: string,
  { httpsOnly = false, withoutFragment = false }: AddressRules = {},
): string | null {
  const url = URL.canParse(address) ? new URL(address) : null;
  const isAllowed = url?.protocol === 'https:' || (url?.protocol === 'http:' && !httpsOnly);
  if (!url || !isAllowed) return `must begin with ${httpsOnly ? '' : 'http:// or '}https://`;
  if (url.username || url.password) return 'must not hold a user name or password';
  return withoutFragment && url.hash ? 'must not have a fragment' : null;
}

/** What is wrong with a colour that white text is to be read on. Null when nothing is. */
export function contrastProblem(colour: string, leastContrast: number): string | null {
  const contrast = contrastWithWhite(colour);
  if (contrast >= leastContrast) return null;
  // Cut off and not rounded: 4.49 must not read as 4.5.
  const shown = Math.floor(contrast * 100) / 100;
  return `must have a contrast of at least ${leastContrast} with white text, and has ${shown}: choose a darker colour`;
}

/** How well a colour, `#rrggbb`, is told from white: 1 is not at all and 21 is black, as WCAG 2.2 defines it. */
function contrastWithWhite(colour: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => linear(Number.parseInt(colour.slice(at, at + 2), 16)));
  return 1.05 / (0.2126 * red + 0.7152 * green + 0.0722 * blue + 0.05);
}

function linear(channel: number): number {
  const share = channel / 255;
  return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
}

/** The codes of ISO 4217. */
export const currencies: ReadonlySet<string> = new Set(Intl.supportedValuesOf('currency'));

export const unknownCurrency = 'is not a currency of ISO 4217';

const momentForm = /^(\d{4}-\d\d-\d\d)t([01]\d|2[0-3]):\d\d:\d\d(\.\d+)?(z|[+-]\d\d:\d\d)$/i;

/**
 * Whether a text is an RFC 3339 time that this service can work with. The format that validators know lets a nineteenth month
 * pass, and days, years and leap seconds that `Date` or Postgres cannot tell.
 */
export function isMoment(text: string): boolean {
  const [, day] = momentForm.exec(text) ?? [];
  const year = new Date(text).getUTCFullYear();
  return day !== undefined && year >= 1 && year <= 9999 && isDay(day);
}

/** `Date` takes the thirtieth of February for the second of March. */
function isDay(day: string): boolean {
  const date = new Date(day);
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(day);
}
