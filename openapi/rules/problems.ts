/** Server and mock find problems with different validators, but describe them with the same sentences. */
import type { components } from '../generated/contract.ts';
import type { KnownValues } from '../model/known-values.ts';
import type { ModelOperation } from '../model/model.ts';
import { type Schema, schemaAt } from '../model/schema.ts';
import { noBody } from './sentences.ts';

export interface Problem {
  /** Undefined when the URL itself is malformed. */
  part: 'body' | 'query' | 'path' | 'headers' | undefined;
  /** The JSON pointer of the field or parameter within `part`. */
  pointer: string;
  /** The JSON Schema keyword that the value breaks, or the name of a rule that no schema can express. */
  rule: string;
  /** The sentence after the name of the field. `wording` replaces the sentence for some rules. */
  message: string;
}

export interface ValidationError {
  code: ErrorCode;
  message: string;
  param?: string;
  details: { path: string; code: string; message: string }[];
}

type ErrorCode = KnownValues<components['schemas']['ErrorCode']>;

/** See docs/decisions/contract.md, "Patterns take linear time, and at most a hundred problems are reported". */
export const maxProblems = 100;

/** The maximum lengths in the contract. Without a maximum, a field name could make a message as long as the body. */
const maxLength = { param: 200, path: 400, message: 500 };

/** The error has the code of its first problem. `x-error-code` sets the code of problems with a field's value. */
export function validationErrorOf(
  problems: readonly Problem[],
  operation: ModelOperation | undefined,
): ValidationError {
  const found = firstOf(withoutDoubles(problems), maxProblems).map((problem) => worded(problem, operation));
  const [first] = found;
  if (!first) return { code: 'invalid_parameter', message: 'The request is not valid', details: [] };
  if (first.pointer === '' && first.rule === 'required') return { code: noBody[0], message: noBody[1], details: [] };
  const param = first.pointer.split('/')[1]?.slice(0, maxLength.param);
  const subject = first.pointer.slice(1, 1 + maxLength.param) || wholeOf(first);
  return {
    code: first.code,
    message: `${subject} ${first.message}`,
    ...(param && { param }),
    details: found.map(({ pointer, rule, message }) => ({
      path: pointer.slice(0, maxLength.path),
      code: rule,
      message: message.slice(0, maxLength.message),
    })),
  };
}

function wholeOf({ rule }: { rule: string }): string {
  return rule === 'malformed' ? 'The address' : 'The body';
}

/** Drops the second problem of a string that cannot be stored (`pattern`) and of a wrong map key (`propertyNames`). */
function* withoutDoubles(problems: readonly Problem[]): Generator<Problem> {
  const unstorable = new Set(problems.filter(({ rule }) => rule === 'characters').map(placeOf));
  for (const problem of problems) {
    const isDouble = problem.rule === 'pattern' && unstorable.has(placeOf(problem));
    if (!isDouble && problem.rule !== 'propertyNames') yield problem;
  }
}

export function placeOf({ part, pointer }: Problem): string {
  return `${part}${pointer}`;
}

function worded({ part, pointer, rule, message }: Problem, operation: ModelOperation | undefined) {
  const [name = '', ...inside] = pointer.split('/').slice(1);
  const parameter = operation?.parameters.find((each) => placesOf[each.in] === part && isNamed(each, name));
  const schema =
    part === 'body' ? schemaAt(operation?.body?.schema, [name, ...inside]) : schemaAt(parameter?.schema, inside);
  return {
    pointer,
    rule,
    code: codeFor(rule, schema),
    message: wording(rule, message, schema),
  };
}

const placesOf = { query: 'query', path: 'path', header: 'headers' } as const;

function isNamed(parameter: { name: string; in: string }, name: string): boolean {
  return parameter.name === name || (parameter.in === 'header' && parameter.name.toLowerCase() === name.toLowerCase());
}

function codeFor(rule: string, schema: Schema | undefined): ErrorCode {
  if (rule === 'required') return 'missing_parameter';
  if (rule === 'additionalProperties' || rule === 'unknown') return 'unknown_parameter';
  if (rule === 'type') return 'invalid_parameter';
  // `beyond-schemas.ts` names rules such as `invalid_url` after their error codes.
  if (rule === 'invalid_url' || rule === 'unsupported_currency') return rule;
  return schema?.['x-error-code'] ?? 'invalid_parameter';
}

function wording(rule: string, message: string, schema: Schema | undefined): string {
  if (rule === 'required') return 'is required';
  if (rule === 'additionalProperties') return 'is not a field of this operation';
  if (rule === 'unknown') return 'is not a parameter of this operation';
  if (rule === 'empty') return 'must not be empty';
  if (rule === 'malformed') return 'is malformed';
  // A problem of a key is reported as a problem of the map that contains the key.
  const ofKeys = schema?.propertyNames;
  if (ofKeys && (rule === 'minLength' || rule === 'maxLength')) {
    return `must have keys of ${ofKeys.minLength ?? 0} to ${ofKeys.maxLength} characters`;
  }
  // `x-pattern-message` replaces the message with the pattern, because people cannot read patterns.
  return (rule === 'pattern' && (schema?.['x-pattern-message'] ?? ofKeys?.['x-pattern-message'])) || message;
}

/** Stops the iteration after `max` items, so that no further items are computed. */
export function firstOf<Item>(items: Iterable<Item>, max: number): Item[] {
  const found: Item[] = [];
  for (const item of items) {
    found.push(item);
    if (found.length >= max) break;
  }
  return found;
}
