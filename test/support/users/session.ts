import type { Mode, OperationOutput } from '@tillhook/openapi';
import type { Role } from '@tillhook/server/src/kit/permissions.ts';
import type { JsonResponse, TestMerchant, TestServer } from '../server/tillhook.ts';
import { addUser, password } from './users.ts';

type SessionCall = Omit<RequestInit, 'headers' | 'mode'> & {
  /** The value of `X-Service-Mode`. The default is `test`. With null, the request has no such header. */
  mode?: Mode | null;
  headers?: Record<string, string>;
  json?: unknown;
};

export interface SignedIn {
  server: TestServer;
  email: string;
  password: string;
  cookie: string;
  /** The response of `signIn`. */
  session: OperationOutput<'signIn'>;
  merchant: TestMerchant;
  call(path: string, init?: SessionCall): Promise<JsonResponse>;
}

export async function signIn(server: TestServer, merchant?: TestMerchant, role?: Role): Promise<SignedIn> {
  const employer = merchant ?? (await server.createMerchant());
  const { email, session, token } = await beginSession(server, employer, role);
  const cookie = `tillhook_session=${token}`;
  return {
    server,
    email,
    password,
    cookie,
    session,
    merchant: employer,
    call: (path, init) => callWith(server, cookie, { path, ...init }),
  };
}

/** Does not check the password, because this check is slow on purpose. `sign-in.test.ts` tests the check. */
export async function beginSession(server: TestServer, merchant: TestMerchant, role?: Role) {
  const email = await addUser(server, merchant, role);
  return { email, ...(await server.arrange('openSession', { email })) };
}

export function userForFile(server: () => TestServer): () => Promise<SignedIn> {
  let person: Promise<SignedIn> | undefined;
  return () => {
    person ??= signIn(server());
    return person;
  };
}

export function postSession(
  server: TestServer,
  typed: unknown,
  headers: Record<string, string> = {},
): Promise<JsonResponse> {
  return server.request('/api/v1/dashboard/session', {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(typed),
  });
}

export function cookieOf(response: Pick<Response, 'headers'>): string {
  return response.headers.get('set-cookie')?.split(';')[0] ?? '';
}

export async function errorIn(response: JsonResponse): Promise<[status: number, code: string]> {
  return [response.status, (await response.json()).error?.code];
}

export async function createKey(
  { call }: SignedIn,
  { mode = 'test', ...json }: { mode?: Mode; name?: string; scopes?: string[] } = {},
): Promise<OperationOutput<'createApiKey'>> {
  return (await call('/api/v1/dashboard/api-keys', { method: 'POST', mode, json })).json();
}

export async function keysOf({ call }: SignedIn, mode: Mode = 'test'): Promise<OperationOutput<'listApiKeys'>> {
  return (await call('/api/v1/dashboard/api-keys', { mode })).json();
}

/** Leaves out the entries of the operator who created the merchant. */
export async function auditOf(
  { call }: SignedIn,
  query = '',
): Promise<OperationOutput<'listAuditEntries'>['auditEntries']> {
  const { auditEntries } = await (await call(`/api/v1/dashboard/audit-entries${query}`)).json();
  return auditEntries.filter(({ actor }: { actor: { type: string } }) => actor.type === 'user');
}

function callWith(
  server: TestServer,
  cookie: string,
  { path, mode = 'test', headers, json, ...init }: SessionCall & { path: string },
): Promise<JsonResponse> {
  const content = json === undefined ? undefined : { body: JSON.stringify(json) };
  return server.request(path, {
    ...init,
    ...content,
    headers: {
      cookie,
      ...(mode && { 'x-service-mode': mode }),
      ...(content && { 'content-type': 'application/json' }),
      ...headers,
    },
  });
}

export interface TwoStepUser extends SignedIn {
  secret: string;
  recoveryCodes: string[];
}

export async function signInWithTwoStep(server: TestServer, merchant?: TestMerchant): Promise<TwoStepUser> {
  const person = await signIn(server, merchant);
  return { ...person, ...(await server.arrange('turnTwoStepOn', { email: person.email })) };
}
