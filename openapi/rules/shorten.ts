/**
 * Shortens the values of a request before a validator sees them. A list keeps one item more than its maximum, a text
 * one character, and a map one field. All objects together keep at most as many unknown fields as one response can
 * report. So the validator still rejects what is too long, but the contract bounds its work and the number of its
 * problems. Without this, a body of 100 KiB could have tens of thousands of problems. A text with `x-also-as-text`
 * becomes a list, because the schema describes only the list.
 * See docs/decisions/requests.md, "A request is shortened before it is validated".
 */
import type { ModelOperation } from '../model/model.ts';
import type { Schema, SchemaType } from '../model/schema.ts';
import { pointerToken } from './json-body.ts';
import { maxProblems } from './problems.ts';

/**
 * The maximum number of query parameters that are read. No operation has nearly as many, so in a longer query one of
 * them is unknown or repeated, and the request is rejected.
 */
export const maxParameters = 250;

export interface Shortened {
  body: unknown;
  query: Record<string, unknown>;
  /** The original lengths of shortened values, by the part of the request and the JSON pointer: `body/lineItems`. */
  wholeLengths: ReadonlyMap<string, number>;
}

/** The part of a request that a validator sees. It has nothing from inside a value of a wrong type or an unknown field. */
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
 * Normalises a whole number in a query for the validators. They would also accept `0x10`, `1e2` and ` 5`, so any text
 * without digits alone becomes empty, which is no number. A number that overflows to infinity breaks no limit for them,
 * so it becomes the largest finite number.
 */
function wholeNumber(text: string): string {
  if (!/^-?\d+$/.test(text)) return '';
  const number = Number(text);
  return Number.isFinite(number) ? text : String(Math.sign(number) * Number.MAX_VALUE);
}

interface Place {
  schema: Schema;
  /** The part of the request, then the JSON pointer: `body/lineItems/0`. */
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
  // In UTF-16, a character takes one or two code units.
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

/** Counts characters as JSON Schema does: a character is a code point. */
export function charactersIn(text: string): number {
  return firstCharacters(text, Infinity).count;
}

/** Counts the characters of a text up to a maximum, and returns the index after the last counted one. */
function firstCharacters(text: string, most: number): { count: number; end: number } {
  // Most texts have no surrogate pairs, and testing for them is far faster than counting.
  if (!/[\ud800-\udfff]/.test(text)) return { count: Math.min(most, text.length), end: Math.min(most, text.length) };
  let [count, end] = [0, 0];
  while (count < most && end < text.length) {
    end += Number(text.codePointAt(end)) > 0xffff ? 2 : 1;
    count += 1;
  }
  return { count, end };
}
