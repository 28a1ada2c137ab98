/**
 * Reads the query string of an address. A user can type any address, so reading never throws: an invalid value is
 * ignored, as if it were missing.
 */

/** Reads one query parameter. Returns undefined when the value is not valid. */
export type ReadValue<Value> = (raw: string) => Value | undefined;

type Found<Fields> = { [Name in keyof Fields]?: Fields[Name] extends ReadValue<infer Value> ? Value : never };

/** Returns the `validateSearch` function of a route. */
export function searchOf<Fields extends Record<string, ReadValue<unknown>>>(
  fields: Fields,
): (raw: Record<string, unknown>) => Found<Fields> {
  return (raw) => {
    const found = Object.entries(fields).map(([name, read]) => {
      const value = raw[name];
      return [name, value === undefined || value === null || value === '' ? undefined : read(String(value))];
    });
    return Object.fromEntries(found.filter(([, value]) => value !== undefined)) as Found<Fields>;
  };
}

export function oneOf<const Values extends readonly string[]>(values: Values): ReadValue<Values[number]> {
  return (raw) => values.find((value) => value === raw);
}

export function text(maxLength = 200): ReadValue<string> {
  return (raw) => raw.trim().slice(0, maxLength) || undefined;
}

export function wholeNumber(min: number, max: number): ReadValue<number> {
  return (raw) => {
    const number = /^\d{1,16}$/.test(raw) ? Number(raw) : Number.NaN;
    return number >= min && number <= max ? number : undefined;
  };
}

/** A timestamp in the format of RFC 3339, which the service accepts. */
export const moment: ReadValue<string> = (raw) => {
  const at = /^\d{4}-\d\d-\d\dT/.test(raw) ? new Date(raw) : new Date(Number.NaN);
  return Number.isNaN(at.valueOf()) ? undefined : at.toISOString();
};

export const id: ReadValue<string> = (raw) =>
  /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i.test(raw) ? raw.toLowerCase() : undefined;

/** The number of the last page that can be read, because the service accepts offsets only up to 100,000. */
export const lastPage = 4_000;

/** The number of the page; the first page is 1. */
export const page: ReadValue<number> = wholeNumber(2, lastPage);

/** The number of records on one page of a list. */
export const pageSize = 25;

/** Returns the `limit` and the `offset` with which a list operation returns the page with this number. */
export function paged({ page: at = 1 }: { page?: number | undefined }): { limit: number; offset: number } {
  return { limit: pageSize, offset: (at - 1) * pageSize };
}

/**
 * Parses a query string such as `?a=1&b=x` into strings. The router's own function would write a string of digits
 * with quotes: `"1"`.
 */
export function readAddress(search: string): Record<string, string> {
  return Object.fromEntries(new URLSearchParams(search));
}

export function writeAddress(search: Record<string, unknown>): string {
  const entries = Object.entries(search).filter(([, value]) => value !== undefined && value !== null && value !== '');
  const query = new URLSearchParams(entries.map(([name, value]) => [name, String(value)])).toString();
  return query && `?${query}`;
}
