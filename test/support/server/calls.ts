import { Tillhook } from '@tillhook/sdk';
import type { Database } from '../database/database.ts';
import type { Arrange } from './arrange.ts';
import { contractFetch } from './contract-fetch.ts';

export interface TestMerchant {
  id: string;
  testKey: string;
  liveKey: string;
  /** The SDK with the test key. `contractFetch` checks every response against the contract. */
  client: Tillhook;
  liveClient: Tillhook;
}

// biome-ignore lint/suspicious/noExplicitAny: the body matches the contract; a wrong type would fail an assertion.
export type JsonResponse = Omit<Response, 'json'> & { json(): Promise<any> };

/** The functions that every test may call on any server, even on a shared server. */
export interface TestServer {
  url: string;
  database: Database;
  arrange: Arrange;
  createMerchant(name?: string): Promise<TestMerchant>;
  /** Calls the API without the SDK, for requests that the SDK would not send. */
  request(
    path: string,
    init?: Omit<RequestInit, 'headers'> & { key?: string; headers?: Record<string, string> },
  ): Promise<JsonResponse>;
}

/** Conformance runs also use these functions. */
export function callsOf(url: string, arrange: Arrange): Omit<TestServer, 'database'> {
  // The timeout is long, because a call must not fail only because many test files run at the same time.
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
