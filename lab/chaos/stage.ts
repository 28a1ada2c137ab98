import { randomBytes } from 'node:crypto';
import { createSealer, type Sealer } from '@tillhook/server/src/kit/seal.ts';
import { type Client, Pool } from 'pg';
import { type Child, startChild } from '../support/child.ts';
import { createMerchant, createTestKey } from '../support/merchant.ts';
import type { Interruptible } from './interruptible.ts';
import { type Server, startServer } from './server.ts';

/** The environment of a scenario: a database, and processes that end with the scenario, even if it fails. */
export interface Stage {
  /** Direct connections to the database for the scenario. The servers connect through a proxy. */
  database: Pool;
  /** The direct address of the same database. */
  databaseUrl: string;
  /** The database, as the servers connect to it. */
  postgres: Interruptible;
  /** The producers' connections to the database. They go through the same proxy as those of the servers. */
  producing: Pool;
  /** Starts a MongoDB for the schedule; a string is the reason why there is none. */
  startMongodb: (() => Promise<Interruptible>) | string;
  sealer: Sealer;
  /** The setting MASTER_KEYS of every server. */
  masterKeys: string;
  running: AsyncDisposableStack;
  /** Starts this version, or an earlier one when `main` has the path of its `main.ts`. */
  startServer(role: 'api' | 'worker' | 'all', env?: Record<string, string>, main?: string): Promise<Server>;
  /** Returns the same stage on another database, with the same master key. Scenarios do not interrupt that database. */
  on(databaseUrl: string): Stage;
}

export interface StageSettings {
  /** The direct address of the database. */
  databaseUrl: string;
  postgres: Interruptible;
  startMongodb: Stage['startMongodb'];
  inFlight?: number;
  /** Settings of every server. */
  env?: Record<string, string>;
  /** A file descriptor for the log of every server. Without it nothing is logged. */
  log?: number;
  masterKey?: Buffer;
}

/**
 * After this time another worker may claim a delivery of a killed worker. Shorter than in production, so that a run is
 * short.
 */
export const leaseMs = 5000;
/**
 * For scenarios in which no worker is killed. The lease is long, so that a slow machine does not cause a second
 * attempt.
 */
export const withLongLease = { DELIVERY_LEASE_MS: '60000', DELIVERY_TIMEOUT_MS: '15000' };
/** The default number of deliveries that one process has in flight. */
const usuallyInFlight = 256;

/** Opens a stage for one scenario. Everything that it starts ends with `running`. */
export function openStage(running: AsyncDisposableStack, settings: StageSettings): Stage {
  const { databaseUrl, postgres, startMongodb, inFlight = usuallyInFlight } = settings;
  const open = (connectionString: string, max: number) => {
    const pool = new Pool({ connectionString, max, connectionTimeoutMillis: 5000 });
    // When a scenario stops Postgres, the pool emits this error. The next statement reports it too.
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

/** A merchant with a test key. */
export async function newMerchant({ database }: Stage): Promise<{ id: string; key: string }> {
  // A client of a pool has all methods of `Client`, but its type lacks some.
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

/** Starts a receiver in a separate process, which records every arrival. */
export function startReceiver({ running }: Stage, { delayMs = 0, refuses = 0 }: ReceiverSettings = {}): Promise<Child> {
  return startChild(running, import.meta.resolve('./receiver.ts'), {
    args: [String(delayMs), String(refuses)],
  });
}
