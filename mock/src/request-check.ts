/**
 * Holds a request to the contract, and words what is wrong as the service does. Written apart from the service's own
 * validation on purpose: `test/mock/agreement.test.ts` is where the two meet.
 */
import { type ErrorCode, type ModelOperation, type Schema, schemaAt } from '@tillhook/openapi';
import type { ErrorObject, ValidateFunction } from 'ajv';
import { beyondSchemas } from './beyond-schemas.ts';
import { type Mode, refuseOtherSites } from './credentials.ts';
import { Refusal } from './refusal.ts';
import { isJson, type MockRequest } from './request.ts';
import { refTo, type Schemas } from './schemas.ts';
import { mostProblems, type Problem, unknownQueries, unstorable } from './unforeseen.ts';

export interface Checked extends Pick<MockRequest, 'headers' | 'query' | 'body'> {
  mode: Mode | null;
  path: Record<string, string>;
}

/** Throws the refusal of everything that is wrong at once. The query's values become what their schemas say. */
export type RequestCheck = (operation: ModelOperation, request: Checked) => void;

export function createRequestCheck(schemas: Schemas): RequestCheck {
  const validators = new Map<string, ValidateFunction>();
  const validatorOf = (operation: ModelOperation) => {
    const validate = validators.get(operation.id) ?? schemas.ofText(parametersSchema(operation));
    validators.set(operation.id, validate);
    return validate;
  };
  return (operation, request) => {
    const { body } = operation;
    if (body) refuseMediaType(request, body.isRequired);
    const bySchema = [
      ...problemsIn(validatorOf(operation), { query: request.query, headers: request.headers, path: request.path }),
      ...(body ? bodyProblems(schemas.ofJson(body.schema.pointer), request.body, body.isRequired) : []),
    ];
    if (bySchema.length === 0 && operation.security.length === 0) refuseOtherSites(request.headers);
    const found = [...bySchema, ...unknownQueries(operation, request.query), ...unstorable(request.body)];
    const isFound = ({ keys }: Problem) => found.some((other) => other.keys.join('/') === keys.join('/'));
    const problems = [...found, ...beyondSchemas(operation, request).filter((other) => !isFound(other))];
    if (problems.length > 0) throw refusalOf(problems, operation);
  };
}

function parametersSchema({ parameters }: ModelOperation) {
  const schemaOf = (place: string, nameOf = (name: string) => name) => {
    const here = parameters.filter((parameter) => parameter.in === place);
    return {
      type: 'object',
      properties: Object.fromEntries(here.map(({ name, schema }) => [nameOf(name), refTo(schema.pointer)])),
      required: here.filter(({ isRequired }) => isRequired).map(({ name }) => nameOf(name)),
    };
  };
  const properties = {
    query: schemaOf('query'),
    headers: schemaOf('header', (name) => name.toLowerCase()),
    path: schemaOf('path'),
  };
  return { type: 'object', properties };
}

function refuseMediaType({ headers }: Checked, isRequired: boolean): void {
  if (isJson(headers) || (!isRequired && headers['content-type'] === undefined)) return;
  throw new Refusal('unsupported_media_type', 'The request body must be application/json in UTF-8');
}

function problemsIn(validate: ValidateFunction, value: unknown): Problem[] {
  return validate(value) ? [] : (validate.errors ?? []).map((error) => problemOf(error, 1));
}

function bodyProblems(validate: ValidateFunction, body: unknown, isRequired: boolean): Problem[] {
  if (body === undefined) return isRequired ? [{ keys: [], rule: 'required', message: '' }] : [];
  return validate(body) ? [] : (validate.errors ?? []).map((error) => ({ ...problemOf(error, 0), isOfBody: true }));
}

/** The first key of a parameter's place says only where it stood. */
export function problemOf({ instancePath, keyword, message = '', params }: ErrorObject, leftOut: number): Problem {
  const missing = params.missingProperty ?? params.additionalProperty;
  const path = missing === undefined ? instancePath : `${instancePath}/${missing}`;
  const allowed = keyword === 'enum' ? `: ${params.allowedValues.join(', ')}` : '';
  return { keys: path.split('/').slice(1 + leftOut), rule: keyword, message: `${message}${allowed}` };
}

function refusalOf(problems: readonly Problem[], operation: ModelOperation): Refusal {
  const found = withoutDoubles(problems)
    .slice(0, mostProblems)
    .map((problem) => translate(problem, operation));
  const [first] = found as [Translated, ...Translated[]];
  if (first.path === '' && first.rule === 'required') return new Refusal('invalid_json', 'The request body is empty');
  const param = first.path.split('/')[1]?.slice(0, longest.param);
  return new Refusal(first.code, `${param ?? 'The body'} ${first.message}`, {
    ...(param !== undefined && { param }),
    details: found.map(({ path, rule, message }) => ({
      path: path.slice(0, longest.path),
      code: rule,
      message: message.slice(0, longest.message),
    })),
  });
}

/** The longest that the contract allows. */
const longest = { param: 200, path: 400, message: 500 };

/** What cannot be stored breaks a pattern too, which says the same in other characters. */
function withoutDoubles(problems: readonly Problem[]): Problem[] {
  const placeOf = ({ keys }: Problem) => keys.join('/');
  const unstorable = new Set(problems.filter(({ rule }) => rule === 'characters').map(placeOf));
  return problems.filter((problem) => problem.rule !== 'pattern' || !unstorable.has(placeOf(problem)));
}

type Translated = ReturnType<typeof translate>;

function translate({ keys, rule, message, isOfBody }: Problem, { body }: ModelOperation) {
  const schema = isOfBody ? schemaAt(body?.schema, keys) : undefined;
  const path = keys.map((key) => `/${key}`).join('');
  return { path, rule, code: codeFor(rule, schema), message: wording(rule, message, schema) };
}

function codeFor(rule: string, schema: Schema | undefined): ErrorCode {
  if (rule === 'required') return 'missing_parameter';
  if (rule === 'additionalProperties' || rule === 'unknown') return 'unknown_parameter';
  if (rule === 'type') return 'invalid_parameter';
  if (rule === 'invalid_url' || rule === 'unsupported_currency') return rule;
  return schema?.['x-error-code'] ?? 'invalid_parameter';
}

function wording(rule: string, message: string, schema: Schema | undefined): string {
  if (rule === 'required') return 'is required';
  if (rule === 'additionalProperties') return 'is not a field of this operation';
  if (rule === 'unknown') return 'is not a parameter of this operation';
  return (rule === 'pattern' && schema?.['x-pattern-message']) || message;
}
