/** Rules for the value of one field that no schema can express: addresses, currencies, languages and times. */
import type { AddressOwner } from '../schema.ts';

export interface AddressRules {
  httpsOnly?: boolean;
  withoutFragment?: boolean;
}

/**
 * The rules for the address in a field, which depend on its owner. Links that a customer follows must be HTTPS in live
 * mode.
 */
export function addressRules(owner: AddressOwner | undefined, mode: 'test' | 'live' | null | undefined): AddressRules {
  return {
    httpsOnly: owner === 'merchant' || (owner === 'customer' && mode === 'live'),
    // A browser uses the fragment of an address, but a request that sends an event does not.
    withoutFragment: owner === 'endpoint',
  };
}

/** What is wrong with a web address, found without looking up its name; null when nothing is. */
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

/** The codes of ISO 4217. */
export const currencies: ReadonlySet<string> = new Set(Intl.supportedValuesOf('currency'));

export const unknownCurrency = 'is not a currency of ISO 4217';

/** What is wrong with a BCP 47 language tag; null when nothing is. A tag of any language is allowed. */
export function localeProblem(tag: string): string | null {
  try {
    Intl.getCanonicalLocales(tag);
    return null;
  } catch {
    return 'is not a well-formed BCP 47 language tag, such as en-NG';
  }
}

const momentForm = /^(\d{4}-\d\d-\d\d)t([01]\d|2[0-3]):\d\d:\d\d(\.\d+)?(z|[+-]\d\d:\d\d)$/i;

/**
 * Whether a text is an RFC 3339 time that this service can use. The validators' format `date-time` also accepts a
 * nineteenth month, and days, years and leap seconds that `Date` or Postgres cannot represent.
 */
export function isMoment(text: string): boolean {
  const [, day] = momentForm.exec(text) ?? [];
  const year = new Date(text).getUTCFullYear();
  return day !== undefined && year >= 1 && year <= 9999 && isDay(day);
}

/** Whether the day exists. `Date` alone would read 30 February as 2 March. */
function isDay(day: string): boolean {
  const date = new Date(day);
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(day);
}
