import { Tillhook } from '@tillhook/sdk';
import { loadConfig, type Tillhook as Server, startTillhook } from '@tillhook/server';
import { createApiKey } from '@tillhook/server/src/auth/api-keys.service.ts';
import { createMerchant as newMerchant } from '@tillhook/server/src/auth/merchants.service.ts';
import { inTransaction } from '@tillhook/server/src/database/transaction.ts';
import test, { type ExecutionContext } from 'ava';
import { contractFetch } from './contract-fetch.ts';
import { createTestDatabase, type TestDatabase } from './database.ts';
import { endWithItsTests } from './end-of-file.ts';

endWithItsTests();

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

export interface TestServer {
  url: string;
  /** For tests that call services without HTTP. */
  context: Server['context'];
  database: TestDatabase;
  createMerchant(name?: string): Promise<TestMerchant>;
  /** Calls the API by hand, where the SDK would not send what the test sends. */
  request(
    path: string,
    init?: Omit<RequestInit, 'headers'> & { key?: string; headers?: Record<string, string> },
  ): Promise<JsonResponse>;
  stop(): Promise<void>;
}

/**
 * One real server on a free port for a whole test file, with a database of its own. Tests share it and stay apart by
 * making a merchant each.
 */
export function serverForFile(
  env: Record<string, string> = {},
  reach?: (databaseUrl: string) => string,
): () => TestServer {
  let server: TestServer | undefined;
  test.before(async () => {
    server = await createServer(env, reach);
  });
  test.after.always(async () => {
    await server?.stop();
    await server?.database.drop();
  });
  return () => {
    if (!server) throw new Error('The server of this file starts before its first test.');
    return server;
  };
}

/** A real server for one test, which may stop it or look at all of its database. */
export async function startServer(
  t: ExecutionContext,
  env: Record<string, string> = {},
  reach?: (databaseUrl: string) => string,
): Promise<TestServer> {
  const server = await createServer(env, reach);
  t.teardown(async () => {
    await server.stop();
    await server.database.drop();
  });
  return server;
}

/** Retries wait 20 ms here, so that a test of four attempts need not take two hours. */
export function testEnvironment(databaseUrl: string, env: Record<string, string> = {}): Record<string, string> {
  return {
    PORT: '0',
    DATABASE_URL: databaseUrl,
    MASTER_KEYS: process.env.TEST_MASTER_KEYS ?? '',
    WEBHOOK_ALLOW_CIDRS: '127.0.0.0/8,::1/128',
    DELIVERY_RETRY_DELAYS_MS: '20,20,20',
    LOG_LEVEL: 'silent',
    RATE_LIMITS: 'off',
    // Many servers share a machine here, and one that is slow is no reason to fail.
    DATABASE_CONNECT_TIMEOUT_MS: '30000',
    ...env,
  };
}

async function createServer(env: Record<string, string>, reach = (url: string) => url): Promise<TestServer> {
  const database = await createTestDatabase();
  const server = await startTillhook(loadConfig(testEnvironment(reach(database.url), env)));
  let isStopped = false;
  return {
    url: server.url,
    context: server.context,
    database,
    createMerchant: (name) => createMerchant(server, name),
    request: (path, { key, headers, ...init } = {}) => {
      const authorization = key && { authorization: `Bearer ${key}` };
      return contractFetch(`${server.url}${path}`, { ...init, headers: { ...authorization, ...headers } });
    },
    stop: async () => {
      if (!isStopped) await server.stop();
      isStopped = true;
    },
  };
}

async function createMerchant(server: Server, name = 'Test Store'): Promise<TestMerchant> {
  const keys = await inTransaction(server.context, async (context) => {
    const merchant = newMerchant(context, { name, currency: 'NGN' });
    const keyFor = (mode: 'test' | 'live') => createApiKey(context, merchant, { mode }).key;
    return { id: merchant.id, testKey: keyFor('test'), liveKey: keyFor('live') };
  });
  const clientFor = (key: string) => new Tillhook(key, { baseUrl: server.url, fetch: contractFetch, maxRetries: 0 });
  return { ...keys, client: clientFor(keys.testKey), liveClient: clientFor(keys.liveKey) };
}
