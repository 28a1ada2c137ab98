import type { Context } from '@tillhook/server/src/context.ts';
import test, { type ExecutionContext } from 'ava';
import { callsOf, type TestServer } from '../calls/calls.ts';
import { createTestDatabase, type Database, openTestDatabase } from '../database/database.ts';
import { endWithItsTests } from '../run/end-of-file.ts';
import { arrangeOn, findSharedServer, type SharedServerName, startLentServer, stopLentServer } from '../run/shared.ts';
import type { Arrange } from './arrange.ts';
import { testEnvironment } from './environment.ts';

export type { JsonResponse, TestMerchant, TestServer } from '../calls/calls.ts';

endWithItsTests();

type Settings = Readonly<Record<string, string>>;
/** Changes the address at which the server finds its database. */
type Reach = (databaseUrl: string) => string;

/**
 * A server with a database that no other uses, which runs in the process of the run.
 * See docs/decisions/tests.md, "Servers of tests run in the process of the run".
 */
export interface LentServer extends TestServer {
  stop(): Promise<void>;
}

/** A server with a context on its database. */
export interface ServerWithContext extends TestServer {
  /** For tests that call services without HTTP. */
  context: Context;
}

/** A server that runs in the process of its test file. The context is the one that its calls get. */
export interface OwnServer extends LentServer, ServerWithContext {}

/** Gives a file a server and a database for itself without changing a setting. */
export const usualSettings: Settings = {};

/** As many connections as the product has, for tests in which more than four calls compete for the same row. */
export const wholePool: Settings = { DATABASE_POOL_SIZE: '10' };

/**
 * Without settings: the server and the database that all such files share. Tests do not disturb each other, because
 * each creates a merchant. With settings: a server and a database for this file alone. Both run in the process of the
 * run.
 */
export function serverForFile(): () => TestServer;
export function serverForFile(env: Settings, reach?: Reach): () => LentServer;
export function serverForFile(env?: Settings, reach?: Reach): () => unknown {
  return startedForFile<TestServer>(() => (env ? lendServer(env, reach) : useSharedServer('usual')));
}

/** The shared server that attempts each delivery only once. */
export function serverWithoutRetries(): () => TestServer {
  return startedForFile(() => useSharedServer('withoutRetries'));
}

/** The shared server that runs no jobs, and counts the calls of each merchant. */
export function serverWithoutWorker(): () => TestServer {
  return startedForFile(() => useSharedServer('withoutWorker'));
}

/** The same servers as those of `serverForFile`, for files that also call services without HTTP. */
export function serverWithContext(): () => ServerWithContext;
export function serverWithContext(env: Settings): () => LentServer & ServerWithContext;
export function serverWithContext(env?: Settings): () => unknown {
  return startedForFile<ServerWithContext>(async () =>
    addContext(await (env ? lendServer(env) : useSharedServer('usual')), env),
  );
}

/**
 * A server in the process of this file, for tests that change or look at what it keeps in memory, such as its log.
 * Others use `serverForFile`, which takes a second less of processor time.
 */
export function ownServerForFile(env: Settings, reach?: Reach): () => OwnServer {
  return startedForFile(() => createServer(env, reach));
}

/** Starts a server for one test, which may stop it or look at the rows of all merchants. */
export async function startServer(t: ExecutionContext, env: Settings = {}, reach?: Reach): Promise<LentServer> {
  const server = await lendServer(env, reach);
  t.teardown(() => server[Symbol.asyncDispose]());
  return server;
}

/** The same, for a test that also calls services without HTTP. */
export async function startServerWithContext(
  t: ExecutionContext,
  env: Settings = {},
): Promise<LentServer & ServerWithContext> {
  const server = await addContext(await lendServer(env), env);
  t.teardown(() => server[Symbol.asyncDispose]());
  return server;
}

/** Starts a server for one test in the process of the file. */
export async function startOwnServer(t: ExecutionContext, env: Settings = {}, reach?: Reach): Promise<OwnServer> {
  const server = await createServer(env, reach);
  t.teardown(() => server[Symbol.asyncDispose]());
  return server;
}

function startedForFile<Started>(start: () => Promise<Started & AsyncDisposable>): () => Started {
  let server: (Started & AsyncDisposable) | undefined;
  test.before(async () => {
    server = await start();
  });
  test.after.always(() => server?.[Symbol.asyncDispose]());
  return () => {
    if (!server) throw new Error('The server of this file starts before its first test.');
    return server;
  };
}

async function useSharedServer(name: SharedServerName): Promise<TestServer & AsyncDisposable> {
  const { url, databaseUrl } = await findSharedServer(name);
  const database = openTestDatabase(databaseUrl);
  return {
    ...callsOf(url, arrangeOn(name)),
    database,
    [Symbol.asyncDispose]: () => database.close(),
  };
}

async function lendServer(env: Settings, reach?: Reach): Promise<LentServer & AsyncDisposable> {
  const { database, environment, drop } = await databaseFor(env, reach);
  const { number, url } = await startLentServer(environment);
  return stoppable({ ...callsOf(url, arrangeOn(number)), database }, () => stopLentServer(number), drop);
}

async function addContext<Given extends TestServer & AsyncDisposable>(
  server: Given,
  env: Settings = {},
): Promise<Given & ServerWithContext> {
  const { openContext } = await import('./context.ts');
  const opened = await openContext(testEnvironment(server.database.url, env), server.url);
  return {
    ...server,
    context: opened.context,
    async [Symbol.asyncDispose]() {
      await opened[Symbol.asyncDispose]();
      await server[Symbol.asyncDispose]();
    },
  };
}

async function createServer(env: Settings, reach?: Reach): Promise<OwnServer & AsyncDisposable> {
  // Loading the server takes a second of processor time. Files with a lent server must not pay for it.
  const [{ loadConfig, startTillhook }, { arrangements }] = await Promise.all([
    import('@tillhook/server'),
    import('./arrange.ts'),
  ]);
  const { database, environment, drop } = await databaseFor(env, reach);
  const { url, context, stop } = await startTillhook(loadConfig(environment));
  const arrange = (name: keyof typeof arrangements, given: never) => arrangements[name](context, given);
  return stoppable({ ...callsOf(url, arrange as Arrange), context, database }, stop, drop);
}

/** A new database for a server, unless its settings name one that exists. */
async function databaseFor(env: Settings, reach: Reach = (url) => url) {
  const given = env.DATABASE_URL;
  const [database, drop] = given ? openGiven(given) : await createNew();
  return { database, drop, environment: testEnvironment(reach(database.url), env) };
}

function openGiven(url: string): [Database, () => Promise<void>] {
  const database = openTestDatabase(url);
  return [database, () => database.close()];
}

async function createNew(): Promise<[Database, () => Promise<void>]> {
  const database = await createTestDatabase();
  return [database, () => database.drop()];
}

function stoppable<Server>(server: Server, end: () => Promise<void>, drop: () => Promise<void>) {
  let isStopped = false;
  const stop = async () => {
    if (!isStopped) await end();
    isStopped = true;
  };
  return {
    ...server,
    stop,
    async [Symbol.asyncDispose]() {
      await stop();
      await drop();
    },
  };
}
