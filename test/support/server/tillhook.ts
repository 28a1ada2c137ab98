import type { Tillhook as Server } from '@tillhook/server';
import test, { type ExecutionContext } from 'ava';
import { callsOf, type TestServer } from '../calls/calls.ts';
import { createTestDatabase, openTestDatabase, type TestDatabase } from '../database/database.ts';
import { endWithItsTests } from '../run/end-of-file.ts';
import { arrangeOnSharedServer, findSharedServer, type SharedServerName } from '../run/shared.ts';
import type { Arrange } from './arrange.ts';
import { testEnvironment } from './environment.ts';

export type { JsonResponse, TestMerchant, TestServer } from '../calls/calls.ts';

endWithItsTests();

/** A server that one test file does not share. It runs in the process of the file. */
export interface OwnServer extends TestServer {
  /** For tests that call services without HTTP. */
  context: Server['context'];
  database: TestDatabase;
  stop(): Promise<void>;
}

/**
 * Gives a file its own server without changing a setting. A file needs that if its tests call services without HTTP,
 * look at the process of the server, or read or change rows of other merchants than those that they created.
 */
export const usualSettings: Readonly<Record<string, string>> = {};

/**
 * Without settings: the server and the database that all such files share. Tests do not disturb each other, because
 * each creates a merchant. With settings: a server and a database for this file alone.
 */
export function serverForFile(): () => TestServer;
export function serverForFile(
  env: Readonly<Record<string, string>>,
  reach?: (databaseUrl: string) => string,
): () => OwnServer;
export function serverForFile(
  env?: Readonly<Record<string, string>>,
  reach?: (databaseUrl: string) => string,
): () => unknown {
  return startedForFile(() => (env ? createServer(env, reach) : useSharedServer('usual')));
}

/** The other shared server, which attempts each delivery only once. */
export function serverWithoutRetries(): () => TestServer {
  return startedForFile(() => useSharedServer('withoutRetries'));
}

function startedForFile(start: () => Promise<TestServer & AsyncDisposable>): () => TestServer {
  let server: (TestServer & AsyncDisposable) | undefined;
  test.before(async () => {
    server = await start();
  });
  test.after.always(() => server?.[Symbol.asyncDispose]());
  return () => {
    if (!server) throw new Error('The server of this file starts before its first test.');
    return server;
  };
}

/** The shared server that runs no jobs, and counts the calls of each merchant. */
export function serverWithoutWorker(): () => TestServer {
  return startedForFile(() => useSharedServer('withoutWorker'));
}

/** Starts a server for one test, which may stop it or look at the rows of all merchants. */
export async function startServer(
  t: ExecutionContext,
  env: Record<string, string> = {},
  reach?: (databaseUrl: string) => string,
): Promise<OwnServer> {
  const server = await createServer(env, reach);
  t.teardown(() => server[Symbol.asyncDispose]());
  return server;
}

async function useSharedServer(name: SharedServerName): Promise<TestServer & AsyncDisposable> {
  const { url, databaseUrl } = await findSharedServer(name);
  const database = openTestDatabase(databaseUrl);
  return {
    ...callsOf(url, arrangeOnSharedServer(name)),
    database,
    [Symbol.asyncDispose]: () => database.close(),
  };
}

async function createServer(
  env: Readonly<Record<string, string>>,
  reach = (url: string) => url,
): Promise<OwnServer & AsyncDisposable> {
  // Loading the server takes a second of processor time. Files that use the shared server must not pay for it.
  const [{ loadConfig, startTillhook }, { arrangements }] = await Promise.all([
    import('@tillhook/server'),
    import('./arrange.ts'),
  ]);
  const database = await createTestDatabase();
  const server = await startTillhook(loadConfig(testEnvironment(reach(database.url), env)));
  const arrange = (name: keyof typeof arrangements, given: never) => arrangements[name](server.context, given);
  let isStopped = false;
  const stop = async () => {
    if (!isStopped) await server.stop();
    isStopped = true;
  };
  return {
    ...callsOf(server.url, arrange as Arrange),
    context: server.context,
    database,
    stop,
    async [Symbol.asyncDispose]() {
      await stop();
      await database.drop();
    },
  };
}
