const form = /^(\d{4}-\d\d-\d\d)t([01]\d|2[0-3]):\d\d:\d\d(\.\d+)?(z|[+-]\d\d:\d\d)$/i;

/** Whether a text is a time as the contract means it: RFC 3339, with a month and a day that exist and no leap second. */
export function isMoment(text: string): boolean {
  const [, day = ''] = form.exec(text) ?? [];
  const [moment, midnight] = [new Date(text), new Date(day)];
  const year = moment.getUTCFullYear();
  return year >= 1 && year <= 9999 && !Number.isNaN(midnight.getTime()) && midnight.toISOString().startsWith(day);
}
