import { type ErrorCode, type ModelOperation, type ModelParameter, type Schema, schemaAt } from '@tillhook/openapi';
import type { Request } from 'express';
import { AppError } from '../kit/errors.ts';
import { firstOf } from '../kit/first-of.ts';

/** One problem as the validator reports it: `/body/amount`, `minimum.openapi.validation`. */
export interface Problem {
  path: string;
  message: string;
  errorCode?: string;
}

/**
 * The contract allows no more, and nobody corrects a hundred at once. Further problems are reported once these are corrected.
 * See docs/decisions/contract.md, "Patterns take linear time, and at most a hundred problems are reported".
 */
export const mostProblems = 100;

/** The longest that the contract allows; a name of the caller's may have the length of the whole body. */
const longest = { param: 200, path: 400, message: 500 };

/**
 * The validator's problems as one error of ours, the first hundred of them in `details`. The code is the first problem's; a
 * schema with `x-error-code` gives its own to every problem but a wrong type.
 */
export function validationError(problems: readonly Problem[], operation: ModelOperation | undefined): AppError {
  const reported = firstOf(withoutDoubles(problems), mostProblems);
  const found = reported.map((problem) => translate(problem, operation));
  const [first] = found;
  if (!first) return new AppError('invalid_parameter', 'The request is not valid');
  if (first.path === '' && first.rule === 'required') return new AppError('invalid_json', 'The request body is empty');
  const param = first.path.split('/')[1]?.slice(0, longest.param);
  const subject = param ?? (first.rule === 'malformed' ? 'The address' : 'The body');
  return new AppError(first.code, `${subject} ${first.message}`, {
    ...(param && { param }),
    details: found.map(({ path, rule, message }) => ({
      path: path.slice(0, longest.path),
      code: rule,
      message: message.slice(0, longest.message),
    })),
  });
}

/** What cannot be stored breaks a pattern too, which says the same in other characters. */
function* withoutDoubles(problems: readonly Problem[]): Generator<Problem> {
  const isUnstorable = ({ errorCode }: Problem) => errorCode === 'characters';
  const unstorable = new Set(problems.filter(isUnstorable).map(({ path }) => path));
  for (const problem of problems) {
    if (ruleOf(problem) !== 'pattern' || !unstorable.has(problem.path)) yield problem;
  }
}

/**
 * What no schema can say: query parameters that the operation does not have, and strings that cannot be stored. They are
 * reported together with what the validator found.
 */
export function problemsBeyondSchemas(
  request: Pick<Request, 'originalUrl' | 'unstorable'>,
  operation: ModelOperation | undefined,
): Problem[] {
  const known = queryParameters(operation).map(({ name }) => name);
  // As they were sent: the validator takes `limit[]` for `limit`.
  const query = request.originalUrl.split('?').slice(1).join('?');
  const sent = new Set(new URLSearchParams(query).keys());
  const unknown = [...sent].filter((name) => !known.includes(name));
  return [
    ...unknown.slice(0, mostProblems).map((name) => ({ path: `/query/${name}`, message: '', errorCode: 'unknown' })),
    ...(request.unstorable ?? []).map((path) => ({
      path: `/body${path}`,
      message: unstorable,
      errorCode: 'characters',
    })),
  ];
}

/** What the contract says of each query parameter of an operation. */
export function queryParameters(operation: ModelOperation | undefined): ModelParameter[] {
  return (operation?.parameters ?? []).filter((parameter) => parameter.in === 'query');
}

const unstorable = 'must not contain U+0000 or half of a surrogate pair';

const parts = ['body', 'query', 'path', 'params', 'headers', 'cookies'];

function translate(problem: Problem, operation: ModelOperation | undefined) {
  const { path, message } = problem;
  // Where an address cannot be decoded, the path is the address itself.
  const [, part = '', ...keys] = parts.includes(path.split('/')[1] ?? '') ? path.split('/') : [];
  const rule = ruleOf(problem);
  const pointer = keys.map((key) => `/${key}`).join('');
  const schema = part === 'body' ? schemaAt(operation?.body?.schema, keys) : undefined;
  return { path: pointer, rule, code: codeFor(rule, schema), message: wording(rule, message, schema) };
}

/**
 * Rules that the validator took over have its prefix. What it refuses before it has a schema to name carries no code, only a
 * sentence.
 */
function ruleOf({ errorCode, message }: Problem): string {
  const rule = errorCode?.split('.')[0]?.replace(/^x-eov-/, '');
  return rule ?? (message.startsWith('Empty value') ? 'empty' : 'malformed');
}

function codeFor(rule: string, schema: Schema | undefined): ErrorCode {
  if (rule === 'required') return 'missing_parameter';
  if (rule === 'additionalProperties' || rule === 'unknown') return 'unknown_parameter';
  if (rule === 'type') return 'invalid_parameter';
  // Rules of `field-problems.ts`, which have a code each.
  if (rule === 'invalid_url' || rule === 'unsupported_currency') return rule;
  return schema?.['x-error-code'] ?? 'invalid_parameter';
}

function wording(rule: string, message: string, schema: Schema | undefined): string {
  if (rule === 'required') return 'is required';
  if (rule === 'additionalProperties') return 'is not a field of this operation';
  if (rule === 'unknown') return 'is not a parameter of this operation';
  if (rule === 'empty') return 'must not be empty';
  if (rule === 'malformed') return 'is malformed';
  // A pattern is for machines.
  return (rule === 'pattern' && schema?.['x-pattern-message']) || message;
}
