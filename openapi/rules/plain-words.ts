/** Replaces the validators' messages, such as `must NOT have more than 50 items`, with sentences in plain words. */
import { emailProblem, notAnEmail } from './fields.ts';
import type { Problem } from './problems.ts';
import { charactersIn } from './shorten.ts';

/** Makes the sentence that follows the name of the field. `length` is undefined for a value without a length. */
type Words = (found: string, length: number | undefined, value: unknown) => string;

/** For each JSON Schema keyword: the message of the validator, and the function that makes our sentence. */
const words: Readonly<Record<string, readonly [said: RegExp, Words]>> = {
  maxItems: [/ (\d+) items$/, (max, length) => tooMany(max, length, 'item')],
  minItems: [/ (\d+) items$/, (min, length) => tooFew(min, length, 'item')],
  maxLength: [/ (\d+) characters$/, (max, length) => tooMany(max, length, 'character')],
  minLength: [/ (\d+) characters$/, (min, length) => tooFew(min, length, 'character')],
  maxProperties: [/ (\d+) properties$/, (max, length) => tooMany(max, length, 'field')],
  minProperties: [/ (\d+) properties$/, (min) => `must have at least ${counted(Number(min), 'field')}`],
  minimum: [/^must be >= (\S+)$/, (min) => `must be at least ${min}`],
  maximum: [/^must be <= (\S+)$/, (max) => `must be at most ${max}`],
  enum: [/^must be equal to one of the allowed values: (.*)$/s, (allowed) => `must be one of: ${allowed}`],
  type: [/^must be ([\w,]+)$/, (types) => `must be ${types.split(',').map(typeInWords).join(' or ')}`],
  format: [
    /^must match format "(.*)"$/,
    (format, _length, value) =>
      (format === 'idn-email' && typeof value === 'string' && emailProblem(value)) ||
      (formats[format] ?? `must have the format ${format}`),
  ],
  pattern: [/^must match pattern "(.*)"$/s, (pattern) => patterns[pattern] ?? 'is not written as it must be'],
};

const formats: Readonly<Record<string, string>> = {
  uri: 'must be a web address, such as https://shop.example.com',
  'idn-email': notAnEmail,
  'date-time': 'must be a time of RFC 3339, such as 2026-11-21T10:00:00Z',
  uuid: 'must be a UUID',
};

/** Our sentence for the only pattern that has no `x-pattern-message`: any text without U+0000. */
const patterns: Readonly<Record<string, string>> = { '^[^\\u0000]*$': 'must not contain U+0000' };

const types: Readonly<Record<string, string>> = {
  string: 'a string',
  integer: 'a whole number',
  number: 'a number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
};

const typeInWords = (type: string) => types[type] ?? type;

/** The result contains no pattern, because people cannot read patterns; `x-pattern-message` explains the pattern. */
export function plainWords(
  { rule, message }: Pick<Problem, 'rule' | 'message'>,
  value: unknown,
  wholeLength = lengthOf(value),
): string {
  const [said, inWords] = Object.hasOwn(words, rule) ? (words[rule] ?? []) : [];
  const found = said?.exec(message);
  return found && inWords ? inWords(found[1] ?? '', wholeLength, value) : message;
}

function tooMany(max: string, length: number | undefined, unit: string): string {
  const limit = Number(max);
  if (length === undefined || length <= limit) return `must have at most ${counted(limit, unit)}`;
  return `has ${counted(length, unit)}; at most ${limit} ${limit === 1 ? 'is' : 'are'} allowed`;
}

function tooFew(min: string, length: number | undefined, unit: string): string {
  const limit = Number(min);
  if (limit === 1) return 'must not be empty';
  if (length === undefined || length >= limit) return `must have at least ${counted(limit, unit)}`;
  return `has ${counted(length, unit)}; at least ${limit} are needed`;
}

function lengthOf(value: unknown): number | undefined {
  if (typeof value === 'string') return charactersIn(value);
  return value !== null && typeof value === 'object' ? Object.keys(value).length : undefined;
}

function counted(count: number, unit: string): string {
  return `${count} ${unit}${count === 1 ? '' : 's'}`;
}

export function valueAt(value: unknown, pointer: string): unknown {
  const keys = pointer.split('/').slice(1);
  return keys.reduce<unknown>((inside, key) => {
    const name = key.replaceAll('~1', '/').replaceAll('~0', '~');
    return inside !== null && typeof inside === 'object' && Object.hasOwn(inside, name)
      ? Reflect.get(inside, name)
      : undefined;
  }, value);
}
