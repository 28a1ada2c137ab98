/** The contract is read value by value, so that each error has a line number. Only `follow` resolves a `$ref`. */
import type { components } from '../generated/contract.ts';
import type { KnownValues } from './known-values.ts';

/** Thrown when the contract is broken. The message begins with the file and the line. */
export class ContractError extends Error {
  override name = 'ContractError';
}

export interface Source {
  document: object;
  /** Returns the file and the line of the value at this path, such as `contract/payments.yaml:12`. */
  lineOf(path: readonly (string | number)[]): string;
}

export interface Place {
  readonly source: Source;
  /** A JSON pointer into the document, escaped as in the fragment of a URL. */
  readonly pointer: string;
  readonly value: unknown;
}

export function rootOf(source: Source): Place {
  return { source, pointer: '', value: source.document };
}

export function at(place: Place, key: string): Place {
  const { source, pointer, value } = place;
  return { source, pointer: `${pointer}/${escaped(key)}`, value: isRecord(value) ? value[key] : undefined };
}

export function entriesOf(place: Place): [key: string, place: Place][] {
  const { value } = place;
  if (value === undefined) return [];
  if (!isRecord(value)) throw wrong(place, 'must be an object');
  return Object.keys(value).map((key) => [key, at(place, key)]);
}

export function itemsOf(place: Place): Place[] {
  const { source, pointer, value } = place;
  if (value === undefined) return [];
  if (!Array.isArray(value)) throw wrong(place, 'must be a list');
  return value.map((item, index) => ({ source, pointer: `${pointer}/${index}`, value: item }));
}

export function required<Value>(place: Place, is: Check<Value>): Value {
  if (is(place.value)) return place.value;
  throw wrong(place, place.value === undefined ? 'is missing' : 'has a value that is not known to the model');
}

export function optional<Value, Other>(place: Place, is: Check<Value>, other: Other): Value | Other {
  return place.value === undefined ? other : required(place, is);
}

/** Throws on an unknown key, which the model would silently ignore. */
export function knowOnly(place: Place, known: readonly string[]): void {
  const { value } = place;
  if (!isRecord(value)) throw wrong(place, value === undefined ? 'is missing' : 'must be an object');
  for (const key of Object.keys(value)) {
    if (!known.includes(key) && value[key] !== undefined) throw wrong(at(place, key), 'is not known to the model');
  }
}

/** Returns the target of a `$ref`, which may itself be a `$ref`. */
export function follow(place: Place, ref: string): Place {
  const value = lookUp(place.source.document, ref);
  if (value === undefined) throw wrong(place, `leads to ${ref}, which does not exist`);
  return { source: place.source, pointer: ref.slice(1), value };
}

export function refOf({ value }: Place): string | undefined {
  return isRecord(value) && typeof value.$ref === 'string' ? value.$ref : undefined;
}

export function lookUp(document: object, ref: string): unknown {
  // `decodeURIComponent` throws on a malformed percent encoding.
  if (!ref.startsWith('#/') || /%(?![\da-f]{2})/i.test(ref)) return undefined;
  return keysIn(ref.slice(1)).reduce<unknown>((node, key) => (isRecord(node) ? node[key] : undefined), document);
}

export function wrong({ source, pointer }: Place, message: string): ContractError {
  const path = keysIn(pointer);
  return new ContractError(`${source.lineOf(path)}: ${path.at(-1)} ${message}`);
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

export type Check<Value> = (value: unknown) => value is Value;

export function isText(value: unknown): value is string {
  return typeof value === 'string';
}

export function isNumber(value: unknown): value is number {
  return typeof value === 'number';
}

export function isFlag(value: unknown): value is boolean {
  return typeof value === 'boolean';
}

export function isOneOf<const Value extends string>(values: readonly Value[]): Check<Value> {
  return (value): value is Value => values.some((known) => known === value);
}

export function isListOf<Value>(is: Check<Value>): Check<Value[]> {
  return (value): value is Value[] => Array.isArray(value) && value.every(is);
}

type Schemas = components['schemas'];

export function isValueOf<Name extends keyof Schemas>(
  { document }: Source,
  name: Name,
): Check<KnownValues<Schemas[Name]>> {
  const closed = lookUp(document, `#/components/schemas/${name}/enum`);
  const open = lookUp(document, `#/components/schemas/${name}/x-extensible-enum`);
  const values: unknown[] = Array.isArray(closed) ? closed : Object.keys(Object(open));
  return (value): value is KnownValues<Schemas[Name]> => values.includes(value);
}

export function pointerTo(keys: readonly (string | number)[]): string {
  return keys.map((key) => `/${escaped(String(key))}`).join('');
}

function escaped(key: string): string {
  return /^[\w-]+$/.test(key) ? key : encodeURIComponent(key.replaceAll('~', '~0').replaceAll('/', '~1'));
}

export function keysIn(pointer: string): string[] {
  const keys = pointer.split('/').slice(1);
  return keys.map((key) => decodeURIComponent(key).replaceAll('~1', '/').replaceAll('~0', '~'));
}
