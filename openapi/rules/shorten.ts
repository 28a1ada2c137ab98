/**
 * Shortens what a request sends, before a validator looks at it: a list has one item more than the contract allows, a text
 * one character, a map one field, and all objects together have at most as many unknown fields as one answer names. So
 * the validator still refuses what is too long, but its work and the problems that it finds have a limit that only the
 * contract sets. Without this, a body of 100 KiB could have tens of thousands of problems. A text that stands for a list
 * (`x-also-as-text`) becomes the list, because the schema describes only that.
 * See docs/decisions/requests.md, "A request is shortened before it is validated".
 */
import type { ModelOperation } from '../model/model.ts';
import type { Schema, SchemaType } from '../model/schema.ts';
import { pointerToken } from './json-body.ts';
import { mostProblems } from './problems.ts';

/**
 * How many parameters of a query are read. Far more than any operation takes, so a query with more is refused for one of
 * these: it has an unknown one, or one too often.
 */
export const mostParameters = 250;

export interface Shortened {
  body: unknown;
  query: Record<string, unknown>;
  /** The lengths before, by the part and the JSON pointer of what was shortened, such as `body/lineItems`. */
  wholeLengths: ReadonlyMap<string, number>;
}

/** What a validator sees of a request. What is inside a value of a wrong type, or in an unknown field, is left out. */
export function shortened(
  { body, query }: { body: unknown; query: Readonly<Record<string, unknown>> },
  operation: ModelOperation | undefined,
): Shortened {
  const wholeLengths = new Map<string, number>();
  const cut = { wholeLengths, unknownFieldsLeft: mostProblems };
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
 * The text of a whole number in a query. The validators make numbers of texts, and take more than digits: `0x10`, `1e2`,
 * ` 5`. For them no limit is broken by a number that is not finite, so the largest one that is stands for it. Any other
 * text becomes one of which they make no number.
 */
function wholeNumber(text: string): string {
  if (!/^-?\d+$/.test(text)) return '';
  const number = Number(text);
  return Number.isFinite(number) ? text : String(Math.sign(number) * Number.MAX_VALUE);
}

interface Place {
  schema: Schema;
  /** The part of the request and the JSON pointer in it. */
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
  // A character takes one or two units of a string.
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

/** The number of characters as JSON Schema counts them: a character is a code point. */
export function charactersIn(text: string): number {
  return firstCharacters(text, Infinity).count;
}

/** How many characters a text has, at most `most`, and where they end. */
function firstCharacters(text: string, most: number): { count: number; end: number } {
  // In most texts each character is one unit of the string, and to see that takes far less time than to count.
  if (!/[\ud800-\udfff]/.test(text)) return { count: Math.min(most, text.length), end: Math.min(most, text.length) };
  let [count, end] = [0, 0];
  while (count < most && end < text.length) {
    end += Number(text.codePointAt(end)) > 0xffff ? 2 : 1;
    count += 1;
  }
  return { count, end };
}
