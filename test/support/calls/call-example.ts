/** Calls an operation with the example request of the contract, and with credentials that the operation accepts. */
import type { Mode, ModelOperation } from '@tillhook/openapi';
import type { Role } from '@tillhook/server/src/kit/permissions.ts';
import type { JsonResponse, TestMerchant, TestServer } from '../server/tillhook.ts';
import { beginSession } from '../users/session.ts';

/** The default value of each path parameter. No row in the database has one of these ids or references. */
const unknownIds: Record<string, string> = {
  id: '019aa3c4-9d1e-7c52-8f3a-1b2c3d4e5f60',
  reference: 'order-1042',
  kind: 'transfer',
};

/** The security schemes. A request with a session also sends the mode in the header `X-Service-Mode`. */
export type Scheme = 'apiKeyHeader' | 'bearerAuth' | 'dashboardSession';

export const schemes: readonly Scheme[] = ['apiKeyHeader', 'bearerAuth', 'dashboardSession'];

/**
 * Returns the security schemes that an operation accepts, in the order of the contract. The list is empty if the
 * operation needs no credential.
 */
export function schemesOf({ security }: ModelOperation): Scheme[] {
  const first = security.map(([scheme]) => scheme);
  return first.filter((scheme) => scheme !== undefined && scheme !== 'serviceMode');
}

/** Returns the first role that may call the operation, or `merchant` if the operation lists no roles. */
export function roleOf({ roles: [usual = 'merchant'] }: ModelOperation): Role {
  return usual;
}

/** Returns the merchant's test key, or the token of a new session if the scheme is `dashboardSession`. */
export async function credentialOf(
  server: TestServer,
  merchant: TestMerchant,
  { scheme, role }: { scheme: Scheme; role?: Role },
): Promise<string> {
  return scheme === 'dashboardSession' ? (await beginSession(server, merchant, role)).token : merchant.testKey;
}

/** Returns the headers that send this credential. */
export function credentialHeaders(scheme: Scheme, credential: string, mode: Mode = 'test'): Record<string, string> {
  switch (scheme) {
    case 'apiKeyHeader':
      return { 'x-api-key': credential };
    case 'bearerAuth':
      return { authorization: `Bearer ${credential}` };
    case 'dashboardSession':
      return { cookie: `tillhook_session=${credential}`, 'x-service-mode': mode };
  }
}

/**
 * Returns headers that authenticate the merchant by the operation's first security scheme, or no headers if the
 * operation needs no credential.
 */
export async function headersFor(
  server: TestServer,
  operation: ModelOperation,
  merchant: TestMerchant,
): Promise<Record<string, string>> {
  const [scheme] = schemesOf(operation);
  return scheme
    ? credentialHeaders(scheme, await credentialOf(server, merchant, { scheme, role: roleOf(operation) }))
    : {};
}

/** Returns the path of the operation with values for the path parameters. */
export function pathOf({ path }: ModelOperation, parameters = unknownIds): string {
  return path.replaceAll(/\{(\w+)\}/g, (_, name) => encodeURIComponent(parameters[name] ?? unknownIds[name] ?? ''));
}

interface Call {
  headers?: Record<string, string>;
  /** Replaces the path of the operation. */
  path?: string;
  /** Replaces the example body of the contract. */
  body?: string;
}

/** Sends a request to the operation. The default body is the first example of the contract. */
export function callOperation(
  server: TestServer,
  operation: ModelOperation,
  { headers = {}, path = pathOf(operation), body = exampleBody(operation) }: Call,
): Promise<JsonResponse> {
  const json = body === undefined ? {} : { body, headers: { 'content-type': 'application/json', ...headers } };
  return server.request(path, { method: operation.method.toUpperCase(), headers, ...json });
}

function exampleBody({ body }: ModelOperation): string | undefined {
  const [first] = body?.examples.values() ?? [];
  return first && JSON.stringify(first.value);
}
