/**
 * A place in the document of the contract: a value and its JSON pointer. The model is read place by place, so that each
 * value is checked when it is read, and each error names its line. `follow` is the only function that follows a `$ref`.
 */
import type { components } from '../generated/contract.ts';
import type { Known } from './known.ts';

/** The contract is broken; the message begins with the file and the line that is wrong. */
export class ContractError extends Error {
  override name = 'ContractError';
}

/** A document, and the lines of its values in the yaml. */
export interface Source {
  document: object;
  /** The file and the line that have the value with this path, such as `contract/payments.yaml:12`. */
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

/** The place at a key of this place. Its value is undefined when there is no such key. */
export function at(place: Place, key: string): Place {
  const { source, pointer, value } = place;
  return { source, pointer: `${pointer}/${escaped(key)}`, value: isRecord(value) ? value[key] : undefined };
}

/** The keys of an object with their places; empty when the value is undefined. */
export function entriesOf(place: Place): [key: string, place: Place][] {
  const { value } = place;
  if (value === undefined) return [];
  if (!isRecord(value)) throw wrong(place, 'must be an object');
  return Object.keys(value).map((key) => [key, at(place, key)]);
}

/** The places of the items of a list; empty when the value is undefined. */
export function itemsOf(place: Place): Place[] {
  const { source, pointer, value } = place;
  if (value === undefined) return [];
  if (!Array.isArray(value)) throw wrong(place, 'must be a list');
  return value.map((item, index) => ({ source, pointer: `${pointer}/${index}`, value: item }));
}

/** The value of a place. Throws when it is missing or fails the check. */
export function required<Value>(place: Place, is: Check<Value>): Value {
  if (is(place.value)) return place.value;
  throw wrong(place, place.value === undefined ? 'is missing' : 'has a value that is not known to the model');
}

/** The value of a place, or `other` when it is missing. Throws when it fails the check. */
export function optional<Value, Other>(place: Place, is: Check<Value>, other: Other): Value | Other {
  return place.value === undefined ? other : required(place, is);
}

/** Throws when an object has a key that is not in `known`. The model would ignore such a key without a word. */
export function knowOnly(place: Place, known: readonly string[]): void {
  const { value } = place;
  if (!isRecord(value)) throw wrong(place, value === undefined ? 'is missing' : 'must be an object');
  for (const key of Object.keys(value)) {
    if (!known.includes(key) && value[key] !== undefined) throw wrong(at(place, key), 'is not known to the model');
  }
}

/** The place that a `$ref` of this place leads to. That place may have a `$ref` too. */
export function follow(place: Place, ref: string): Place {
  const value = lookUp(place.source.document, ref);
  if (value === undefined) throw wrong(place, `leads to ${ref}, where nothing is`);
  return { source: place.source, pointer: ref.slice(1), value };
}

export function refOf({ value }: Place): string | undefined {
  return isRecord(value) && typeof value.$ref === 'string' ? value.$ref : undefined;
}

/** The value at a reference of the form `#/components/…`. */
export function lookUp(document: object, ref: string): unknown {
  // `decodeURIComponent` throws when a percent sign encodes nothing.
  if (!ref.startsWith('#/') || /%(?![\da-f]{2})/i.test(ref)) return undefined;
  return keysIn(ref.slice(1)).reduce<unknown>((node, key) => (isRecord(node) ? node[key] : undefined), document);
}

/** The error for a place, with its line. */
export function wrong({ source, pointer }: Place, message: string): ContractError {
  const path = keysIn(pointer);
  return new ContractError(`${source.lineOf(path)}: ${path.at(-1)} ${message}`);
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

/** A check that a value has a type. */
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

/**
 * A check that a schema of the document lists a value. The generated type of the schema has the same values.
 */
export function isValueOf<Name extends keyof Schemas>({ document }: Source, name: Name): Check<Known<Schemas[Name]>> {
  const closed = lookUp(document, `#/components/schemas/${name}/enum`);
  const open = lookUp(document, `#/components/schemas/${name}/x-extensible-enum`);
  const values: unknown[] = Array.isArray(closed) ? closed : Object.keys(Object(open));
  return (value): value is Known<Schemas[Name]> => values.includes(value);
}

/** The JSON pointer of these keys. */
export function pointerTo(keys: readonly (string | number)[]): string {
  return keys.map((key) => `/${escaped(String(key))}`).join('');
}

/** A key, escaped for a JSON pointer in the fragment of a URL. */
function escaped(key: string): string {
  return /^[\w-]+$/.test(key) ? key : encodeURIComponent(key.replaceAll('~', '~0').replaceAll('/', '~1'));
}

/** The keys of a JSON pointer. */
export function keysIn(pointer: string): string[] {
  const keys = pointer.split('/').slice(1);
  return keys.map((key) => decodeURIComponent(key).replaceAll('~1', '/').replaceAll('~0', '~'));
}
