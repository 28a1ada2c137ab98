/**
 * Rules for addresses, colours and currencies that no schema can express and that need no look-up. Their problems are reported together
 * with those of the schemas, so that one answer names every problem that the request alone shows. What needs a record, a name
 * server or a processor is checked by the services afterwards.
 * See docs/decisions/requests.md, "One answer names all that a request shows to be wrong".
 */
import type { ModelOperation, Schema } from '@tillhook/openapi';
import type { Request } from 'express';
import { contrastProblem } from '../kit/contrast.ts';
import { isCurrency, unknownCurrency } from '../kit/money.ts';
import { webAddressProblem } from '../kit/web-address.ts';
import { type Problem, problemsBeyondSchemas, queryParameters } from './validation-error.ts';

type Asked = Pick<Request, 'body' | 'query' | 'originalUrl' | 'unstorable' | 'principal' | 'context'>;

interface Field {
  path: string;
  value: string;
  schema: Schema;
}

/** Everything that is wrong with a request: what the validator found, and what no schema can say. */
export function allProblems(
  bySchema: readonly Problem[],
  request: Asked,
  operation: ModelOperation | undefined,
): Problem[] {
  const found = [...bySchema, ...problemsBeyondSchemas(request, operation)];
  const paths = new Set(found.map(({ path }) => path));
  // Of a field that breaks its schema, the schema's rules say enough.
  return [...found, ...fieldProblems(request, operation).filter(({ path }) => !paths.has(path))];
}

/** Addresses first, then colours, then currencies. */
function fieldProblems(request: Asked, operation: ModelOperation | undefined): Problem[] {
  const queries = queryParameters(operation).map(({ name, schema }) => [name, schema] as const);
  const fields = [
    ...fieldsIn(request.body, 'body', operation?.body?.schema.properties ?? {}),
    ...fieldsIn(request.query, 'query', Object.fromEntries(queries)),
  ];
  return [
    ...fields.flatMap((field) => addressProblems(field, request)),
    ...fields.flatMap(({ path, value, schema }) => colourProblems(path, value, schema)),
    ...fields.filter(isUnknownCurrency).map(({ path }) => problem(path, 'unsupported_currency', unknownCurrency)),
  ];
}

function fieldsIn(values: unknown, part: string, schemas: Readonly<Record<string, Schema>>): Field[] {
  if (values === null || typeof values !== 'object') return [];
  return Object.entries(schemas).flatMap(([name, schema]) => {
    const value = Object.hasOwn(values, name) ? (values as Record<string, unknown>)[name] : undefined;
    return typeof value === 'string' ? [{ path: `/${part}/${name}`, value, schema }] : [];
  });
}

function addressProblems({ path, value, schema }: Field, { principal, context }: Asked): Problem[] {
  const { 'x-error-code': code, 'x-address-of': owner } = schema;
  if (code !== 'invalid_url') return [];
  const message = webAddressProblem(value, {
    httpsOnly: owner === 'logo' || (owner === 'customer' && principal?.mode === 'live'),
    ...(owner === 'endpoint' && { withoutFragment: true, allowedCidrs: context.config.webhookAllowCidrs }),
  });
  return message ? [problem(path, 'invalid_url', message)] : [];
}

function colourProblems(path: string, value: string, schema: Schema): Problem[] {
  const leastContrast = schema['x-contrast-with-white'];
  const message = leastContrast === undefined ? null : contrastProblem(value, leastContrast);
  return message ? [problem(path, 'invalid_parameter', message)] : [];
}

function isUnknownCurrency({ value, schema }: Field): boolean {
  return schema.name === 'Currency' && !isCurrency(value);
}

function problem(path: string, errorCode: string, message: string): Problem {
  return { path, errorCode, message };
}
