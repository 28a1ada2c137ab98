/** Copies values of the request into an example, if the example has a field of the same name. */
import type { ModelOperation } from '@tillhook/openapi';
import type { Checked } from '../requests/request-check.ts';
import type { Schemas } from '../requests/schemas.ts';
import type { SeededList, SeedRecord } from './seeds.ts';

/** A value of the request is copied only if the answer then still fits its schema. */
export type Reflection = (operation: ModelOperation, request: Checked, body: unknown) => unknown;

export function createReflection(schemas: Schemas, lists: ReadonlyMap<string, SeededList>): Reflection {
  const seeds = [...lists.values()].flatMap(({ records }) => records);
  return (operation, request, body) => {
    if (!isRecord(body)) return body;
    const pointer = operation.success.content?.schema.pointer ?? '';
    const isEnveloped = isRecord(body.data) && 'success' in body;
    const wrapped = (record: SeedRecord) => (isEnveloped ? { ...body, data: record } : record);
    const record = isEnveloped ? (body.data as SeedRecord) : body;
    const fits = (candidate: SeedRecord) => schemas.ofJson(pointer)(wrapped(candidate));
    const sent = { ...sentBy(operation, request), ...(request.mode && { mode: request.mode }) };
    return wrapped(merged(fromSeeds(operation, request, { seeds, record }), sent, fits));
  };
}

function sentBy(operation: ModelOperation, { path, body }: Checked): SeedRecord {
  // The path parameters of a creation (201) identify the parent: the created record gets its own id and reference.
  const named = operation.successStatus === 200 ? path : ofOwner(operation.path, path);
  return { ...named, ...(isRecord(body) && body) };
}

/** Names path parameters after their owner: `reference` below `/payments/{reference}` is `paymentReference`. */
function ofOwner(template: string, path: Checked['path']): SeedRecord {
  const owned = [...template.matchAll(/([a-z]+)s\/\{(([a-z])([a-zA-Z]*))\}/g)];
  return Object.fromEntries(
    owned.map(([, owner, name = '', first = '', rest]) => [`${owner}${first.toUpperCase()}${rest}`, path[name]]),
  );
}

/** Returns the listed record with the id or reference of the path, so that a client can get every listed record. */
function fromSeeds(
  { method }: ModelOperation,
  { path }: Checked,
  { seeds, record }: { seeds: readonly SeedRecord[]; record: SeedRecord },
): SeedRecord {
  const names = Object.entries(path).filter(([name]) => name in record);
  if (method !== 'get' || names.length === 0) return record;
  const isLikeIt = (seed: SeedRecord) => Object.keys(seed).every((key) => key in record);
  const found = seeds.find((seed) => names.every(([name, value]) => seed[name] === value) && isLikeIt(seed));
  return found ? { ...record, ...found } : record;
}

function merged(record: SeedRecord, sent: SeedRecord, fits: (candidate: SeedRecord) => boolean): SeedRecord {
  let result = record;
  for (const [key, value] of Object.entries(sent)) {
    const example = record[key];
    if (!Object.hasOwn(record, key) || isMasked(example)) continue;
    const whole = { ...result, [key]: inAnswerForm(value, example) };
    const base = result;
    if (fits(whole)) result = whole;
    else if (isRecord(value) && isRecord(example))
      result = { ...base, [key]: merged(example, value, (inner) => fits({ ...base, [key]: inner })) };
  }
  return result;
}

/** Converts a list of names in the request to the text in the answer: `a,b`, or `*` for all names. */
function inAnswerForm(value: unknown, example: unknown): unknown {
  if (!Array.isArray(value) || typeof example !== 'string') return value;
  return value.includes('*') ? '*' : value.join(',');
}

function isMasked(value: unknown): boolean {
  return typeof value === 'string' && value.includes('•');
}

function isRecord(value: unknown): value is SeedRecord {
  return value !== null && typeof value === 'object' && !Array.isArray(value);
}
