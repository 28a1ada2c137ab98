import { isDeepStrictEqual } from 'node:util';
import type { ErrorBody } from '@tillhook/openapi';
import { Tillhook, TillhookError } from '@tillhook/sdk';
import type { Role } from '@tillhook/server/src/kit/permissions.ts';
import test from 'ava';
import { credentialHeaders, type Scheme } from '../support/calls/call-example.ts';
import { contractFetch } from '../support/server/contract-fetch.ts';
import { serverForFile } from '../support/server/tillhook.ts';
import { startMockInRun } from '../support/shared-fixtures.ts';
import { beginSession } from '../support/users/session.ts';
import { differences } from './differences.ts';

export interface Side {
  url: string;
  client: Tillhook;
  headersFor(scheme: Scheme, role?: Role): Record<string, string>;
}

export interface BothSides {
  server: Side;
  mock: Side;
}

export function bothSidesForFile(): () => Promise<BothSides> {
  const server = serverForFile();
  let mock: ReturnType<typeof startMockInRun> | undefined;
  let both: Promise<BothSides> | undefined;
  const start = async () => {
    mock = startMockInRun();
    const merchant = await server().createMerchant();
    const { token } = await beginSession(server(), merchant);
    const operator = await beginSession(server(), merchant, 'operator');
    return {
      server: sideOf(server().url, merchant.testKey, { token, operatorToken: operator.token }),
      mock: sideOf((await mock).url, 'sk_test_mock', { token: 'mock', operatorToken: 'mock' }),
    };
  };
  test.after.always(async () => (await mock)?.stop());
  return () => {
    both ??= start();
    return both;
  };
}

interface Sessions {
  token: string;
  operatorToken: string;
}

function sideOf(url: string, key: string, { token, operatorToken }: Sessions): Side {
  const sessionOf = (role?: Role) => (role === 'operator' ? operatorToken : token);
  return {
    url,
    client: new Tillhook(key, { baseUrl: url, fetch: contractFetch, maxRetries: 0 }),
    headersFor: (scheme, role) => credentialHeaders(scheme, scheme === 'dashboardSession' ? sessionOf(role) : key),
  };
}

export interface Statement {
  title: string;
  /** Without an expected answer, two answers that are equal and wrong would pass. */
  expected?: unknown;
  ask(side: Side): Promise<unknown>;
}

export interface Disagreement {
  title: string;
  server?: unknown;
  mock?: unknown;
  problem?: string;
}

export async function disagreements({ server, mock }: BothSides, statements: Statement[]): Promise<Disagreement[]> {
  const found: Disagreement[] = [];
  if (statements.length === 0) throw new Error('There is no request to compare.');
  for (const { title, ask, ...known } of statements) {
    const [expected, answered] = await Promise.all([ask(server), ask(mock)]);
    if ('expected' in known && !isDeepStrictEqual(expected, known.expected)) {
      found.push({ title, server: expected, problem: `the server should answer ${JSON.stringify(known.expected)}` });
    }
    if (expected === accepted) found.push({ title, server: expected, problem: 'the server should refuse it' });
    const isSame = isDeepStrictEqual(answered, expected);
    if (isSame && title in differences)
      found.push({ title, problem: 'there is no difference any more: remove it from the list' });
    if (!isSame && !(title in differences)) found.push({ title, server: expected, mock: answered });
  }
  return found;
}

interface RequestOptions {
  method?: string;
  headers?: Record<string, string>;
  body?: string | Uint8Array<ArrayBuffer>;
}

/** The mock may accept more than the server, but the server must reject all requests. */
const accepted = { granted: true };

/** Ids are left out, because they always differ. */
export async function errorAnswerOf(
  side: Side,
  path: string,
  { method = 'GET', ...init }: RequestOptions = {},
): Promise<unknown> {
  const response = await contractFetch(`${side.url}${path}`, { method, ...init });
  const { headers, status } = response;
  const { message, error } = (await response.json()) as ErrorBody;
  const requestId = headers.get('x-request-id') ?? '';
  // The id is checked here, because two answers without a valid id would agree.
  if (!/^req_[0-9a-z]{20}$/.test(requestId))
    throw new Error(`${side.url}${path} returned a malformed X-Request-Id: ${requestId}.`);
  if (error === undefined) return accepted;
  return {
    status,
    message,
    type: error.type,
    code: error.code,
    param: error.param,
    details: error.details.map(({ path: at, code, message: why }) => `${at} ${code}: ${why}`),
    page: error.docUrl?.replace(/^[^#]*/, ''),
    allow: headers.get('allow')?.split(', ').sort(),
    challenge: headers.get('www-authenticate'),
    mediaType: headers.get('content-type')?.split(';')[0],
  };
}

export async function refusedAs(call: PromiseLike<unknown>): Promise<string> {
  try {
    await call;
    return 'no error';
  } catch (error) {
    if (error instanceof TillhookError) return `${error.status} ${error.code} ${error.message}`;
    throw error;
  }
}
