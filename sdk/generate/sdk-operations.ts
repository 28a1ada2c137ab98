/**
 * What the contract says of each operation of the SDK. The client with a key has those that take one, and the client of a session
 * those that take a session; `signIn`, which takes neither and begins a session, belongs to the latter. `x-sdk-method` names
 * the method; an operation without one is there all the same, under its tag and its own name.
 */
import type { Model, ModelBody, ModelOperation, ModelParameter, Schema } from '@tillhook/openapi';

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
  /** In the order in which they stand in the path. */
  pathParameters: Parameter[];
  hasQuery: boolean;
  /** Header parameters other than `Idempotency-Key`, which is an option of its own. */
  headers: Parameter[];
  body?: { type: string; isRequired: boolean; example: unknown };
  /** The property that holds a list's records. */
  items?: string;
  /** It takes `from` and `to`. */
  isTimed: boolean;
  /** What the contract says of it. */
  operation: ModelOperation;
}

export interface Parameter {
  name: string;
  /** `string`, or the schema that narrows it. */
  type: string;
  description: string;
  example: unknown;
}

export function sdkOperations({ operations }: Model): SdkOperation[] {
  return operations.map(sdkOperation);
}

function sdkOperation(operation: ModelOperation): SdkOperation {
  const { id, method, path, tag, sdkMethod, security, parameters, body, success } = operation;
  const [resource = '', verb = ''] = (sdkMethod ?? `${camelCase(tag)}.${id}`).split('.');
  const within = (place: ModelParameter['in']) => parameters.filter((parameter) => parameter.in === place);
  const placeOf = ({ name }: ModelParameter) => path.indexOf(`{${name}}`);
  const headers = within('header').filter(({ name }) => name !== 'Idempotency-Key');
  const made: SdkOperation = {
    id,
    method,
    path,
    resource,
    verb,
    ...credentialOf(security.flat()),
    isKeyed: within('header').length > headers.length,
    pathParameters: within('path')
      .sort((one, other) => placeOf(one) - placeOf(other))
      .map(parameterOf),
    hasQuery: within('query').length > 0,
    headers: headers.map(parameterOf),
    ...(body && { body: bodyOf(id, body) }),
    ...(operation.successStatus === 200 && success.content && itemsOf(success.content.schema)),
    isTimed: within('query').some(({ name }) => name === 'to'),
    operation,
  };
  const required = [...within('query'), ...headers].find(({ isRequired }) => isRequired);
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

/** What a contract may say and a method here cannot: better no SDK than one that is wrong. */
function faultOf(made: SdkOperation, required: string | undefined): string | undefined {
  const { resource, verb, body, hasQuery, pathParameters, operation } = made;
  const names = [resource, verb, ...pathParameters.map(({ name }) => name)];
  if (!names.every((name) => /^[a-z][A-Za-z0-9]*$/.test(name))) return `${names.join(', ')}: one of these is no name.`;
  if (body && hasQuery) return 'It takes a body and a query.';
  if (required) return `It requires ${required}, and a method requires only what stands in the path and the body.`;
  return operation.success.content ? undefined : 'It documents no success with a body: 200, 201 or 202.';
}

function parameterOf({ name, description, example, schema }: ModelParameter): Parameter {
  const type = schema.name && schema.enum ? schemaName(schema.name) : 'string';
  return { name, type, description: description.trim(), example };
}

function bodyOf(id: string, { isRequired, schema, examples }: ModelBody): SdkOperation['body'] {
  const [first] = examples.values();
  return { type: schema.name ? schemaName(schema.name) : `Body<'${id}'>`, isRequired, example: first?.value };
}

/** A list answers with one array of records and their total. */
function itemsOf({ properties = {} }: Schema): Pick<SdkOperation, 'items'> {
  if (!properties.total) return {};
  const [items, ...others] = Object.entries(properties).filter(([, { type }]) => type === 'array');
  return items && others.length === 0 ? { items: items[0] } : {};
}

/** `Error` would hide the language's own. */
export function schemaName(name: string): string {
  return name === 'Error' ? 'ErrorBody' : name;
}

export function camelCase(words: string): string {
  const [first = '', ...rest] = words.split(/[^A-Za-z0-9]+/);
  return first.toLowerCase() + rest.map((word) => word.charAt(0).toUpperCase() + word.slice(1).toLowerCase()).join('');
}
