/** Copies of the contract's example records, with other ids, references and days, fill several pages of each list. */
import type { Model, ModelOperation, Schema } from '@tillhook/openapi';

export type SeedRecord = Record<string, unknown>;

export interface SeededList {
  key: string;
  /** The records, the newest first. */
  records: SeedRecord[];
  /** True when the list can wait for its next record. With `after`, such a list begins with the oldest record. */
  isFeed: boolean;
}

/** The currency of the merchant in the contract's examples. */
export const ownCurrency = 'NGN';

const recordsPerList = 45;

export function seedLists({ operations }: Model): Map<string, SeededList> {
  const lists = operations.filter(({ parameters }) => has(parameters, 'limit') && has(parameters, 'from'));
  const found = lists.map((list) => {
    const { key, item } = itemsOf(list);
    return { list, key, records: recordsOf(operations, item) };
  });
  const names = new Set(found.flatMap(({ records }) => records.map(({ id }) => id)));
  const seeded = found.map(({ list, key, records }) => {
    const isFeed = has(list.parameters, 'wait');
    return [list.id, { key, records: multiplied(records, names), isFeed }] as const;
  });
  return agreeingWithRefunds(new Map(seeded));
}

export function momentOf({ createdAt, timestamp }: SeedRecord): number {
  return Date.parse(String(createdAt ?? timestamp));
}

const has = (parameters: ModelOperation['parameters'], name: string) => parameters.some((one) => one.name === name);

function itemsOf({ id, success }: ModelOperation): { key: string; item: Schema } {
  const properties = Object.entries(success.content?.schema.properties ?? {});
  const [list] = properties.flatMap(([key, { items }]) => (items ? [{ key, item: items }] : []));
  if (!list) throw new Error(`The response of ${id} has no list of records.`);
  return list;
}

function recordsOf(operations: readonly ModelOperation[], item: Schema): SeedRecord[] {
  const found = operations.flatMap(({ success: { content } }) => {
    const examples = [...(content?.examples.values() ?? [])];
    return examples.flatMap(({ value }) => recordsIn({ schema: content?.schema, value }, item));
  });
  const seen = new Set<unknown>();
  return found.filter(({ id, reference }) => {
    const isNew = !seen.has(id) && !seen.has(`${reference}`);
    seen.add(id).add(`${reference}`);
    return isNew;
  });
}

interface Typed {
  schema: Schema | undefined;
  value: unknown;
}

function recordsIn({ schema, value }: Typed, item: Schema): SeedRecord[] {
  if (!schema || value === null || typeof value !== 'object') return [];
  if (schema.pointer === item.pointer) return [value as SeedRecord];
  const children = Array.isArray(value)
    ? value.map((child) => ({ schema: schema.items, value: child }))
    : Object.entries(value).map(([key, child]) => ({ schema: schema.properties?.[key], value: child }));
  return children.flatMap((child) => recordsIn(child, item));
}

function multiplied(records: readonly SeedRecord[], names: ReadonlySet<unknown>): SeedRecord[] {
  const rounds = records.length === 0 ? 0 : Math.ceil(recordsPerList / records.length);
  return Array.from({ length: rounds }, (_, round) => records.map((record) => varied(record, round, names)))
    .flat()
    .slice(0, recordsPerList)
    .sort((a, b) => momentOf(b) - momentOf(a) || (String(a.id) < String(b.id) ? 1 : -1));
}

/** Removes refunds without a completed payment, and sets `amountRefunded` to the sum of refunds that did not fail. */
function agreeingWithRefunds(lists: Map<string, SeededList>): Map<string, SeededList> {
  const [payments, refunds] = [lists.get('listPayments'), lists.get('listRefunds')];
  if (!payments || !refunds) return lists;
  const completed = payments.records.filter(({ status }) => status === 'completed');
  const references = new Set(completed.map(({ reference }) => reference));
  const kept = refunds.records.filter(({ paymentReference }) => references.has(paymentReference));
  const counted = payments.records.map((payment) => ({ ...payment, amountRefunded: sumOf(kept, payment) }));
  return new Map([
    ...lists,
    ['listPayments', { ...payments, records: counted }],
    ['listRefunds', { ...refunds, records: kept }],
  ]);
}

function sumOf(refunds: readonly SeedRecord[], { reference }: SeedRecord): number {
  return refunds
    .filter((refund) => refund.paymentReference === reference && refund.status !== 'failed')
    .reduce((sum, { amount }) => sum + Number(amount), 0);
}

const dayMs = 24 * 60 * 60 * 1000;

/** Gives an id the same new value in all lists, so that references stay valid. `round` is the number of the copy. */
function varied(record: SeedRecord, round: number, names: ReadonlySet<unknown>): SeedRecord {
  if (round === 0) return record;
  return JSON.parse(JSON.stringify(record), (key, value) => {
    if (typeof value !== 'string') return value;
    if (names.has(value)) return earlierId(value, round);
    if (key === 'checkoutUrl' || key === 'receiptUrl')
      return value.replace(/[\da-f-]{36}$/, (code) => earlierCode(code, round));
    if (key === 'reference' || key === 'paymentReference') return `${value.slice(0, 60)}-${round}`;
    if (/^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(value)) return new Date(Date.parse(value) - round * dayMs).toISOString();
    return value;
  });
}

/** Changes an access code, so that each copy of a checkout has its own page. */
function earlierCode(code: string, round: number): string {
  return code.slice(0, -4) + (Number.parseInt(code.slice(-4), 16) ^ round).toString(16).padStart(4, '0');
}

/** Moves the time in a UUID v7 back by `round` days, like the times of the record, so that ids sort like times. */
function earlierId(id: string, round: number): string {
  const time = Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16) - round * dayMs;
  const digits = time.toString(16).padStart(12, '0');
  return `${digits.slice(0, 8)}-${digits.slice(8)}${id.slice(13)}`;
}
