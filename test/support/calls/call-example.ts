import type { Mode, ModelOperation } from '@tillhook/openapi';
import type { Role } from '@tillhook/server/src/kit/permissions.ts';
import type { JsonResponse, TestMerchant, TestServer } from '../server/tillhook.ts';
import { beginSession } from '../users/session.ts';

/** No row in the database has any of these ids or references. */
const unknownIds: Record<string, string> = {
  id: '019aa3c4-9d1e-7c52-8f3a-1b2c3d4e5f60',
  reference: 'order-1042',
  kind: 'transfer',
};

/** A request with a session also sends the mode in the header `X-Service-Mode`. */
export type Scheme = 'apiKeyHeader' | 'bearerAuth' | 'dashboardSession';

export const schemes: readonly Scheme[] = ['apiKeyHeader', 'bearerAuth', 'dashboardSession'];

export function schemesOf({ security }: ModelOperation): Scheme[] {
  const first = security.map(([scheme]) => scheme);
  return first.filter((scheme) => scheme !== undefined && scheme !== 'serviceMode');
}

export function roleOf({ roles: [usual = 'administrator'] }: ModelOperation): Role {
  return usual;
}

export async function credentialOf(
  server: TestServer,
  merchant: TestMerchant,
  { scheme, role }: { scheme: Scheme; role?: Role },
): Promise<string> {
  return scheme === 'dashboardSession' ? (await beginSession(server, merchant, role)).token : merchant.testKey;
}

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

export function pathOf({ path }: ModelOperation, parameters = unknownIds): string {
  return path.replaceAll(/\{(\w+)\}/g, (_, name) => encodeURIComponent(parameters[name] ?? unknownIds[name] ?? ''));
}

interface Call {
  headers?: Record<string, string>;
  path?: string;
  body?: string;
}

/** The default body is the first example of the contract. */
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
