import type { Context } from '@tillhook/server/src/context.ts';
import test, { type ExecutionContext, registerCompletionHandler } from 'ava';
import { createTestDatabase, type Database, openTestDatabase } from '../database/database.ts';
import {
  askRun,
  findSharedServer,
  type SharedServerName,
  startServerInRun,
  stopServerInRun,
} from '../shared-fixtures.ts';
import type { Arrange } from './arrange.ts';
import { callsOf, type TestServer } from './calls.ts';
import { testEnvironment } from './environment.ts';

export type { JsonResponse, TestMerchant, TestServer } from './calls.ts';

/** Timers, and the standard streams that ava pipes to itself, may remain open after the tests. */
const mayRemain = new Set(['Timeout', 'PipeWrap']);

endWithItsTests();

type Settings = Readonly<Record<string, string>>;
/** Changes the database URL of the server, so that the server connects through a proxy. */
type Reach = (databaseUrl: string) => string;

// See docs/decisions/tests.md, "Servers of tests run in the process of the run".
export interface DedicatedServer extends TestServer {
  stop(): Promise<void>;
}

export interface ServerWithContext extends TestServer {
  context: Context;
}

export interface OwnServer extends DedicatedServer, ServerWithContext {}

/** With this empty object, a test file gets a dedicated server with the usual settings of tests. */
export const usualSettings: Settings = {};

/** The default pool size of the server, for tests in which more than four calls compete for the same row. */
export const wholePool: Settings = { DATABASE_POOL_SIZE: '10' };

/**
 * Without settings, test files share a server: each test creates a merchant, so tests do not affect each other. With
 * settings, the file has a dedicated server with its own database.
 */
export function serverForFile(): () => TestServer;
export function serverForFile(env: Settings, reach?: Reach): () => DedicatedServer;
export function serverForFile(env?: Settings, reach?: Reach): () => unknown {
  return startedForFile<TestServer>(() => (env ? startDedicatedServer(env, reach) : useSharedServer('usual')));
}

export function serverWithoutRetries(): () => TestServer {
  return startedForFile(() => useSharedServer('withoutRetries'));
}

export function serverWithoutWorker(): () => TestServer {
  return startedForFile(() => useSharedServer('withoutWorker'));
}

export function serverWithContext(): () => ServerWithContext;
export function serverWithContext(env: Settings): () => DedicatedServer & ServerWithContext;
export function serverWithContext(env?: Settings): () => unknown {
  return startedForFile<ServerWithContext>(async () =>
    addContext(await (env ? startDedicatedServer(env) : useSharedServer('usual')), env),
  );
}

/** Only for tests that use the memory of the server: `serverForFile` takes a second less of processor time. */
export function ownServerForFile(env: Settings, reach?: Reach): () => OwnServer {
  return startedForFile(() => createServer(env, reach));
}

/** The test may stop the server or read the rows of all merchants. */
export async function startServer(t: ExecutionContext, env: Settings = {}, reach?: Reach): Promise<DedicatedServer> {
  const server = await startDedicatedServer(env, reach);
  t.teardown(() => server[Symbol.asyncDispose]());
  return server;
}

export async function startServerWithContext(
  t: ExecutionContext,
  env: Settings = {},
): Promise<DedicatedServer & ServerWithContext> {
  const server = await addContext(await startDedicatedServer(env), env);
  t.teardown(() => server[Symbol.asyncDispose]());
  return server;
}

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
    if (!server) throw new Error('The server has not started yet. It starts before the first test of the file.');
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

async function startDedicatedServer(env: Settings, reach?: Reach): Promise<DedicatedServer & AsyncDisposable> {
  const { database, environment, drop } = await databaseFor(env, reach);
  const { number, url } = await startServerInRun(environment);
  return stoppable({ ...callsOf(url, arrangeOn(number)), database }, () => stopServerInRun(number), drop);
}

/** `server` is the name or the number of the server. */
function arrangeOn(server: string): Arrange {
  return ((name: string, given: object) => askRun(`server/${server}/${name}`, given)) as Arrange;
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
  // The modules are imported only here, because loading the server takes a second of processor time.
  const [{ loadConfig, startTillhook }, { arrangements }] = await Promise.all([
    import('@tillhook/server'),
    import('./arrange.ts'),
  ]);
  const { database, environment, drop } = await databaseFor(env, reach);
  const { url, context, stop } = await startTillhook(loadConfig(environment));
  const arrange = (name: keyof typeof arrangements, given: never) => arrangements[name](context, given);
  return stoppable({ ...callsOf(url, arrange as Arrange), context, database }, stop, drop);
}

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

/**
 * Ends the process when only timers are left. For each job that Agenda ran, a timer remains for half of the job's lock
 * time, which would prolong the run by half a minute. A socket, a server or a process that a test leaves open keeps the
 * process alive, so that the timeout of ava fails the test file.
 */
function endWithItsTests(): void {
  registerCompletionHandler(() => {
    const look = () => {
      if (process.getActiveResourcesInfo().every((resource) => mayRemain.has(resource))) process.exit();
    };
    // This timer must not keep the process alive.
    setInterval(look, 10).unref();
  });
}
