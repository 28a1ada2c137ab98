/**
 * A Postgres from npm for a machine without Postgres. Only one server uses this Postgres at a time; commands may use it
 * as well.
 * See docs/decisions/database.md, "The embedded Postgres is started with pg_ctl".
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { type Client, DatabaseError } from 'pg';
import type { Config } from '../../../config/config.ts';
import { StartError } from '../../../kit/errors.ts';
import { type TimeLimits, usualLimits } from '../../../kit/time-limits.ts';
import { reachDatabase } from '../connection/connections.ts';
import { type Cluster, openCluster, type PostgresPrograms } from './cluster.ts';

export interface EmbeddedPostgres {
  url: string;
  stop(): Promise<void>;
}

const database = 'tillhook';
/**
 * The numbers of two advisory locks, chosen arbitrarily. A server holds the first lock; the commands that use the
 * database share the second.
 */
const serverLock = 7_455_001;
const commandsLock = 7_455_003;
const ownerConnectMs = 30_000;
const maxTries = 10;
const retryPauseMs = 200;

interface Embedding {
  settings?: Record<string, string>;
  limits?: TimeLimits;
  /** Called before a database is created, because the creation takes some seconds. */
  onCreate?: () => void;
  /** Called when a program of Postgres runs, and this process only waits for it. */
  onLaunch?: (() => void) | undefined;
  /** The paths of another Postgres's programs, used instead of the programs from npm. */
  programs?: PostgresPrograms | undefined;
}

export async function startEmbeddedPostgres(
  dataDir: string,
  { settings = {}, limits = usualLimits, onCreate, onLaunch, programs }: Embedding = {},
): Promise<EmbeddedPostgres> {
  const cluster = await openCluster(dataDir, settings, programs);
  if (!cluster.exists()) {
    onCreate?.();
    const initialising = cluster.initialise();
    onLaunch?.();
    await initialising;
  }
  const owner = await connectOwner(cluster, limits, onLaunch);
  // The lock belongs to the database session, so it ends with this process, even when the process is killed.
  if (!(await tryLock(owner, serverLock))) {
    await owner.end();
    throw new Error(
      `Another process already uses the database in ${cluster.home}. Stop it, or choose another DATA_DIR.`,
    );
  }
  await createDatabase(owner);
  return {
    url: cluster.url(database),
    async stop() {
      await owner.end();
      await cluster.stop();
    },
  };
}

async function connectOwner(cluster: Cluster, limits: TimeLimits, onLaunch?: () => void): Promise<Client> {
  // A longer time limit than usual, because this process also loads its modules now, which takes long on a slow
  // machine.
  const patient = { ...limits, connectMs: Math.max(limits.connectMs, ownerConnectMs) };
  for (const until = performance.now() + ownerConnectMs; ; await sleep(retryPauseMs)) {
    const wasRunning = await cluster.isRunning();
    if (!wasRunning) await cluster.start(onLaunch);
    try {
      return await connect(cluster, patient);
    } catch (error) {
      if (isNotReady(error) && performance.now() < until) continue;
      if (!wasRunning) await cluster.stop();
      throw cluster.explain(error);
    }
  }
}

/** SQLSTATE: Postgres is starting, repairing its files, or stopping. */
const isNotReady = (error: unknown) => error instanceof DatabaseError && error.code === '57P03';

export async function shareEmbeddedPostgres(dataDir: string, limits = usualLimits): Promise<EmbeddedPostgres> {
  const cluster = await openCluster(dataDir);
  if (!cluster.exists()) {
    throw new Error(
      `no database exists in ${cluster.home}. Run npm start once, choose another DATA_DIR, or set DATABASE_URL.`,
    );
  }
  const client = await connectShared(cluster, limits);
  return {
    url: cluster.url(database),
    async stop() {
      await client.query('select pg_advisory_unlock_shared($1)', [commandsLock]);
      const isLast = (await tryLock(client, serverLock)) && (await tryLock(client, commandsLock));
      // While Postgres stops, this process holds both advisory locks, so no other process begins to use the database.
      if (isLast) await cluster.stop();
      await client.end();
    },
  };
}

/** Another command may be starting or stopping the database, so several attempts are made. */
async function connectShared(cluster: Cluster, limits: TimeLimits): Promise<Client> {
  for (let tries = 1; ; tries += 1) {
    try {
      if (!(await cluster.isRunning())) await cluster.start();
      const client = await connect(cluster, limits);
      await client.query('select pg_advisory_lock_shared($1)', [commandsLock]);
      return client;
    } catch (error) {
      if (tries === maxTries) throw error instanceof DatabaseError ? cluster.explain(error) : error;
    }
    await sleep(retryPauseMs);
  }
}

async function connect(cluster: Cluster, limits: TimeLimits): Promise<Client> {
  const client = reachDatabase(cluster.url('postgres'), limits).openClient();
  await client.connect();
  return client;
}

async function tryLock(client: Client, lock: number): Promise<boolean> {
  const { rows } = await client.query('select pg_try_advisory_lock($1) as free', [lock]);
  return rows[0].free;
}

async function createDatabase(owner: Client): Promise<void> {
  const { rowCount } = await owner.query('select 1 from pg_database where datname = $1', [database]);
  if (!rowCount) await owner.query(`create database ${database}`);
}

type Open = (config: Config) => Promise<EmbeddedPostgres>;

export function startEmbedded(onStep?: (text: string) => void, onLaunch?: () => void): Open {
  return ({ dataDir, databaseLimits: limits }) =>
    startEmbeddedPostgres(dataDir, {
      limits,
      onLaunch,
      onCreate: () => onStep?.(`A database is being created in ${dataDir}, which happens once and takes some seconds`),
    });
}

/** If the start fails, the error is thrown only when the caller awaits the URL. */
export function openEmbedded(config: Config, started: AsyncDisposableStack, open: Open): Promise<string> {
  const opening = open(config);
  started.defer(async () => {
    const postgres = await opening.catch(() => null);
    await postgres?.stop();
  });
  const address = opening.then(
    ({ url }) => url,
    (cause: Error) => {
      throw new StartError(`The embedded database does not start: ${cause.message}`, { cause });
    },
  );
  address.catch(() => {});
  return address;
}
