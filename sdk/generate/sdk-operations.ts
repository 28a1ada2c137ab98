/** `x-sdk-method` names the method, such as `payments.get`; otherwise its name is the tag and the operationId. */
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
  pathParameters: Parameter[];
  hasQuery: boolean;
  /** The header parameters, except `Idempotency-Key`, which has its own option. */
  headers: Parameter[];
  body?: { type: string; isRequired: boolean; example: unknown };
  items?: string;
  takesAfter: boolean;
  isFeed: boolean;
  hasCsv: boolean;
  operation: ModelOperation;
}

export interface Parameter {
  name: string;
  /** `string`, or the name of a schema with an `enum`. */
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
  const sdk: SdkOperation = {
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
    takesAfter: within('query').some(({ name }) => name === 'after'),
    isFeed: within('query').some(({ name }) => name === 'wait'),
    hasCsv: success.csv !== null,
    operation,
  };
  const required = [...within('query'), ...headers].find(({ isRequired }) => isRequired);
  const fault = faultOf(sdk, required?.name);
  if (fault) throw new Error(`${id}: the SDK has no method for this operation. ${fault}`);
  return sdk;
}

function credentialOf(schemes: readonly string[]): Pick<SdkOperation, 'credential' | 'takesKey' | 'takesSession'> {
  // When an operation accepts the API key in `Authorization` and in `x-api-key`, the SDK sends `x-api-key`.
  // See docs/decisions/sdk.md, "createCheckout keeps its first header".
  const [keyScheme] = ['apiKeyHeader', 'bearerAuth'].filter((scheme) => schemes.includes(scheme));
  const takesSession = schemes.includes('dashboardSession') || schemes.length === 0;
  if (!keyScheme) return { credential: 'session', takesKey: false, takesSession };
  return { credential: keyScheme === 'apiKeyHeader' ? 'x-api-key' : 'bearer', takesKey: true, takesSession };
}

/** Returns the reason why the generator cannot make a correct method; undefined when the method is correct. */
function faultOf(made: SdkOperation, required: string | undefined): string | undefined {
  const { resource, verb, body, hasQuery, pathParameters, operation } = made;
  const names = [resource, verb, ...pathParameters.map(({ name }) => name)];
  if (!names.every((name) => /^[a-z][A-Za-z0-9]*$/.test(name)))
    return `${names.join(', ')}: one of these is not a name.`;
  if (body && hasQuery) return 'It takes a body and a query.';
  if (required) return `It requires ${required}, but a method can require only parameters of the path and the body.`;
  return operation.success.content ? undefined : 'It documents no success (200, 201 or 202) with a body.';
}

function parameterOf({ name, description, example, schema }: ModelParameter): Parameter {
  const type = schema.name && schema.enum ? schemaName(schema.name) : 'string';
  return { name, type, description: description.trim(), example };
}

function bodyOf(id: string, { isRequired, schema, examples }: ModelBody): SdkOperation['body'] {
  const [first] = examples.values();
  return { type: schema.name ? schemaName(schema.name) : `Body<'${id}'>`, isRequired, example: first?.value };
}

/** An operation is a list if its response has a `total` and one array of records. */
function itemsOf({ properties = {} }: Schema): Pick<SdkOperation, 'items'> {
  if (!properties.total) return {};
  const [items, ...others] = Object.entries(properties).filter(([, { type }]) => type === 'array');
  return items && others.length === 0 ? { items: items[0] } : {};
}

/** The contract's names are longer, because many languages have a built-in `Error` and `Event`. */
const shortNames: Readonly<Record<string, string>> = { ErrorResponse: 'ErrorBody', EventRecord: 'Event' };

export function schemaName(name: string): string {
  return shortNames[name] ?? name;
}

export function camelCase(words: string): string {
  const [first = '', ...rest] = words.split(/[^A-Za-z0-9]+/);
  return first.toLowerCase() + rest.map((word) => word.charAt(0).toUpperCase() + word.slice(1).toLowerCase()).join('');
}
