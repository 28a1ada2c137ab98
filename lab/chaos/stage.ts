import { randomBytes } from 'node:crypto';
import { createSealer, type Sealer } from '@tillhook/server/src/kit/seal.ts';
import { type Client, Pool } from 'pg';
import { type Child, startChild } from '../support/child.ts';
import { createMerchant, createTestKey } from '../support/merchant.ts';
import type { Interruptible } from './interruptible.ts';
import { type Server, startServer } from './server.ts';

export interface Stage {
  /** Connections of the scenario to the database, without the proxy through which the servers may connect. */
  database: Pool;
  databaseUrl: string;
  postgres: Interruptible;
  producing: Pool;
  /** Starts a MongoDB for the schedule. A string is the reason why no MongoDB is available. */
  startMongodb: (() => Promise<Interruptible>) | string;
  sealer: Sealer;
  masterKeys: string;
  running: AsyncDisposableStack;
  /** `main` is the path of the `main.ts` of an earlier version. Without `main`, a server of this version starts. */
  startServer(role: 'api' | 'worker' | 'all', env?: Record<string, string>, main?: string): Promise<Server>;
  on(databaseUrl: string): Stage;
}

export interface StageSettings {
  databaseUrl: string;
  postgres: Interruptible;
  startMongodb: Stage['startMongodb'];
  inFlight?: number;
  env?: Record<string, string>;
  log?: number;
  masterKey?: Buffer;
}

/** A lease is shorter than in production, so that another worker soon claims the deliveries of a killed worker. */
export const leaseMs = 5000;
/** The lease is so long that a slow machine does not cause a second attempt. */
export const withLongLease = { DELIVERY_LEASE_MS: '60000', DELIVERY_TIMEOUT_MS: '15000' };
const usuallyInFlight = 256;

export function openStage(running: AsyncDisposableStack, settings: StageSettings): Stage {
  const { databaseUrl, postgres, startMongodb, inFlight = usuallyInFlight } = settings;
  const open = (connectionString: string, max: number) => {
    const pool = new Pool({ connectionString, max, connectionTimeoutMillis: 5000 });
    // When a scenario stops Postgres, the pool emits this error, and the next statement reports it too.
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
  delayMs?: number;
  refuses?: number;
}

export function startReceiver({ running }: Stage, { delayMs = 0, refuses = 0 }: ReceiverSettings = {}): Promise<Child> {
  return startChild(running, import.meta.resolve('./receiver.ts'), {
    args: [String(delayMs), String(refuses)],
  });
}
