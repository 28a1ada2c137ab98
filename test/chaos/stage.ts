import { randomBytes } from 'node:crypto';
import { createSealer, type Sealer } from '@tillhook/server/src/kit/seal.ts';
import { type Client, Pool } from 'pg';
import { type Child, startChild } from '../bench/child.ts';
import { createMerchant, createTestKey } from '../bench/merchant.ts';
import type { Interruptible } from './interruptible.ts';
import { type Server, startServer } from './server.ts';

/** Where a scenario plays: a database, and processes that end with it however it ends. */
export interface Stage {
  /** The scenario's own way to the database, past whatever stands between it and the servers. */
  database: Pool;
  /** The database as the servers reach it. */
  postgres: Interruptible;
  /** Connections for the producers, which reach the database as the servers do. */
  producing: Pool;
  /** A MongoDB for the schedule, started when asked for; or why there is none. */
  startMongodb: (() => Promise<Interruptible>) | string;
  sealer: Sealer;
  running: AsyncDisposableStack;
  startServer(role: 'api' | 'worker' | 'all', env?: Record<string, string>): Promise<Server>;
}

export interface StageSettings {
  /** The database itself. */
  databaseUrl: string;
  postgres: Interruptible;
  startMongodb: Stage['startMongodb'];
  inFlight?: number;
  /** For every server. */
  env?: Record<string, string>;
}

/** How soon a delivery of a worker that died is anybody's again. Far shorter than in production, so that a run is short. */
export const leaseMs = 5000;
/** Where no worker dies, nobody needs a short lease, and a slow machine is no reason to send twice. */
export const patient = { DELIVERY_LEASE_MS: '60000', DELIVERY_TIMEOUT_MS: '15000' };
/** In flight in one process at most, by default. */
const usuallyInFlight = 256;

/** A stage of its own for each scenario. What it starts ends with `running`. */
export function openStage(running: AsyncDisposableStack, settings: StageSettings): Stage {
  const { databaseUrl, postgres, startMongodb, inFlight = usuallyInFlight } = settings;
  const open = (connectionString: string, max: number) => {
    const pool = new Pool({ connectionString, max, connectionTimeoutMillis: 5000 });
    // Postgres is stopped under it; the statement that follows says so.
    pool.on('error', () => {});
    running.defer(() => pool.end());
    return pool;
  };
  const database = open(databaseUrl, 2);
  const key = randomBytes(32);
  const common = {
    NODE_ENV: 'production',
    LOG_LEVEL: 'silent',
    RATE_LIMITS: 'off',
    DATABASE_URL: postgres.url,
    MASTER_KEYS: `chaos:${key.toString('base64')}`,
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
    postgres,
    producing: open(postgres.url, 4),
    startMongodb,
    sealer: createSealer([{ id: 'chaos', key }]),
    running,
    startServer: (role, env) => startServer(running, { ...common, ...env, ROLE: role }),
  };
}

/** A merchant with a test key. */
export async function newMerchant({ database }: Stage): Promise<{ id: string; key: string }> {
  // One of a pool can do all that one by itself can, but its type does not say so.
  const client = (await database.connect()) as unknown as Client & { release(): void };
  try {
    const id = await createMerchant(client);
    return { id, key: await createTestKey(client, id) };
  } finally {
    client.release();
  }
}

interface Manners {
  /** How long it takes to answer. */
  delayMs?: number;
  /** Of this part of the deliveries the first attempt is answered 500. */
  refuses?: number;
}

/** A receiver in a process of its own, which remembers every receipt. */
export function startReceiver({ running }: Stage, { delayMs = 0, refuses = 0 }: Manners = {}): Promise<Child> {
  return startChild(running, new URL('./receiver.ts', import.meta.url).href, [String(delayMs), String(refuses)]);
}
