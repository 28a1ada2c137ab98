import { Tillhook } from '@tillhook/sdk';
import type { Database } from '../database/database.ts';
import type { Arrange } from './arrange.ts';
import { contractFetch } from './contract-fetch.ts';

/** A merchant with a key for each mode. */
export interface TestMerchant {
  id: string;
  testKey: string;
  liveKey: string;
  /** The SDK with the test key. Every answer is checked against the contract. */
  client: Tillhook;
  liveClient: Tillhook;
}

/** An answer whose body a test reads without a type. */
// biome-ignore lint/suspicious/noExplicitAny: the contract was already checked; a wrong guess fails the assertion.
export type JsonResponse = Omit<Response, 'json'> & { json(): Promise<any> };

/** What every test can do with a server, also with the one that many test files share. */
export interface TestServer {
  url: string;
  database: Database;
  /** Changes the server's data in ways for which the API has no call. */
  arrange: Arrange;
  createMerchant(name?: string): Promise<TestMerchant>;
  /** Calls the API by hand, where the SDK would not send what the test sends. */
  request(
    path: string,
    init?: Omit<RequestInit, 'headers'> & { key?: string; headers?: Record<string, string> },
  ): Promise<JsonResponse>;
}

/** The calls of a server in any process. Programs that are not tests, such as the conformance runs, use them too. */
export function callsOf(url: string, arrange: Arrange): Omit<TestServer, 'database'> {
  // No call may fail only because many test files run on the machine at once.
  const timeoutMs = 90_000;
  const clientFor = (key: string) =>
    new Tillhook(key, { baseUrl: url, fetch: contractFetch, maxRetries: 0, timeoutMs });
  return {
    url,
    arrange,
    async createMerchant(name = 'Test Store') {
      const keys = await arrange('createMerchant', { name });
      return { ...keys, client: clientFor(keys.testKey), liveClient: clientFor(keys.liveKey) };
    },
    request(path, { key, headers, ...init } = {}) {
      const authorization = key && { authorization: `Bearer ${key}` };
      return contractFetch(`${url}${path}`, { ...init, headers: { ...authorization, ...headers } });
    },
  };
}
