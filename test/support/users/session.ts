/** A person who signed in to the dashboard, calling the API as the dashboard does. Every answer is held to the contract. */

import type { Mode, OperationOutput } from '@tillhook/openapi';
import type { Role } from '@tillhook/server/src/kit/permissions.ts';
import test from 'ava';
import type { JsonResponse, TestMerchant, TestServer } from '../server/tillhook.ts';
import { addUser, password } from './users.ts';

type SessionCall = Omit<RequestInit, 'headers' | 'mode'> & {
  /** What `X-Service-Mode` says; test when left out, and null sends no such header. */
  mode?: Mode | null;
  headers?: Record<string, string>;
  /** The body, before it is text. */
  json?: unknown;
};

export interface SignedIn {
  server: TestServer;
  email: string;
  password: string;
  /** As a browser sends it back: name and value. */
  cookie: string;
  /** What `signIn` answered. */
  session: OperationOutput<'signIn'>;
  merchant: TestMerchant;
  call(path: string, init?: SessionCall): Promise<JsonResponse>;
}

/** A new user, of the merchant or of a new one, who has just signed in. */
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

/** Of somebody new, past the password, which takes a good part of a second on purpose; `sign-in.test.ts` gives it. */
export async function beginSession(server: TestServer, merchant: TestMerchant, role?: Role) {
  const email = await addUser(server, merchant, role);
  return { email, ...(await server.arrange('openSession', { email })) };
}

/** Somebody for all those tests of a file that change nothing. */
export function userForFile(server: () => TestServer): () => Promise<SignedIn> {
  let person: Promise<SignedIn> | undefined;
  return () => {
    person ??= signIn(server());
    return person;
  };
}

/** The call that begins a session, with what was typed. */
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

/** Name and value of the cookie that the answer sets. */
export function cookieOf(response: Pick<Response, 'headers'>): string {
  return response.headers.get('set-cookie')?.split(';')[0] ?? '';
}

/** What a refusal comes down to: its status and code. */
export async function refusalIn(response: JsonResponse): Promise<[status: number, code: string]> {
  return [response.status, (await response.json()).error?.code];
}

/** A query that is refused: what is wrong, how it reads, and the code and parameter of the answer. */
export type RefusedQuery = [situation: string, query: string, code: string, param: string];

/** A test for each of them. */
export function testRefusedQueries(
  path: string,
  sharedUser: () => Promise<SignedIn>,
  refused: readonly RefusedQuery[],
): void {
  for (const [situation, query, code, param] of refused) {
    test(`400 when ${situation}`, async (t) => {
      const { call } = await sharedUser();

      const response = await call(`${path}?${query}`);

      t.is(response.status, 400);
      t.like((await response.json()).error, { code, param });
    });
  }
}

/** A new API key of the merchant, made in the dashboard. */
export async function createKey(
  { call }: SignedIn,
  { mode = 'test', ...json }: { mode?: Mode; name?: string; scopes?: string[] } = {},
): Promise<OperationOutput<'createApiKey'>> {
  return (await call('/api/v1/dashboard/api-keys', { method: 'POST', mode, json })).json();
}

/** What `listApiKeys` answers. */
export async function keysOf({ call }: SignedIn, mode: Mode = 'test'): Promise<OperationOutput<'listApiKeys'>> {
  return (await call('/api/v1/dashboard/api-keys', { mode })).json();
}

/** What `listAuditEntries` answers, without what the operator did to make the merchant. */
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

/** Somebody who has turned two-step sign-in on, and is signed in. */
export async function signInWithTwoStep(server: TestServer, merchant?: TestMerchant): Promise<TwoStepUser> {
  const person = await signIn(server, merchant);
  return { ...person, ...(await server.arrange('turnTwoStepOn', { email: person.email })) };
}
