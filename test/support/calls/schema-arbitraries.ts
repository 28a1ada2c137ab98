/** A schema with an unknown keyword throws an error, so that no new keyword stays untested. */
import type { Schema, SchemaType } from '@tillhook/openapi';
import fc, { type Arbitrary } from 'fast-check';

const keywords = new Set(
  `name pointer type description default writeOnly const enum format pattern minLength maxLength minimum maximum
   items minItems maxItems properties required additionalProperties propertyNames minProperties maxProperties`.split(
    /\s+/,
  ),
);

const typesOf = ({ type }: Schema): SchemaType[] => [type ?? []].flat();

type Bound = 'minimum' | 'maximum' | 'maxLength' | 'maxItems' | 'maxProperties';

/** Throws if the schema lacks the limit, because the contract must limit every value that a caller may send. */
function boundOf(schema: Schema, name: Bound): number {
  const bound = schema[name];
  if (bound === undefined) throw new Error(`The schema has no ${name}, so no values can be generated for it.`);
  return bound;
}

function itemsOf({ items }: Schema): Schema {
  if (!items) throw new Error('The schema of a list has no items, so no values can be generated for it.');
  return items;
}

export function validValue(schema: Schema): Arbitrary<unknown> {
  const unsupported = Object.keys(schema).filter((keyword) => !keywords.has(keyword) && !keyword.startsWith('x-'));
  if (unsupported.length > 0) throw new Error(`The schema has unsupported keywords: ${unsupported.join(', ')}.`);
  if ('const' in schema) return fc.constant(schema.const);
  if (schema.enum) return fc.constantFrom(...schema.enum);
  return fc.oneof(...typesOf(schema).map((type) => ofType(type, schema)));
}

function ofType(type: string, schema: Schema): Arbitrary<unknown> {
  switch (type) {
    case 'null':
      return fc.constant(null);
    case 'boolean':
      return fc.boolean();
    case 'integer':
      return validInteger({
        min: boundOf(schema, 'minimum'),
        max: Math.min(boundOf(schema, 'maximum'), Number.MAX_SAFE_INTEGER),
      });
    case 'string':
      return validString(schema);
    case 'array':
      return validArray(schema);
    case 'object':
      return validObject(schema);
    default:
      throw new Error(`The schema has an unsupported type: ${type}.`);
  }
}

/** Generates each of the two limits in a third of all cases, because code fails most often at a limit. */
function validInteger({ min, max }: { min: number; max: number }): Arbitrary<number> {
  return fc.oneof(fc.constant(min), fc.constant(max), fc.integer({ min, max }));
}

function validArray(schema: Schema): Arbitrary<unknown> {
  const item = validValue(itemsOf(schema));
  const lengths = { minLength: schema.minItems ?? 0, maxLength: atMostFive(boundOf(schema, 'maxItems')) };
  return fc.array(item, lengths);
}

const atMostFive = (max: number) => Math.min(max, 5);

function validString(schema: Schema): Arbitrary<string> {
  const { format, pattern, minLength = 0 } = schema;
  const maxLength = boundOf(schema, 'maxLength');
  return stringOf(format, pattern, { minLength, maxLength: Math.min(maxLength, 300) }).filter(
    (text) => text.length >= minLength && [...text].length <= maxLength,
  );
}

interface Lengths {
  minLength: number;
  maxLength: number;
}

const moment = fc
  .tuple(
    fc.date({ min: new Date('1970-01-01'), max: new Date('2199-12-31'), noInvalidDate: true }),
    fc.option(fc.integer({ min: -1439, max: 1439 }), { freq: 1 }),
  )
  .map(([date, offset]) => (offset === null ? date.toISOString() : withOffset(date, offset)));

function withOffset(date: Date, minutes: number): string {
  const digits = (count: number) => String(Math.trunc(count)).padStart(2, '0');
  const size = Math.abs(minutes);
  const offset = `${minutes < 0 ? '-' : '+'}${digits(size / 60)}:${digits(size % 60)}`;
  return new Date(date.getTime() + minutes * 60_000).toISOString().replace('Z', offset);
}

/** `fc.webUrl` would do the same, but building it takes most of a second in each process. */
const webAddress = fc
  .tuple(fc.constantFrom('http', 'https'), fc.domain(), fc.array(fc.string({ unit: 'grapheme' }), { maxLength: 5 }))
  .map(([scheme, domain, path]) => [`${scheme}://${domain}`, ...path.map(encodeURIComponent)].join('/'));

const anythingButNul = '^[^\\u0000]*$';

function stringOf(format: string | undefined, pattern: string | undefined, lengths: Lengths): Arbitrary<string> {
  switch (format) {
    case 'idn-email':
      return fc.emailAddress();
    case 'uuid':
      return fc.uuid();
    case 'uri':
      return webAddress;
    case 'date-time':
      return moment;
    case undefined:
      if (pattern && pattern !== anythingButNul) return matching(pattern);
      return fc.string({ ...lengths, unit: 'grapheme' }).filter((text) => !text.includes('\0') && text.isWellFormed());
    default:
      throw new Error(`The schema has an unsupported format: ${format}.`);
  }
}

