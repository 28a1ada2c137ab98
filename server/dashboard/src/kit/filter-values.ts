/** How the values of filters are read from the URL. The first load has this file, so it has no fields. */
import type { Currency } from '@tillhook/sdk/session';
import { moment, oneOf, type ReadValue } from '../app/search.ts';
import { periodNames } from './period.ts';

/** The service decides which of the browser's currency codes it accepts. */
export const currencies: readonly string[] = Intl.supportedValuesOf('currency');

const referencePattern = /^[\w.=-]{6,64}$/;
const emailPattern = /^[^\s@]+@[^\s@]+\.[^\s@]+$/;

export const reference: ReadValue<string> = (raw) => matched(raw, referencePattern);

export const email: ReadValue<string> = (raw) => matched(raw, emailPattern);

export const currency: ReadValue<Currency> = (raw) => currencies.find((code) => code === raw);

/** A list is sorted by the time of its records, the newest first: only the other order is in the URL. */
export const order = oneOf(['asc']);

/** The names of the shown columns, in the URL of a saved view. */
export const columns: ReadValue<string> = (raw) => matched(raw, /^[a-z]+(\.[a-z]+)*$/);

/** A named period such as `today`, or the moments of a range. */
export const created = { period: oneOf(periodNames), from: moment, to: moment };

function matched(raw: string, pattern: RegExp): string | undefined {
  const text = raw.trim();
  return text.length <= 254 && pattern.test(text) ? text : undefined;
}
