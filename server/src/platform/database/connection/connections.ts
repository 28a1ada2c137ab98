/**
 * Every connection has time limits: when Postgres does not answer, the statement fails and the process continues.
 * Postgres applies the same limits, so that it soon releases the locks of a process that has died.
 * See docs/decisions/database.md, "Every connection has time limits on both sides".
 */
import { Client, type ClientBase, type ClientConfig, Pool, type PoolClient, type PoolConfig } from 'pg';
import { hourMs } from '../../../kit/hours.ts';
import type { Logger } from '../../../kit/logger.ts';
import { inOwnTime, type TimeLimits, usualLimits } from '../../../kit/time-limits.ts';
import {
  connectTimeout,
  isOutage,
  isUnanswered,
  isWaitOver,
  refusesSettings,
  refusesWrites,
  waitTimeout,
} from './outage.ts';
import { nameStatements, type StatementNaming } from './prepared-statements.ts';

export interface DatabaseAccess {
  url: string;
  limits: TimeLimits;
  settings: Omit<PoolConfig, 'Client'> & { Client: typeof Client; onPoolCreated(pool: Pool): void };
  openPool(connections: number): Pool;
  openClient(): Client;
  /**
   * After Postgres refused a write, each call of `canWrite` tries to write, until a write succeeds.
   * See docs/decisions/process.md, "A process that cannot write is not ready".
   */
  canWrite(): Promise<boolean>;
  withLimits(limits: Partial<TimeLimits>): DatabaseAccess;
}

/** Six hours, because building an index of a large table takes hours, and so does reading the whole ledger. */
export const longStatementMs = 6 * hourMs;

/** This process waits longer than Postgres does, so that the error of Postgres comes first and says what went wrong. */
const answerMarginMs = 500;
/** After a pause of this length within a transaction, Postgres treats the process as dead. */
const maxIdleMs = 60_000;
const keepAliveMs = 10_000;
const endMs = 1000;

interface ServerState extends StatementNaming {
  acceptsSettings: boolean;
  hasRefusedWrites: boolean;
  trial?: Promise<boolean> | undefined;
  log: Logger | undefined;
}

export function reachDatabase(url: string, limits = usualLimits, log?: Logger): DatabaseAccess {
  return accessTo(url, limits, { acceptsSettings: true, hasRefusedWrites: false, keepsStatements: true, log });
}

function accessTo(url: string, limits: TimeLimits, state: ServerState): DatabaseAccess {
  const settings = {
    // The pool's time limit is longer than `connectMs`, so that `waitInTime` and `connectInTime` time out first.
    connectionTimeoutMillis: limits.connectMs + answerMarginMs,
    keepAlive: true,
    keepAliveInitialDelayMillis: keepAliveMs,
    Client: class extends Client {
      constructor(config: ClientConfig = {}) {
        // A pool makes the password a property that is not enumerable, so a spread does not copy the password.
        const { password } = config;
        const own = { password, connectionTimeoutMillis: 0 };
        super({ ...config, ...own, ...(state.acceptsSettings && serverSettings(limits)) });
        adapt(this, state, limits);
      }
    },
    onPoolCreated: (pool: Pool) => waitInTime(pool, limits.connectMs),
  } satisfies DatabaseAccess['settings'];
  const openPool = (max: number) => {
    const pool = new Pool({ ...settings, connectionString: url, max });
    settings.onPoolCreated(pool);
    return pool;
  };
  const openClient = () => new settings.Client({ ...settings, connectionString: url });
  return {
    url,
    limits,
    settings,
    openPool,
    openClient,
    canWrite: async () => !state.hasRefusedWrites || shareTrial(state, () => tryToWrite(openClient(), state)),
    withLimits: (others) => accessTo(url, { ...limits, ...others }, state),
  };
}

function shareTrial(state: ServerState, tryNow: () => Promise<boolean>): Promise<boolean> {
  state.trial ??= tryNow().finally(() => {
    state.trial = undefined;
  });
  return state.trial;
}

/** Inserts more rows than fit on one page of the table, so that Postgres needs new space, and rolls them back. */
const writeAndUndo = `
  begin;
  insert into migration (name) select repeat(md5(n::text), 7) from generate_series(1, 100) as n;
  rollback`;

async function tryToWrite(client: Client, state: ServerState): Promise<boolean> {
  try {
    await client.connect();
    await client.query(writeAndUndo);
  } catch (error) {
    // Only an outage counts as a failure. After any other error, the next write shows whether Postgres still refuses
    // writes.
    if (isOutage(error)) return false;
  } finally {
    await client.end().catch(() => {});
  }
  state.hasRefusedWrites = false;
  return true;
}

