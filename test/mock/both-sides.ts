/** The mock and a real server, asked the same. */
import { isDeepStrictEqual } from 'node:util';
import { startMock } from '@tillhook/mock/api';
import type { ErrorBody } from '@tillhook/openapi';
import { Tillhook } from '@tillhook/sdk';
import type { Role } from '@tillhook/server/src/kit/permissions.ts';
import test from 'ava';
import { credentialHeaders, type Scheme } from '../support/calls/call-example.ts';
import { contractFetch } from '../support/calls/contract-fetch.ts';
import { serverForFile } from '../support/server/tillhook.ts';
import { beginSession } from '../support/users/session.ts';
import { differences } from './differences.ts';

export interface Side {
  url: string;
  client: Tillhook;
  /** The headers of a caller who is let in by this scheme. */
  headersFor(scheme: Scheme, role?: Role): Record<string, string>;
}

export interface Both {
  server: Side;
  mock: Side;
}

/** One of each for a whole test file, with a merchant that the server knows and keys that the mock takes for known. */
export function bothForFile(): () => Promise<Both> {
  const server = serverForFile();
  let mock: ReturnType<typeof startMock> | undefined;
  let both: Promise<Both> | undefined;
  const start = async () => {
    mock = startMock();
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

/** One request, to be made on either side. */
export interface Statement {
  title: string;
  /** What both are to answer, where it is known: without it two that are wrong in the same way agree. */
  expected?: unknown;
  ask(side: Side): Promise<unknown>;
}

export interface Disagreement {
  title: string;
  server?: unknown;
  mock?: unknown;
  problem?: string;
}

/** Where the two sides say otherwise and it is not on the list of differences, or is on it and they agree. */
export async function disagreements({ server, mock }: Both, statements: Statement[]): Promise<Disagreement[]> {
  const found: Disagreement[] = [];
  if (statements.length === 0) throw new Error('Of nothing the two sides say the same.');
  for (const { title, ask, ...known } of statements) {
    const [expected, answered] = await Promise.all([ask(server), ask(mock)]);
    if ('expected' in known && !isDeepStrictEqual(expected, known.expected)) {
      found.push({ title, server: expected, problem: `the server was to answer ${JSON.stringify(known.expected)}` });
    }
    if (expected === granted) found.push({ title, server: expected, problem: 'the server was to refuse it' });
    const isSame = isDeepStrictEqual(answered, expected);
    if (isSame && title in differences) found.push({ title, problem: 'no difference any more: take it off the list' });
    if (!isSame && !(title in differences)) found.push({ title, server: expected, mock: answered });
  }
  return found;
}

interface Asked {
  method?: string;
  headers?: Record<string, string>;
  body?: string | Uint8Array<ArrayBuffer>;
}

/** Where nothing was refused. The mock may grant more than the server, and the server never grants what is to be refused. */
const granted = { granted: true };

/** What a refusal says: everything but the ids, which differ, and the address of the documentation. */
export async function refusalOf(side: Side, path: string, { method = 'GET', ...init }: Asked = {}): Promise<unknown> {
  const response = await contractFetch(`${side.url}${path}`, { method, ...init });
  const { headers, status } = response;
  const { message, error } = (await response.json()) as ErrorBody;
  const requestId = headers.get('x-request-id') ?? '';
  // Two answers that both lack it would agree.
  if (!/^req_[0-9a-z]{20}$/.test(requestId))
    throw new Error(`${side.url}${path} answered the request id ${requestId}.`);
  if (error === undefined) return granted;
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
