import {
  answerHeaderNames,
  closeSchemas,
  type ModelContent,
  type ModelOperation,
  readContract,
  type Schema,
} from '@tillhook/openapi';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { observe } from './contract-coverage.ts';

const { document, model } = readContract();
// ajv does not validate the schemas, because the server has already done so. Code optimisation is off, because it takes
// as long as the compilation.
const ajv = new Ajv2020({ strict: false, allErrors: true, validateSchema: false, code: { optimize: false } });
addFormats.default(ajv);
ajv.addFormat('idn-email', /^[^@\s]+@[^@\s]+$/);
ajv.addSchema({ ...closeSchemas(document), $id: 'contract' });

const routes = model.operations.map((operation) => ({
  operation,
  matches: new RegExp(`^${operation.path.replaceAll(/\{[^}]+\}/g, '[^/]+')}$`),
}));

/** Checks status, media type, headers and body of every response against the contract, and records the status. */
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
  if (!documented) throw new Error(`${name} is not in the contract: ${await response.text()}`);
  for (const [header, { isRequired, schema }] of documented.headers) {
    const value = response.headers.get(header);
    if (value === null && isRequired) throw new Error(`${name} lacks the header ${header}`);
    if (value !== null && !validatorOf(schema)(headerValue(schema, value)))
      throw new Error(`${name} has a wrong ${header}: ${value}`);
  }
  const undocumented = ownHeaders.filter((header) => response.headers.has(header) && !documented.headers.has(header));
  if (undocumented.length > 0) throw new Error(`${name} has undocumented headers: ${undocumented.join(', ')}`);
  if (isCsv(response)) checkCsv(name, documented.csv, await response.text());
  else if (documented.content) await checkBody(name, documented.content, response);
  else if (await response.text()) throw new Error(`${name} has a body, but the contract documents none`);
  observe(operation.id, response.status);
}

/** A response may have a header of this set only if the contract describes the header for this response. */
const ownHeaders = [...answerHeaderNames(model), 'Deprecation', 'Sunset'];

/** The value of a header is text, even if its schema has the type integer. */
function headerValue(schema: Schema, text: string): string | number {
  return schema.type === 'integer' ? Number(text) : text;
}

async function checkBody(name: string, { schema }: ModelContent, response: Response): Promise<void> {
  const type = response.headers.get('content-type') ?? '';
  if (!type.startsWith('application/json'))
    throw new Error(`${name} has the media type ${type} instead of application/json`);
  const validate = validatorOf(schema);
  const body: unknown = await response.json();
  if (!validate(body))
    throw new Error(`${name} has a wrong body: ${ajv.errorsText(validate.errors)}\n${JSON.stringify(body)}`);
  const { success = response.ok } = Object(body);
  if (success !== response.ok) throw new Error(`${name} has a body with success: ${success}`);
}

function isCsv(response: Response): boolean {
  return response.headers.get('content-type')?.startsWith('text/csv') ?? false;
}

function checkCsv(name: string, documented: ModelContent | null, text: string): void {
  const columns = Object.keys(documented?.schema['x-columns'] ?? {}).join(',');
  const [first] = text.split('\r\n');
  if (!documented || first !== columns) throw new Error(`${name} has columns that differ from the contract: ${first}`);
}

const validators = new Map<string, ValidateFunction>();

function validatorOf({ pointer }: Schema): ValidateFunction {
  const validate = validators.get(pointer) ?? ajv.compile({ $ref: `contract#${pointer}` });
  validators.set(pointer, validate);
  return validate;
}
