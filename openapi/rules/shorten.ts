/**
 * Shortens long values, because a body of 100 KiB could have tens of thousands of problems. A shortened value stays one
 * item, character or field longer than its maximum, so that the validator still rejects the value.
 * See docs/decisions/requests.md, "A request is shortened before it is validated".
 */
import type { ModelOperation } from '../model/model.ts';
import type { Schema, SchemaType } from '../model/schema.ts';
import { pointerToken } from './json-body.ts';
import { maxProblems } from './problems.ts';

/** No operation has nearly as many parameters, so a longer query has a repeated or unknown parameter and fails. */
export const maxParameters = 250;

export interface Shortened {
  body: unknown;
  query: Record<string, unknown>;
  /** The lengths before shortening, keyed by the part of the request and the JSON pointer, such as `body/lineItems`. */
  wholeLengths: ReadonlyMap<string, number>;
}

/** Values of a wrong type become empty, and unknown fields become null. */
export function shortened(
  { body, query }: { body: unknown; query: Readonly<Record<string, unknown>> },
  operation: ModelOperation | undefined,
): Shortened {
  const wholeLengths = new Map<string, number>();
  const cut = { wholeLengths, unknownFieldsLeft: maxProblems };
  const queries = Object.entries(query).map(([name, value]) => {
    const schema = operation?.parameters.find((one) => one.in === 'query' && one.name === name)?.schema;
    if (!schema) return [name, value];
    if (schema.type === 'integer' && typeof value === 'string') return [name, wholeNumber(value)];
    return [name, shorten(value, { schema, pointer: `query/${pointerToken(name)}`, cut })];
  });
  const schema = operation?.body?.schema;
  return {
    body: schema && body !== undefined ? shorten(body, { schema, pointer: 'body', cut }) : undefined,
    query: Object.fromEntries(queries),
    wholeLengths,
  };
}

/**
 * Validators would accept `0x10`, `1e2` and ` 5`, so these texts become empty. Validators do not compare infinity with
 * the maximum, so a number that overflows to infinity becomes the largest finite number.
 */
function wholeNumber(text: string): string {
  if (!/^-?\d+$/.test(text)) return '';
  const number = Number(text);
  return Number.isFinite(number) ? text : String(Math.sign(number) * Number.MAX_VALUE);
}

interface Place {
  schema: Schema;
  /** The part of the request, followed by the JSON pointer: `body/lineItems/0`. */
  pointer: string;
  cut: { wholeLengths: Map<string, number>; unknownFieldsLeft: number };
}

function shorten(value: unknown, place: Place): unknown {
  if (typeof value === 'string') {
    return place.schema['x-also-as-text'] ? shortList(namesIn(value), place) : shortText(value, place);
  }
  if (value === null || typeof value !== 'object') return value;
  if (Array.isArray(value)) return takes(place, 'array') ? shortList(value, place) : [];
  return takes(place, 'object') ? shortObject(value as Record<string, unknown>, place) : {};
}

function namesIn(text: string): string[] {
  return text === '' ? [] : text.split(',');
}

function takes({ schema: { type } }: Place, wanted: SchemaType): boolean {
  return Array.isArray(type) ? type.includes(wanted) : type === wanted;
}

function shortText(text: string, { schema: { maxLength = Infinity }, pointer, cut }: Place): string {
  // A character takes at least one UTF-16 code unit, so a text has at most `length` characters.
  if (text.length <= maxLength) return text;
  const { end } = firstCharacters(text, maxLength + 1);
  if (end >= text.length) return text;
  cut.wholeLengths.set(pointer, maxLength + 1 + charactersIn(text.slice(end)));
  return text.slice(0, end);
}

function shortList(list: readonly unknown[], { schema, pointer, cut }: Place): unknown[] {
  const { maxItems = Infinity, items } = schema;
  if (list.length > maxItems + 1) cut.wholeLengths.set(pointer, list.length);
  const left = list.slice(0, maxItems + 1);
  return items
    ? left.map((item, index) => shorten(item, { schema: items, pointer: `${pointer}/${index}`, cut }))
    : left;
}

function shortObject(whole: Record<string, unknown>, { schema, pointer, cut }: Place): object {
  const { properties = {}, additionalProperties, maxProperties = Infinity } = schema;
  const names = Object.keys(whole);
  if (names.length > maxProperties + 1) cut.wholeLengths.set(pointer, names.length);
  const left: [name: string, value: unknown][] = [];
  for (const name of names) {
    if (left.length > maxProperties) break;
    const known = Object.hasOwn(properties, name) ? properties[name] : undefined;
    const field = known ?? (typeof additionalProperties === 'object' ? additionalProperties : undefined);
    if (field) {
      left.push([name, shorten(whole[name], { schema: field, pointer: `${pointer}/${pointerToken(name)}`, cut })]);
    } else if (cut.unknownFieldsLeft > 0) {
      cut.unknownFieldsLeft -= 1;
      left.push([name, null]);
    }
  }
  return Object.fromEntries(left);
}

/** JSON Schema counts each code point as a character. */
export function charactersIn(text: string): number {
  return firstCharacters(text, Infinity).count;
}

/** `end` is the index after the last counted character. */
function firstCharacters(text: string, max: number): { count: number; end: number } {
  // Most texts have no surrogate pairs, and checking for surrogate pairs is far faster than counting characters.
  if (!/[\ud800-\udfff]/.test(text)) return { count: Math.min(max, text.length), end: Math.min(max, text.length) };
  let [count, end] = [0, 0];
  while (count < max && end < text.length) {
    end += Number(text.codePointAt(end)) > 0xffff ? 2 : 1;
    count += 1;
  }
  return { count, end };
}
