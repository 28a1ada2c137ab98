import { fieldError } from '../requests/api-error.ts';
import type { Checked } from '../requests/request-check.ts';
import { momentOf, ownCurrency, type SeededList, type SeedRecord } from './seeds.ts';

export function pageOf({ key, records, isFeed }: SeededList, { query, path, mode }: Checked): SeedRecord {
  const { limit = 20, offset = 0, after, wait, from, to, ...others } = query;
  const {
    order = isFeed && after !== undefined ? 'asc' : 'desc',
    minAmount: _,
    maxAmount: __,
    search,
    ...filters
  } = others;
  const ordered = order === 'asc' ? records.toReversed() : records;
  const matching = recordsAfter(ordered, after).filter(
    (record) =>
      isWithin(momentOf(record), from, to) &&
      isBetween(record, query) &&
      isFound(record, search) &&
      Object.entries(filters).every(matches(record)),
  );
  const page = matching.slice(Number(offset), Number(offset) + Number(limit));
  const isCountedAhead = after !== undefined || wait !== undefined;
  const total = isCountedAhead ? Math.min(matching.length, Number(limit) + 1) : matching.length;
  return { [key]: page.map((record) => withRequestValues(record, { ...path, mode })), total };
}

function recordsAfter(records: readonly SeedRecord[], after: unknown): readonly SeedRecord[] {
  if (after === undefined) return records;
  const place = records.findIndex(({ id }) => id === String(after).toLowerCase());
  if (place >= 0) return records.slice(place + 1);
  throw fieldError('invalid_parameter', 'after', 'is the id of none of your records in this list and mode');
}

/** True when a time is within the range, which includes `from` but not `to`. */
function isWithin(moment: number, from: unknown, to: unknown): boolean {
  const isAfter = from === undefined || moment >= Date.parse(String(from));
  return isAfter && (to === undefined || moment < Date.parse(String(to)));
}

/** Without `currency`, a filter by amount matches only the merchant's own currency, as in the service. */
function isBetween(
  { amount, currency }: SeedRecord,
  { minAmount, maxAmount, currency: requestValues }: Checked['query'],
): boolean {
  if (minAmount === undefined && maxAmount === undefined) return true;
  if (currency !== (requestValues ?? ownCurrency)) return false;
  return Number(amount) >= Number(minAmount ?? 0) && Number(amount) <= Number(maxAmount ?? Number.POSITIVE_INFINITY);
}

const searched = [
  'reference',
  'paymentReference',
  'customerEmail',
  'recipientName',
  'email',
  'name',
  'slug',
  'description',
  'reason',
  'narration',
];

/**
 * Finds parts of texts, and amounts in a currency of two decimals. The service finds events and deliveries by the texts
 * of their payment, refund or transfer; here they are found by their own texts and by those in the data of an event.
 */
function isFound(record: SeedRecord, search: unknown): boolean {
  const { recipient, data } = record as { recipient?: { name: string }; data?: SeedRecord };
  const texts = [record, data].flatMap((part) => searched.map((name) => part?.[name]));
  const text = [...texts, recipient?.name].join('\n').toLowerCase();
  const amount = record.amount ?? record.price ?? data?.amount;
  const words = String(search ?? '')
    .toLowerCase()
    .split(/\s+/);
  return words.every((word) => text.includes(word) || Number(word.replace(/[^\d.]/g, '')) * 100 === amount);
}

/** Ignores a filter by a field that the record does not have, and the case of e-mail addresses. */
function matches(record: SeedRecord): (filter: [name: string, value: unknown]) => boolean {
  return ([name, wanted]) => {
    if (name === 'retrying' && 'attemptCount' in record) return String(isRetrying(record)) === String(wanted);
    if (!(name in record)) return true;
    const own = String(record[name]);
    const isOwn = (other: string) =>
      own === other || (other.includes('@') && own.toLowerCase() === other.toLowerCase());
    return [wanted].flat().map(String).some(isOwn);
  };
}

const isRetrying = ({ status, attemptCount }: SeedRecord): boolean => status === 'pending' && Number(attemptCount) > 0;

function withRequestValues(record: SeedRecord, requestValues: SeedRecord): SeedRecord {
  const own = Object.entries(requestValues).filter(([name]) => name in record);
  return own.length === 0 ? record : { ...record, ...Object.fromEntries(own) };
}
