import { type ContractDocument, type ContractOperation, operationsOf, readContract } from '@tillhook/openapi';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { observe } from './coverage.ts';

const { document } = readContract();
// The server has held every schema to the schema of schemas before it listens.
const ajv = new Ajv2020({ strict: false, allErrors: true, validateSchema: false });
addFormats.default(ajv);
ajv.addSchema({ ...document, $id: 'contract' });

const routes = operationsOf(document).map((operation) => ({
  operation,
  matches: new RegExp(`^${operation.path.replaceAll(/\{[^}]+\}/g, '[^/]+')}$`),
}));

/**
 * A `fetch` that holds every answer to the contract: the status is documented, the media type, the required headers and
 * the body are as described. It also notes which documented statuses were seen.
 */
export const contractFetch: typeof fetch = async (input, init) => {
  const response = await fetch(input, init);
  const request = input instanceof Request ? input : new Request(input, { method: init?.method ?? 'GET' });
  const { pathname } = new URL(request.url);
  const route = routes.find(({ operation, matches }) => isMethod(operation, request.method) && matches.test(pathname));
  if (route) await check(route.operation, response.clone());
  return response;
};

const isMethod = (operation: ContractOperation, method: string) => operation.method === method.toLowerCase();

async function check(operation: ContractOperation, response: Response): Promise<void> {
  const name = `${operation.id} ${response.status}`;
  const documented = resolve(operation.definition.responses[response.status]);
  if (!documented) throw new Error(`${name} is not documented: ${await response.text()}`);
  for (const [header, definition] of Object.entries<ContractDocument>(documented.headers ?? {})) {
    const value = response.headers.get(header);
    const { required, schema } = resolve(definition) ?? {};
    if (value === null && required) throw new Error(`${name} lacks the header ${header}`);
    if (value !== null && !ajv.validate(schema, headerValue(schema, value)))
      throw new Error(`${name} has a wrong ${header}: ${value}`);
  }
  if (documented.content) await checkBody(operation, response);
  else if (await response.text()) throw new Error(`${name} has a body, and none is documented`);
  observe(operation.id, response.status);
}

/** A header is text; the schema says what it stands for. */
function headerValue(schema: ContractDocument, text: string): string | number {
  return schema.type === 'integer' ? Number(text) : text;
}

async function checkBody(operation: ContractOperation, response: Response): Promise<void> {
  const name = `${operation.id} ${response.status}`;
  const type = response.headers.get('content-type') ?? '';
  if (!type.startsWith('application/json')) throw new Error(`${name} is ${type}, not application/json`);
  const validate = bodyValidator(operation, response.status);
  const body: unknown = await response.json();
  if (!validate(body))
    throw new Error(`${name} has a wrong body: ${ajv.errorsText(validate.errors)}\n${JSON.stringify(body)}`);
}

const validators = new Map<string, ValidateFunction>();

function bodyValidator({ id, path, method, definition }: ContractOperation, status: number): ValidateFunction {
  const name = `${id} ${status}`;
  const found = validators.get(name);
  if (found) return found;
  const ref = definition.responses[status].$ref as string | undefined;
  const pointer = ref?.slice(1) ?? `/paths/${escapePointer(path)}/${method}/responses/${status}`;
  const compiled = ajv.compile({ $ref: `contract#${pointer}/content/${escapePointer('application/json')}/schema` });
  validators.set(name, compiled);
  return compiled;
}

const escapePointer = (key: string) => encodeURIComponent(key.replaceAll('~', '~0').replaceAll('/', '~1'));

function resolve(value: ContractDocument | undefined): ContractDocument | undefined {
  if (typeof value?.$ref !== 'string') return value;
  return value.$ref
    .slice(2)
    .split('/')
    .reduce<ContractDocument>((node, key) => node[key], document);
}
