import { randomBytes } from 'node:crypto';
import { createSealer, type Sealer } from '@tillhook/server/src/kit/seal.ts';
import { type Client, Pool } from 'pg';
import { type Child, startChild } from '../support/child.ts';
import { createMerchant, createTestKey } from '../support/merchant.ts';
import type { Interruptible } from './interruptible.ts';
import { type Server, startServer } from './server.ts';

/** The environment of a scenario: a database, and processes that end with the scenario, even if the scenario fails. */
export interface Stage {
  /** Connections of the scenario to the database, without the proxy through which the servers may connect. */
  database: Pool;
  /** The URL of the same database, without the proxy. */
  databaseUrl: string;
  /**
   * The database server to which the servers of the service connect, perhaps through a proxy. Scenarios make it
   * unavailable.
   */
  postgres: Interruptible;
  /** The producers' connections to the database, by the same URL as the connections of the servers. */
  producing: Pool;
  /** Starts a MongoDB for the schedule. A string is the reason why no MongoDB is available. */
  startMongodb: (() => Promise<Interruptible>) | string;
  sealer: Sealer;
  /** The setting MASTER_KEYS of every server. */
  masterKeys: string;
  running: AsyncDisposableStack;
  /** Starts a server of this version, or of an earlier version if `main` has the path of its `main.ts`. */
  startServer(role: 'api' | 'worker' | 'all', env?: Record<string, string>, main?: string): Promise<Server>;
  /** Returns a stage with another database and the same master key. Scenarios do not interrupt the other database. */
  on(databaseUrl: string): Stage;
}

export interface StageSettings {
  /** The URL of the database, without a proxy. */
  databaseUrl: string;
  postgres: Interruptible;
  startMongodb: Stage['startMongodb'];
  inFlight?: number;
  /** Settings of every server. */
  env?: Record<string, string>;
  /** A file descriptor for the log of every server. Without this descriptor, the servers log nothing. */
  log?: number;
  masterKey?: Buffer;
}

/**
 * The duration of a lease, after which another worker may claim a delivery of a killed worker. A lease is shorter than
 * in production, so that a run is short.
 */
export const leaseMs = 5000;
/**
 * Settings for scenarios in which no worker is killed. The lease is long, so that a slow machine does not cause a
 * second attempt.
 */
export const withLongLease = { DELIVERY_LEASE_MS: '60000', DELIVERY_TIMEOUT_MS: '15000' };
/** The default number of deliveries that one process has in flight. */
const usuallyInFlight = 256;

/** Opens a stage for one scenario. All processes and connections of the stage end with `running`. */
export function openStage(running: AsyncDisposableStack, settings: StageSettings): Stage {
  const { databaseUrl, postgres, startMongodb, inFlight = usuallyInFlight } = settings;
  const open = (connectionString: string, max: number) => {
    const pool = new Pool({ connectionString, max, connectionTimeoutMillis: 5000 });
    // When a scenario stops Postgres, the pool emits this error. The next statement also reports the error.
    pool.on('error', () => {});
    running.defer(() => pool.end());
    return pool;
  };
  const database = open(databaseUrl, 2);
  const key = settings.masterKey ?? randomBytes(32);
  const masterKeys = `chaos:${key.toString('base64')}`;
  const common = {
    NODE_ENV: 'production',
    LOG_LEVEL: settings.log === undefined ? 'silent' : 'warn',
    RATE_LIMITS: 'off',
    DATABASE_URL: postgres.url,
    MASTER_KEYS: masterKeys,
    WEBHOOK_ALLOW_CIDRS: '127.0.0.0/8,::1/128',
    DELIVERY_CONNECT_TIMEOUT_MS: '1000',
    DELIVERY_TIMEOUT_MS: '1500',
    DELIVERY_LEASE_MS: String(leaseMs),
    DELIVERY_RETRY_DELAYS_MS: '500,500,500',
    DELIVERY_CONCURRENCY: String(inFlight),
    ...settings.env,
  };
  return {
    database,
    databaseUrl,
    postgres,
    producing: open(postgres.url, 4),
    startMongodb,
    sealer: createSealer([{ id: 'chaos', key }]),
    masterKeys,
    running,
    startServer: (role, env, main) =>
      startServer(running, { ...common, ...env, ROLE: role }, { log: settings.log, main }),
    on: (url) =>
      openStage(running, { ...settings, databaseUrl: url, postgres: { ...postgres, url, ways: [] }, masterKey: key }),
  };
}

/** Creates a merchant with a test key. */
export async function newMerchant({ database }: Stage): Promise<{ id: string; key: string }> {
  // A client of a pool has all methods of `Client`, but its type lacks some methods.
  const client = (await database.connect()) as unknown as Client & { release(): void };
  try {
    const id = await createMerchant(client);
    return { id, key: await createTestKey(client, id) };
  } finally {
    client.release();
  }
}

interface ReceiverSettings {
  /** The milliseconds after which the receiver answers. */
  delayMs?: number;
  /** The share of deliveries whose first attempt the receiver answers with 500. */
  refuses?: number;
}

/** Starts a receiver in a separate process. The receiver records every arrival. */
export function startReceiver({ running }: Stage, { delayMs = 0, refuses = 0 }: ReceiverSettings = {}): Promise<Child> {
  return startChild(running, import.meta.resolve('./receiver.ts'), {
    args: [String(delayMs), String(refuses)],
  });
}
