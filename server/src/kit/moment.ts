const form = /^(\d{4}-\d\d-\d\d)t([01]\d|2[0-3]):\d\d:\d\d(\.\d+)?(z|[+-]\d\d:\d\d)$/i;

/**
 * Whether a text is an RFC 3339 time that this service can use. The validator's format `date-time` also accepts a
 * nineteenth month, and days, years and leap seconds that `Date` or Postgres cannot represent.
 */
export function isMoment(text: string): boolean {
  const [, day] = form.exec(text) ?? [];
  const year = new Date(text).getUTCFullYear();
  return day !== undefined && year >= 1 && year <= 9999 && isDay(day);
}

/** Compares with the text, because `Date` turns the thirtieth of February into the first or second of March. */
function isDay(day: string): boolean {
  const date = new Date(day);
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(day);
}
