/**
 * Calls any operation of the contract with the contract's example of a request and with credentials that it accepts.
 */
import type { Mode, ModelOperation } from '@tillhook/openapi';
import type { Role } from '@tillhook/server/src/kit/permissions.ts';
import type { JsonResponse, TestMerchant, TestServer } from '../server/tillhook.ts';
import { beginSession } from '../users/session.ts';

/** For each path parameter, a value that no row has. */
const unknownIds: Record<string, string> = {
  id: '019aa3c4-9d1e-7c52-8f3a-1b2c3d4e5f60',
  reference: 'order-1042',
  kind: 'transfer',
};

/** The kinds of credentials. A request with a session also names its mode in `X-Service-Mode`. */
export type Scheme = 'apiKeyHeader' | 'bearerAuth' | 'dashboardSession';

export const schemes: readonly Scheme[] = ['apiKeyHeader', 'bearerAuth', 'dashboardSession'];

/**
 * Returns the security schemes that an operation accepts, the usual one first. The list is empty if it needs no
 * credential.
 */
export function schemesOf({ security }: ModelOperation): Scheme[] {
  const first = security.map(([scheme]) => scheme);
  return first.filter((scheme) => scheme !== undefined && scheme !== 'serviceMode');
}

/** Returns the role of a user who may call the operation; the usual role if several may. */
export function roleOf({ roles: [usual = 'merchant'] }: ModelOperation): Role {
  return usual;
}

/** Returns the merchant's key of test mode, or the token of a new session. */
export async function credentialOf(
  server: TestServer,
  merchant: TestMerchant,
  { scheme, role }: { scheme: Scheme; role?: Role },
): Promise<string> {
  return scheme === 'dashboardSession' ? (await beginSession(server, merchant, role)).token : merchant.testKey;
}

/** Returns the headers with a credential. */
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
 * Returns the headers with which the merchant may call this operation, by its usual scheme; none if it needs no
 * credential.
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

/** Returns the operation's path with its parameters filled in. */
export function pathOf({ path }: ModelOperation, parameters = unknownIds): string {
  return path.replaceAll(/\{(\w+)\}/g, (_, name) => encodeURIComponent(parameters[name] ?? unknownIds[name] ?? ''));
}

interface Call {
  headers?: Record<string, string>;
  /** Replaces the operation's own path. */
  path?: string;
  /** Replaces the contract's example. */
  body?: string;
}

/** Sends the request, by default with the first example of the operation's body. */
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
