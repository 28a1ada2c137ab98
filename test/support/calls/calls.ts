import { Tillhook } from '@tillhook/sdk';
import type { Database } from '../database/database.ts';
import type { Arrange } from '../server/arrange.ts';
import { contractFetch } from './contract-fetch.ts';

/** A merchant with a key for each mode. */
export interface TestMerchant {
  id: string;
  testKey: string;
  liveKey: string;
  /** The SDK with the test key. Every answer is held to the contract. */
  client: Tillhook;
  liveClient: Tillhook;
}

/** An answer whose body a test takes apart by hand. */
// biome-ignore lint/suspicious/noExplicitAny: the contract was already checked; a wrong guess fails the assertion.
export type JsonResponse = Omit<Response, 'json'> & { json(): Promise<any> };

/** What every test may ask of a server, also of the one that many test files share. */
export interface TestServer {
  url: string;
  database: Database;
  /** Does what no call of the API does. */
  arrange: Arrange;
  createMerchant(name?: string): Promise<TestMerchant>;
  /** Calls the API by hand, where the SDK would not send what the test sends. */
  request(
    path: string,
    init?: Omit<RequestInit, 'headers'> & { key?: string; headers?: Record<string, string> },
  ): Promise<JsonResponse>;
}

/** How a server is called and arranged, wherever it runs: a program that is no test may use it too. */
export function callsOf(url: string, arrange: Arrange): Omit<TestServer, 'database'> {
  // Longer than a call waits on a machine where many test files run at once.
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
