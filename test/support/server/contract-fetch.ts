import {
  answerHeaderNames,
  closed,
  type ModelContent,
  type ModelOperation,
  readContract,
  type Schema,
} from '@tillhook/openapi';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { observe } from './contract-coverage.ts';

const { document, model } = readContract();
// The server has already validated the contract's schemas.
// Code optimisation is off, because each process compiles these schemas and uses them only a few times: optimising took
// as long as compiling.
const ajv = new Ajv2020({ strict: false, allErrors: true, validateSchema: false, code: { optimize: false } });
addFormats.default(ajv);
ajv.addFormat('idn-email', /^[^@\s]+@[^@\s]+$/);
ajv.addSchema({ ...closed(document), $id: 'contract' });

const routes = model.operations.map((operation) => ({
  operation,
  matches: new RegExp(`^${operation.path.replaceAll(/\{[^}]+\}/g, '[^/]+')}$`),
}));

/**
 * A `fetch` that checks every response against the contract: its status must be documented, and its media type,
 * required headers and body must be as described, with nothing undocumented. It also records the statuses that were
 * seen.
 */
export const contractFetch: typeof fetch = async (input, init) => {
  const response = await fetch(input, init);
  const request = input instanceof Request ? input : new Request(input, { method: init?.method ?? 'GET' });
  const { pathname } = new URL(request.url);
  const route = routes.find(({ operation, matches }) => isMethod(operation, request.method) && matches.test(pathname));
  if (route) await check(route.operation, response.clone());
  return response;
};

const isMethod = (operation: ModelOperation, method: string) => operation.method === method.toLowerCase();

async function check(operation: ModelOperation, response: Response): Promise<void> {
  const name = `${operation.id} ${response.status}`;
  const documented = operation.answers.get(response.status);
  if (!documented) throw new Error(`${name} is not documented: ${await response.text()}`);
  for (const [header, { isRequired, schema }] of documented.headers) {
    const value = response.headers.get(header);
    if (value === null && isRequired) throw new Error(`${name} lacks the header ${header}`);
    if (value !== null && !validatorOf(schema)(headerValue(schema, value)))
      throw new Error(`${name} has a wrong ${header}: ${value}`);
  }
  const undocumented = ownHeaders.filter((header) => response.headers.has(header) && !documented.headers.has(header));
  if (undocumented.length > 0) throw new Error(`${name} sends ${undocumented.join(' and ')}, undocumented`);
  if (isCsv(response)) checkCsv(name, documented.csv, await response.text());
  else if (documented.content) await checkBody(name, documented.content, response);
  else if (await response.text()) throw new Error(`${name} has a body, but the contract documents none`);
  observe(operation.id, response.status);
}

/**
 * The headers that the contract describes for any response, and those of deprecation. If a response has one of them,
 * the contract must describe it there.
 */
const ownHeaders = [...answerHeaderNames(model), 'Deprecation', 'Sunset'];

/** A header is text. If its schema says integer, it is converted before the validation. */
function headerValue(schema: Schema, text: string): string | number {
  return schema.type === 'integer' ? Number(text) : text;
}

async function checkBody(name: string, { schema }: ModelContent, response: Response): Promise<void> {
  const type = response.headers.get('content-type') ?? '';
  if (!type.startsWith('application/json')) throw new Error(`${name} is ${type}, not application/json`);
  const validate = validatorOf(schema);
  const body: unknown = await response.json();
  if (!validate(body))
    throw new Error(`${name} has a wrong body: ${ajv.errorsText(validate.errors)}\n${JSON.stringify(body)}`);
  const { success = response.ok } = Object(body);
  if (success !== response.ok) throw new Error(`${name} says success: ${success}`);
}

function isCsv(response: Response): boolean {
  return response.headers.get('content-type')?.startsWith('text/csv') ?? false;
}

function checkCsv(name: string, documented: ModelContent | null, text: string): void {
  const columns = Object.keys(documented?.schema['x-columns'] ?? {}).join(',');
  const [first] = text.split('\r\n');
  if (!documented || first !== columns)
    throw new Error(`${name} has other columns than the contract documents: ${first}`);
}

const validators = new Map<string, ValidateFunction>();

function validatorOf({ pointer }: Schema): ValidateFunction {
  const validate = validators.get(pointer) ?? ajv.compile({ $ref: `contract#${pointer}` });
  validators.set(pointer, validate);
  return validate;
}
