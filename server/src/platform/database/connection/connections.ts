/**
 * Every connection to Postgres is made here, so that all connections have the same time limits. When the database or
 * the network stops answering without closing a connection, the statement fails and the process continues. The
 * connection is then closed, because the late response may still arrive on it, and the pool opens another connection.
 * Postgres gets the same limits, so that it soon releases the locks of a process that has died or cannot be reached.
 * See docs/decisions/database.md, "Every connection has time limits on both sides".
 */
import { Client, type ClientBase, type ClientConfig, Pool, type PoolClient, type PoolConfig } from 'pg';
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

/** The address of a Postgres, with time limits for its connections and statements. */
export interface DatabaseAccess {
  url: string;
  limits: TimeLimits;
  /**
   * The settings for a library that creates a pool itself, such as the ORM, and passes the pool to `onPoolCreated`.
   */
  settings: Omit<PoolConfig, 'Client'> & { Client: typeof Client; onPoolCreated(pool: Pool): void };
  openPool(connections: number): Pool;
  /** Creates a client that is not connected yet. */
  openClient(): Client;
  /**
   * Whether writes are possible, as far as this process knows. After Postgres refused a write because the disk is full
   * or the server is a standby, each call tries to write, until a write succeeds. Concurrent calls share one try,
   * because each try opens a connection.
   * See docs/decisions/process.md, "A process that cannot write is not ready".
   */
  canWrite(): Promise<boolean>;
  /** Returns access to the same address with other limits. */
  withLimits(limits: Partial<TimeLimits>): DatabaseAccess;
}

/**
 * The time limit for migrations, where an index of a large table takes hours, and for commands that read the whole
 * ledger.
 */
export const longStatementMs = 6 * 3_600_000;

/**
 * This process waits longer than the server does. So while the network works, the server's error comes first. It says
 * what went wrong, and the connection can be used again.
 */
const answerMarginMs = 500;
/** The maximum pause between two statements of a transaction. After it, Postgres treats the process as dead. */
const maxIdleMs = 60_000;
const keepAliveMs = 10_000;
/** The maximum time for closing a connection gracefully, which needs a response of the server. */
const endMs = 1000;

/**
 * The state of the server of an address, as far as this process knows it. All connections to the address share one
 * object.
 */
interface ServerState extends StatementNaming {
  /** Whether connections may send settings. Some poolers refuse such connections. */
  acceptsSettings: boolean;
  hasRefusedWrites: boolean;
  /** The running attempt to write, which concurrent calls of `canWrite` share. */
  trial?: Promise<boolean> | undefined;
  log: Logger | undefined;
}

export function reachDatabase(url: string, limits = usualLimits, log?: Logger): DatabaseAccess {
  return accessTo(url, limits, { acceptsSettings: true, hasRefusedWrites: false, keepsStatements: true, log });
}

function accessTo(url: string, limits: TimeLimits, state: ServerState): DatabaseAccess {
  const settings = {
    // The pool waits longer than our limit, which `waitInTime` and `connectInTime` apply.
    connectionTimeoutMillis: limits.connectMs + answerMarginMs,
    keepAlive: true,
    keepAliveInitialDelayMillis: keepAliveMs,
    // A pool takes a class, and creates its connections with `new`.
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

/** Inserts more rows than one page of the table can hold, so that Postgres needs new space, and rolls them back. */
const writeAndUndo = `
  begin;
  insert into migration (name) select repeat(md5(n::text), 7) from generate_series(1, 100) as n;
  rollback`;

async function tryToWrite(client: Client, state: ServerState): Promise<boolean> {
  try {
    await client.connect();
    await client.query(writeAndUndo);
  } catch (error) {
    // Any other error counts as a success, such as a role that may not write into this table. The next write then
    // shows whether Postgres still refuses writes.
    if (isOutage(error)) return false;
  } finally {
    await client.end().catch(() => {});
  }
  state.hasRefusedWrites = false;
  return true;
}

/**
 * Waiting for a lock may take half of the time of a statement, so that the error says whether the lock or the
 * statement took too long.
 */
function serverSettings({ statementMs }: TimeLimits): ClientConfig {
  return {
    statement_timeout: statementMs,
    lock_timeout: Math.ceil(statementMs / 2),
    idle_in_transaction_session_timeout: Math.min(statementMs, maxIdleMs),
  };
}

/**
 * Runs the work. If the server refused the connection because of its settings, runs the work once more: from then on,
 * no connection sends settings.
 * See docs/decisions/database.md, "The server's limits are sent when a connection starts".
 */
export function withOrWithoutSettings<Result>(work: () => Promise<Result>): Promise<Result> {
  return work().catch((error) => {
    if (refusesSettings(error)) return work();
    throw error;
  });
}

/** Closes the connection of a client without waiting. Its running statement fails. */
export function cutOff(client: ClientBase): void {
  (client as unknown as { connection: Protocol }).connection.stream.destroy();
}

/** The connection inside a client of pg, which its types leave out. */
interface Protocol {
  on(event: 'errorMessage', listener: (error: Error) => void): void;
  stream: { destroy(): void };
}

/**
 * Limits the time in which a pool provides a connection. The timers of the pool also count the time in which this
 * process was too busy to read a response. So a call that a timer of the pool ends before the limit asks the pool
 * again, and then waits behind the other waiting calls.
 * See docs/decisions/database.md, "Every connection has time limits on both sides".
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

/** Limits the time in which a connection opens, as `waitInTime` does for a pool. */
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
  // When a connection is lost, its statement fails by itself. Without a listener, this event would end the process.
  client.on('error', () => {});
  connection.on('errorMessage', (error) => {
    if (refusesWrites(error)) state.hasRefusedWrites = true;
    if (!state.acceptsSettings || !refusesSettings(error)) return;
    state.acceptsSettings = false;
    state.log?.warn(
      { err: error },
      'The server refuses time limits from a connection: set them for its role, as ops/database.md says',
    );
  });
  nameStatements(client, state, {
    answerMs: statementMs + answerMarginMs,
    onFailure(error) {
      // The late response may still arrive, so this connection is closed and the pool does not use it again.
      if (isUnanswered(error)) void client.end();
    },
  });
  const close = () => connection.stream.destroy();
  connectInTime(client, connectMs, close);
  endInTime(client, close);
}

/** Closes the socket when the server does not answer. Otherwise closing the connection gracefully would never end. */
function endInTime(client: Client, close: () => void): void {
  const end = client.end.bind(client) as (ended?: () => void) => Promise<void>;
  client.end = ((ended?: () => void) => {
    const cut = setTimeout(close, endMs).unref();
    client.once('end', () => clearTimeout(cut));
    return end(ended);
  }) as Client['end'];
}

/**
 * Returns connections that were lost inside a transaction to their pool. Kysely never releases a connection whose
 * `begin` failed, or whose `commit` and then `rollback` failed. Each such connection would keep its place in the pool,
 * and when all places were lost, every query would wait forever.
 * See docs/decisions/database.md, "Our code returns a connection that was lost in a transaction".
 */
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
