/**
 * What the contract says of each operation of the SDK. The client with a key has those that take one, and the client of a session
 * those that take a session; `signIn`, which takes neither and begins a session, belongs to the latter. `x-sdk-method` names
 * the method; an operation without one is there all the same, under its tag and its own name.
 */
import { type ContractDocument, type ContractOperation, follow, operationsOf } from '@tillhook/openapi';

export interface SdkOperation {
  id: string;
  method: string;
  path: string;
  resource: string;
  verb: string;
  credential: 'bearer' | 'x-api-key' | 'session';
  takesKey: boolean;
  takesSession: boolean;
  isKeyed: boolean;
  pathParameters: Parameter[];
  hasQuery: boolean;
  /** Header parameters other than `Idempotency-Key`, which is an option of its own. */
  headers: Parameter[];
  body?: { type: string; isRequired: boolean; example: unknown };
  /** The property that holds a list's records. */
  items?: string;
  /** It takes `from` and `to`. */
  isTimed: boolean;
  definition: ContractDocument;
}

export interface Parameter {
  name: string;
  /** `string`, or the schema that narrows it. */
  type: string;
  description: string;
  example: unknown;
}

export function sdkOperations(document: ContractDocument): SdkOperation[] {
  return operationsOf(document).map((operation) => sdkOperation(document, operation));
}

function sdkOperation(document: ContractDocument, operation: ContractOperation): SdkOperation {
  const { id, method, path, definition } = operation;
  const name: string = definition['x-sdk-method'] ?? `${camelCase(definition.tags[0])}.${id}`;
  const [resource = '', verb = ''] = name.split('.');
  const within = parametersOf(document, operation);
  const schemes = (definition.security ?? document.security).flatMap((way: object) => Object.keys(way));
  const headers = within('header').filter(({ name }) => name !== 'Idempotency-Key');
  const made: SdkOperation = {
    id,
    method,
    path,
    resource,
    verb,
    ...credentialOf(schemes),
    isKeyed: within('header').length > headers.length,
    pathParameters: within('path').map((parameter) => parameterOf(document, parameter)),
    hasQuery: within('query').length > 0,
    headers: headers.map((header) => parameterOf(document, header)),
    body: bodyOf(document, operation),
    items: itemsOf(document, definition),
    isTimed: within('query').some(({ name }) => name === 'to'),
    definition,
  };
  const required = [...within('query'), ...headers].find((parameter) => parameter.required);
  const fault = faultOf(made, required?.name);
  if (fault) throw new Error(`${id}: the SDK has no method for this. ${fault}`);
  return made;
}

function credentialOf(schemes: readonly string[]): Pick<SdkOperation, 'credential' | 'takesKey' | 'takesSession'> {
  const [keyScheme] = ['apiKeyHeader', 'bearerAuth'].filter((scheme) => schemes.includes(scheme));
  const takesSession = schemes.includes('dashboardSession') || schemes.length === 0;
  if (!keyScheme) return { credential: 'session', takesKey: false, takesSession };
  return { credential: keyScheme === 'apiKeyHeader' ? 'x-api-key' : 'bearer', takesKey: true, takesSession };
}

/** The operation's own and those of its path; what stands in the path in the order in which it stands there. */
function parametersOf(document: ContractDocument, { path, definition }: ContractOperation) {
  const all = [...(document.paths[path].parameters ?? []), ...(definition.parameters ?? [])];
  const parameters = all.map((parameter) => follow(document, parameter));
  const placeOf = ({ name }: ContractDocument) => path.indexOf(`{${name}}`);
  return (place: string): ContractDocument[] =>
    parameters.filter((parameter) => parameter.in === place).sort((one, other) => placeOf(one) - placeOf(other));
}

/** What a contract may say and a method here cannot: better no SDK than one that is wrong. */
function faultOf(operation: SdkOperation, required: string | undefined): string | undefined {
  const { resource, verb, body, hasQuery, pathParameters, definition } = operation;
  const names = [resource, verb, ...pathParameters.map(({ name }) => name)];
  if (!names.every((name) => /^[a-z][A-Za-z0-9]*$/.test(name))) return `${names.join(', ')}: one of these is no name.`;
  if (body && hasQuery) return 'It takes a body and a query.';
  if (required) return `It requires ${required}, and a method requires only what stands in the path and the body.`;
  const success = ['200', '201', '202'].find((status) => status in definition.responses);
  return success ? undefined : 'It documents no success with a body: 200, 201 or 202.';
}

function parameterOf(document: ContractDocument, parameter: ContractDocument): Parameter {
  const { name, description, example, examples, schema } = parameter;
  const [named] = Object.values<ContractDocument>(examples ?? {});
  const type = schema?.$ref && follow(document, schema).enum ? schemaName(schema.$ref) : 'string';
  return { name, type, description: (description ?? '').trim(), example: example ?? named?.value };
}

function bodyOf(document: ContractDocument, { id, definition }: ContractOperation): SdkOperation['body'] {
  if (!definition.requestBody) return undefined;
  const { required, content } = follow(document, definition.requestBody);
  const { schema, examples } = content['application/json'];
  const [first] = Object.values<ContractDocument>(examples ?? {});
  const type = schema.$ref ? schemaName(schema.$ref) : `Body<'${id}'>`;
  return { type, isRequired: required === true, example: first?.value };
}

/** A list answers with one array of records and their total. */
function itemsOf(document: ContractDocument, { responses }: ContractDocument): string | undefined {
  const schema = follow(document, follow(document, responses[200] ?? {}).content?.['application/json'].schema ?? {});
  if (!schema.properties?.total) return undefined;
  const arrays = Object.entries<ContractDocument>(schema.properties).filter(([, { type }]) => type === 'array');
  return arrays.length === 1 ? arrays[0]?.[0] : undefined;
}

/** `Error` would hide the language's own. */
export function schemaName(ref: string): string {
  const name = ref.split('/').at(-1) ?? '';
  return name === 'Error' ? 'ErrorBody' : name;
}

export function camelCase(words: string): string {
  const [first = '', ...rest] = words.split(/[^A-Za-z0-9]+/);
  return first.toLowerCase() + rest.map((word) => word.charAt(0).toUpperCase() + word.slice(1).toLowerCase()).join('');
}
