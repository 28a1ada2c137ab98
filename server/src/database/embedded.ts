/**
 * A real Postgres from npm, for a machine that has none. It runs as a process of its own under `DATA_DIR`, started by
 * `pg_ctl`, so that neither Ctrl-C in our terminal nor our own end can reach it before we stop it. When we were killed it
 * is still running, and the next start takes it over. A server owns it, one at a time; commands visit it, also beside a
 * server.
 * See docs/decisions/database.md, "The embedded Postgres is started with pg_ctl".
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from 'pg';
import { type TimeLimits, usualLimits } from '../kit/time-limits.ts';
import { reachDatabase } from './connections.ts';
import { type Cluster, openCluster } from './embedded-cluster.ts';

export interface EmbeddedPostgres {
  url: string;
  stop(): Promise<void>;
}

const database = 'tillhook';
/** Any numbers will do. The first says that a server uses this database; the second is shared by those who visit it. */
const inUseLock = 7_455_001;
const visitLock = 7_455_003;
const maxEntries = 10;
const entryPauseMs = 200;

interface Embedding {
  /** Postgres's own, such as `max_connections`. */
  settings?: Record<string, string>;
  limits?: TimeLimits;
}

/**
 * Starts the embedded database, making it first where there is none. Throws when another process already uses it.
 */
export async function startEmbeddedPostgres(
  dataDir: string,
  { settings = {}, limits = usualLimits }: Embedding = {},
): Promise<EmbeddedPostgres> {
  const cluster = await openCluster(dataDir, settings);
  if (!cluster.exists()) await cluster.initialise();
  if (!(await cluster.isRunning())) await cluster.start();
  const owner = await connect(cluster, limits);
  // The lock is the session's: it is held for as long as we live, however we end.
  if (!(await tryLock(owner, inUseLock))) {
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

/** Uses the database for the length of a command: beside the server that runs on it, or alone. Never makes one. */
export async function visitEmbeddedPostgres(dataDir: string, limits = usualLimits): Promise<EmbeddedPostgres> {
  const cluster = await openCluster(dataDir);
  if (!cluster.exists()) {
    throw new Error(
      `there is none in ${cluster.home}. Run npm start once, choose another DATA_DIR, or set DATABASE_URL.`,
    );
  }
  const visitor = await enter(cluster, limits);
  return {
    url: cluster.url(database),
    async stop() {
      await visitor.query('select pg_advisory_unlock_shared($1)', [visitLock]);
      const isLast = (await tryLock(visitor, inUseLock)) && (await tryLock(visitor, visitLock));
      // Still holding the locks, so that nobody comes in while it stops.
      if (isLast) await cluster.stop();
      await visitor.end();
    },
  };
}

/** Tries again, because another command may be starting or stopping it just now. */
async function enter(cluster: Cluster, limits: TimeLimits): Promise<Client> {
  for (let tries = 1; ; tries += 1) {
    try {
      if (!(await cluster.isRunning())) await cluster.start();
      const visitor = await connect(cluster, limits);
      await visitor.query('select pg_advisory_lock_shared($1)', [visitLock]);
      return visitor;
    } catch (error) {
      if (tries === maxEntries) throw error;
    }
    await sleep(entryPauseMs);
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
