/** Calls any operation of the contract with the contract's own example of a request. */
import type { ContractOperation } from '@tillhook/openapi';
import type { JsonResponse, TestServer } from './tillhook.ts';

/** What stands for each parameter of a path where no row is meant to be found. */
const nothingThere: Record<string, string> = {
  id: '019aa3c4-9d1e-7c52-8f3a-1b2c3d4e5f60',
  reference: 'order-1042',
  kind: 'transfer',
};

export function takesApiKeyHeader({ definition }: ContractOperation): boolean {
  return definition.security?.some((scheme: object) => 'apiKeyHeader' in scheme) ?? false;
}

export function keyHeader(operation: ContractOperation, key: string): Record<string, string> {
  return takesApiKeyHeader(operation) ? { 'x-api-key': key } : { authorization: `Bearer ${key}` };
}

/** The operation's path with its parameters filled in. */
export function pathOf({ path }: ContractOperation, parameters = nothingThere): string {
  return path.replaceAll(/\{(\w+)\}/g, (_, name) => encodeURIComponent(parameters[name] ?? nothingThere[name] ?? ''));
}

interface Call {
  headers?: Record<string, string>;
  /** Instead of the operation's own path. */
  path?: string;
  /** Instead of the contract's example. */
  body?: string;
}

/** With a key in the header that the operation takes it in, and the first example of its body. */
export function callExample(server: TestServer, operation: ContractOperation, key: string): Promise<JsonResponse> {
  return callAs(server, operation, { headers: keyHeader(operation, key) });
}

export function callAs(
  server: TestServer,
  operation: ContractOperation,
  { headers = {}, path = pathOf(operation), body = exampleBody(operation) }: Call,
): Promise<JsonResponse> {
  const json = body === undefined ? {} : { body, headers: { 'content-type': 'application/json', ...headers } };
  return server.request(path, { method: operation.method.toUpperCase(), headers, ...json });
}

function exampleBody({ definition }: ContractOperation): string | undefined {
  const examples = definition.requestBody?.content['application/json'].examples ?? {};
  const [first] = Object.values<{ value: unknown }>(examples);
  return first && JSON.stringify(first.value);
}