/**
 * Waiting for a lock may take half of the time of a statement, so that the error says whether the lock or the statement
 * took too long.
 */
function serverSettings({ statementMs }: TimeLimits): ClientConfig {
  return {
    statement_timeout: statementMs,
    lock_timeout: Math.ceil(statementMs / 2),
    idle_in_transaction_session_timeout: Math.min(statementMs, maxIdleMs),
  };
}

/**
 * Some poolers refuse a connection that sends settings. After such a refusal, no connection sends settings.
 * See docs/decisions/database.md, "The server's limits are sent when a connection starts".
 */
export function withOrWithoutSettings<Result>(work: () => Promise<Result>): Promise<Result> {
  return work().catch((error) => {
    if (refusesSettings(error)) return work();
    throw error;
  });
}

export function cutOff(client: ClientBase): void {
  (client as unknown as { connection: Protocol }).connection.stream.destroy();
}

interface Protocol {
  on(event: 'errorMessage', listener: (error: Error) => void): void;
  stream: { destroy(): void };
}

/**
 * A pool's timers also count the time in which this process was too busy to read a response. So after an early timeout
 * of the pool, the pool is asked again.
 */
function waitInTime(pool: Pool, limitMs: number): void {
  const connect = pool.connect.bind(pool) as () => Promise<PoolClient>;
  const askInTime = (): Promise<PoolClient> => {
    let isOver = false;
    const ask = async (): Promise<PoolClient> => {
      try {
        const client = await connect();
        if (isOver) client.release();
        return client;
      } catch (error) {
        if (isOver || !isWaitOver(error)) throw error;
        return ask();
      }
    };
    return inOwnTime(limitMs, ask(), () => {
      isOver = true;
      return new Error(waitTimeout);
    });
  };
  pool.connect = ((connected?: (error: unknown, client?: PoolClient, release?: unknown) => void) => {
    const connecting = askInTime();
    if (!connected) return connecting;
    connecting.then((client) => connected(undefined, client, client.release), connected);
    return undefined;
  }) as Pool['connect'];
}

function connectInTime(client: Client, limitMs: number, close: () => void): void {
  const connect = client.connect.bind(client) as () => Promise<Client>;
  client.connect = ((connected?: (error?: unknown) => void) => {
    const connecting = inOwnTime(limitMs, connect(), () => {
      close();
      return new Error(connectTimeout);
    });
    if (!connected) return connecting;
    connecting.then(() => connected(), connected);
    return undefined;
  }) as Client['connect'];
}

function adapt(client: Client, state: ServerState, { statementMs, connectMs }: TimeLimits): void {
  const { connection } = client as unknown as { connection: Protocol };
  // Without a listener, the loss of a connection would end the process. The running statement fails anyway.
  client.on('error', () => {});
  connection.on('errorMessage', (error) => {
    if (refusesWrites(error)) state.hasRefusedWrites = true;
    if (!state.acceptsSettings || !refusesSettings(error)) return;
    state.acceptsSettings = false;
    state.log?.warn(
      { err: error },
      'Postgres or its pooler refuses time limits that a connection sends: set them for the role, as ops/database.md says',
    );
  });
  nameStatements(client, state, {
    answerMs: statementMs + answerMarginMs,
    onFailure(error) {
      // A late response may still arrive on this connection, so the pool must not use the connection again.
      if (isUnanswered(error)) void client.end();
    },
  });
  const close = () => connection.stream.destroy();
  connectInTime(client, connectMs, close);
  endInTime(client, close);
}

/** Ending a connection gracefully needs a response of Postgres, which may never come. */
function endInTime(client: Client, close: () => void): void {
  const end = client.end.bind(client) as (ended?: () => void) => Promise<void>;
  client.end = ((ended?: () => void) => {
    const cut = setTimeout(close, endMs).unref();
    client.once('end', () => clearTimeout(cut));
    return end(ended);
  }) as Client['end'];
}

// See docs/decisions/database.md, "Our code returns a connection that was lost in a transaction".
export function returnLostConnections(pool: Pool): void {
  const held = new Set<unknown>();
  pool.on('acquire', (client) => held.add(client));
  pool.on('release', (_error, client) => held.delete(client));
  pool.on('connect', (client) => {
    client.once('end', () => {
      if (!held.has(client)) return;
      const lost = client as PoolClient;
      lost.release(true);
      // Kysely may release the connection a second time, which the pool would report as an error.
      lost.release = () => {};
    });
  });
}
