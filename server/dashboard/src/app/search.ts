/** A user can type any URL, so an invalid value is ignored, as if it were missing. */

export type ReadValue<Value> = (raw: string) => Value | undefined;

type Found<Fields> = { [Name in keyof Fields]?: Fields[Name] extends ReadValue<infer Value> ? Value : never };

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

/** The service accepts offsets only up to 100,000, so later pages cannot be read. */
export const lastPage = 4_000;

export const page: ReadValue<number> = wholeNumber(2, lastPage);

export const pageSize = 25;

export function paged({ page: at = 1 }: { page?: number | undefined }): { limit: number; offset: number } {
  return { limit: pageSize, offset: (at - 1) * pageSize };
}

/** Values stay strings: the router's own function would write a string of digits with quotes, as in `"1"`. */
export function readAddress(search: string): Record<string, string> {
  return Object.fromEntries(new URLSearchParams(search));
}

export function writeAddress(search: Record<string, unknown>): string {
  const entries = Object.entries(search).filter(([, value]) => value !== undefined && value !== null && value !== '');
  const query = new URLSearchParams(entries.map(([name, value]) => [name, String(value)])).toString();
  return query && `?${query}`;
}
