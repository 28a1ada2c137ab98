/**
 * Every connection to Postgres is made here, so that each has the same time limits. When the database or the network stops
 * answering without closing a connection, the statement fails and the process goes on. The connection is then closed, because
 * the late answer may still arrive on it, and the pool opens another. Postgres is given the same limits, so that it soon
 * releases the locks of a process that it no longer hears from.
 * See docs/decisions/database.md, "Every connection has time limits on both sides".
 */
import { Client, type ClientConfig, Pool, type PoolConfig } from 'pg';
import type { Logger } from '../kit/logger.ts';
import { type TimeLimits, usualLimits } from '../kit/time-limits.ts';
import { isSilence, refusesSettings } from './outage.ts';
import { nameStatements, type StatementNaming } from './prepared-statements.ts';

/** One address of Postgres, with limits for what is asked of it. */
export interface DatabaseAccess {
  url: string;
  limits: TimeLimits;
  /** For what makes a pool itself, such as the ORM. */
  settings: PoolConfig;
  openPool(connections: number): Pool;
  /** One connection. It does not connect yet. */
  openClient(): Client;
  /** The same address with other limits. */
  within(limits: Partial<TimeLimits>): DatabaseAccess;
}

/** For migrations, and for what reads all the books: an index of a large table takes hours. */
export const longStatementMs = 6 * 3_600_000;

/**
 * How much longer we wait than the server does. Where the network works, the server's error therefore comes first: it says what
 * went wrong, and the connection can be used again.
 */
const answerMarginMs = 500;
/** The longest pause between two statements of a transaction, however long each may take. After it the process counts as dead. */
const mostIdleMs = 60_000;
const keepAliveMs = 10_000;
/** How long a connection may take to end in order, for which it waits for the server. */
const endMs = 1000;

/** What connections to one address found out about its server. All of them share it. */
interface Learnt extends StatementNaming {
  /** False behind a pooler that refuses settings of a connection. */
  takesSettings: boolean;
  log: Logger | undefined;
}

export function reachDatabase(url: string, limits = usualLimits, log?: Logger): DatabaseAccess {
  return accessTo(url, limits, { takesSettings: true, keepsStatements: true, log });
}

function accessTo(url: string, limits: TimeLimits, learnt: Learnt): DatabaseAccess {
  const settings = {
    connectionTimeoutMillis: limits.connectMs,
    query_timeout: limits.statementMs + answerMarginMs,
    keepAlive: true,
    keepAliveInitialDelayMillis: keepAliveMs,
    // A pool takes a class, and makes its connections with `new`.
    Client: class extends Client {
      constructor(config: ClientConfig = {}) {
        // A pool makes the password a property that a spread does not copy.
        const { password } = config;
        super({ ...config, password, ...(learnt.takesSettings && serverSettings(limits)) });
        adapt(this, learnt);
      }
    },
  } satisfies PoolConfig & { Client: typeof Client };
  return {
    url,
    limits,
    settings,
    openPool: (max) => new Pool({ ...settings, connectionString: url, max }),
    openClient: () => new settings.Client({ ...settings, connectionString: url }),
    within: (others) => accessTo(url, { ...limits, ...others }, learnt),
  };
}

/** A lock is waited for half as long as a statement may take, so that the error says whether it was the lock or the statement. */
function serverSettings({ statementMs }: TimeLimits): ClientConfig {
  return {
    statement_timeout: statementMs,
    lock_timeout: Math.ceil(statementMs / 2),
    idle_in_transaction_session_timeout: Math.min(statementMs, mostIdleMs),
  };
}

/**
 * Runs the work again when its connection was refused because of its settings: after that no connection sends any.
 * See docs/decisions/database.md, "The server's limits are sent when a connection starts".
 */
export function withOrWithoutSettings<Result>(work: () => Promise<Result>): Promise<Result> {
  return work().catch((error) => {
    if (refusesSettings(error)) return work();
    throw error;
  });
}

/** What the types of pg leave out: the protocol below a client. */
interface Protocol {
  on(event: 'errorMessage', listener: (error: Error) => void): void;
  stream: { destroy(): void };
}

function adapt(client: Client, learnt: Learnt): void {
  const { connection } = client as unknown as { connection: Protocol };
  // A statement under way fails by itself when its connection is lost. Without a listener the event would end the process.
  client.on('error', () => {});
  connection.on('errorMessage', (error) => {
    if (!learnt.takesSettings || !refusesSettings(error)) return;
    learnt.takesSettings = false;
    learnt.log?.warn(
      { err: error },
      'the server takes no time limits from a connection: give its role some, as ops/README.md says',
    );
  });
  nameStatements(client, learnt, (error) => {
    // The late answer may still arrive. From here on the pool takes this connection for one that has ended.
    if (isSilence(error)) void client.end();
  });
  endInTime(client, () => connection.stream.destroy());
}

/** Closes the socket when the server does not answer: ending in order would then take for ever. */
function endInTime(client: Client, close: () => void): void {
  const end = client.end.bind(client) as (ended?: () => void) => Promise<void>;
  client.end = ((ended?: () => void) => {
    const cut = setTimeout(close, endMs).unref();
    client.once('end', () => clearTimeout(cut));
    return end(ended);
  }) as Client['end'];
}
