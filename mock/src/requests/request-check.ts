/** Mock and service use different validators, but make their messages with the same code in `openapi/rules/`. */

import type { ModelOperation } from '@tillhook/openapi';
import { allProblems } from '@tillhook/openapi/rules/beyond-schemas';
import { isCrossSite } from '@tillhook/openapi/rules/credentials';
import { addressProblem, addressRules } from '@tillhook/openapi/rules/fields';
import { unstorableStrings } from '@tillhook/openapi/rules/json-body';
import type { Problem } from '@tillhook/openapi/rules/problems';
import { otherSite, wrongMediaType } from '@tillhook/openapi/rules/sentences';
import { shortened } from '@tillhook/openapi/rules/shorten';
import type { ErrorObject, ValidateFunction } from 'ajv';
import { ApiError, validationError } from './api-error.ts';
import type { Mode } from './credentials.ts';
import { isJson, type MockRequest } from './request.ts';
import { refTo, type Schemas } from './schemas.ts';

export interface Checked extends Pick<MockRequest, 'headers' | 'query' | 'body'> {
  mode: Mode | null;
  path: Record<string, string>;
}

/** Throws a single error with all problems. Converts values in the query to the types of their schemas. */
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
    const { wholeLengths, ...short } = shortened(request, operation);
    Object.assign(request, short);
    const { query, headers, path } = request;
    if (body) refuseMediaType(request, body.isRequired);
    wrapSingleValues(operation, query);
    const bySchema = [
      ...parameterProblems(validatorOf(operation), { query, headers, path }),
      ...(body ? bodyProblems(schemas.ofJson(body.schema.pointer), request.body, body.isRequired) : []),
    ];
    if (bySchema.length === 0 && operation.security.length === 0 && isCrossSite(headers)) {
      throw new ApiError(...otherSite);
    }
    const problems = allProblems(bySchema, { ...sentIn(request), wholeLengths }, operation);
    if (problems.length > 0) throw validationError(problems, operation);
  };
}

/** Choice: the mock accepts endpoints in private networks, because the receivers of developers are usually there. */
function sentIn({ body, query, mode }: Checked): Omit<Parameters<typeof allProblems>[1], 'wholeLengths'> {
  return {
    body,
    query,
    queryNames: Object.keys(query),
    unstorable: unstorableStrings(body),
    addressProblem: (address, owner) => addressProblem(address, addressRules(owner, mode)),
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

/** Converts a repeatable parameter that came only once to a list: `status=failed` → `['failed']`. */
function wrapSingleValues({ parameters }: ModelOperation, query: Checked['query']): void {
  for (const { name, schema } of parameters) {
    const value = query[name];
    if (schema.type === 'array' && typeof value === 'string' && value !== '') query[name] = [value];
  }
}

function refuseMediaType({ headers }: Checked, isRequired: boolean): void {
  if (isJson(headers) || (!isRequired && headers['content-type'] === undefined)) return;
  throw new ApiError(...wrongMediaType);
}

function parameterProblems(validate: ValidateFunction, parameters: ParametersByPart): Problem[] {
  return problemsIn(validate, parameters).map((problem) => {
    const [, part] = problem.pointer.split('/', 2) as [string, keyof ParametersByPart];
    return { ...problem, part, pointer: problem.pointer.slice(part.length + 1) };
  });
}

type ParametersByPart = Record<'query' | 'headers' | 'path', unknown>;

function bodyProblems(validate: ValidateFunction, body: unknown, isRequired: boolean): Problem[] {
  if (body !== undefined) return problemsIn(validate, body);
  return isRequired ? [{ part: 'body', pointer: '', rule: 'required', message: '' }] : [];
}

/** Sets `part` to `body` in every problem; the check of parameters replaces `part`. */
export function problemsIn(validate: ValidateFunction, value: unknown): Problem[] {
  return validate(value) ? [] : (validate.errors ?? []).map(problemOf);
}

function problemOf({ instancePath, keyword, message = '', params }: ErrorObject): Problem {
  const missing = params.missingProperty ?? params.additionalProperty;
  const pointer = missing === undefined ? instancePath : `${instancePath}/${missing}`;
  const allowed = keyword === 'enum' ? `: ${params.allowedValues.join(', ')}` : '';
  return { part: 'body', pointer, rule: keyword, message: `${message}${allowed}` };
}