/** fast-check does not support lookaheads, so strings are generated without them and filtered by the whole pattern. */
function matching(pattern: string): Arbitrary<string> {
  const whole = new RegExp(pattern, 'u');
  return fc.stringMatching(new RegExp(pattern.replace(/\(\?![^)]*\)/, ''), 'u')).filter((text) => whole.test(text));
}

function validObject(schema: Schema): Arbitrary<unknown> {
  const { properties = {}, required = [] } = schema;
  if (Object.keys(properties).length === 0) return validMap(schema);
  const values = Object.fromEntries(Object.entries(properties).map(([name, property]) => [name, validValue(property)]));
  return fc
    .record(values, { requiredKeys: [...required] })
    .map((value) => ({ ...value }))
    .filter((value) => Object.keys(value).length >= (schema.minProperties ?? 0));
}

function validMap(schema: Schema): Arbitrary<unknown> {
  const { pointer, propertyNames, additionalProperties } = schema;
  if (additionalProperties === false) return fc.constant({});
  if (typeof additionalProperties !== 'object')
    throw new Error('The schema of a map has no schema for its values, so no values can be generated for it.');
  const key = validString({ pointer, maxLength: 40, minLength: 1, ...propertyNames });
  return fc.dictionary(
    key.filter((name) => name !== '__proto__'),
    validValue(additionalProperties),
    { maxKeys: atMostFive(boundOf(schema, 'maxProperties')) },
  );
}

export interface Mistake {
  /** The error response must contain this JSON pointer to the mistake. */
  pointer: string;
  how: string;
  apply(value: unknown): unknown;
}

export function mistakesOf(schema: Schema): Mistake[] {
  const { properties = {}, required = [] } = schema;
  return [
    ...(schema.additionalProperties === false ? [unknownField] : []),
    ...required.map((name) => ({
      pointer: `/${name}`,
      how: `${name} is missing`,
      apply: (value: unknown) => Object.fromEntries(Object.entries(value as object).filter(([key]) => key !== name)),
    })),
    ...Object.entries(properties).flatMap(([name, property]) =>
      wrongValues(property).map(([how, wrong]) => ({
        pointer: `/${name}`,
        how: `${name} ${how}`,
        apply: (value: unknown) => ({ ...(value as object), [name]: wrong }),
      })),
    ),
  ];
}

const unknownField: Mistake = {
  pointer: '/colour',
  how: 'a field is unknown',
  apply: (value) => ({ ...(value as object), colour: 'red' }),
};

export function wrongValues(schema: Schema): [how: string, value: unknown][] {
  const types = typesOf(schema);
  const wrong: [string, unknown][] = [];
  if (!types.includes('null')) wrong.push(['is null', null]);
  if (schema.enum || 'const' in schema) wrong.push(['is not an allowed value', 'chartreuse']);
  if (types.includes('integer')) wrong.push(...wrongIntegers(schema));
  if (types.includes('string') && !schema.enum) wrong.push(...wrongStrings(schema));
  if (types.includes('boolean')) wrong.push(['is not a boolean', 'yes']);
  if (types.includes('array')) wrong.push(...wrongArrays(schema));
  if (types.includes('object')) wrong.push(['is not an object', 'one'], ['is an array', []]);
  return wrong;
}

function wrongArrays(schema: Schema): [string, unknown][] {
  const { minItems } = schema;
  const wrong: [string, unknown][] = [
    ['is not an array', 'one'],
    ['is too long', Array(boundOf(schema, 'maxItems') + 1).fill('x')],
  ];
  if (minItems) wrong.push(['is an empty array', []]);
  return wrong;
}

function wrongIntegers(schema: Schema): [string, unknown][] {
  const [minimum, maximum] = [boundOf(schema, 'minimum'), boundOf(schema, 'maximum')];
  return [
    ['is a string', '12x'],
    ['is a fraction', minimum + 0.5],
    ['is too small', minimum - 1],
    ['is too large', maximum + 1],
    ['is far too large', 1e300],
    ['is an object', {}],
  ];
}

function wrongStrings(schema: Schema): [string, unknown][] {
  const { format, pattern, minLength } = schema;
  const wrong: [string, unknown][] = [
    ['is an object', {}],
    ['is an array', ['x']],
    ['is too long', 'x'.repeat(boundOf(schema, 'maxLength') + 1)],
    ['contains U+0000', 'abc\0def'],
    ['contains a lone surrogate', 'abc\ud800def'],
  ];
  if (minLength) wrong.push(['is empty', '']);
  if (format) wrong.push([`is not a valid ${format}`, 'neither here nor there']);
  if (pattern && pattern !== anythingButNul) wrong.push(['does not match its pattern', textOutside(pattern)]);
  return wrong;
}

function textOutside(pattern: string): string {
  const text = ['\u{1f9fe} <\u202e>', ' '].find((candidate) => !new RegExp(pattern, 'u').test(candidate));
  if (text === undefined)
    throw new Error(`Every candidate string matches the pattern ${pattern}, so no invalid text can be generated.`);
  return text;
}
