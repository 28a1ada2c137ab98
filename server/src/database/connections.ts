/**
 * Every connection to Postgres is made here, so that each has the same limits. A database, or a network, that keeps its
 * connections and says nothing fails a statement and never holds a process: after the time for a statement its connection is
 * closed, because the answer may still come, and another takes its place. The server has the same limits, so that what a
 * process had locked is free soon after nothing is heard of it any more.
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

/** More than the server has: where the network works, its answer comes first, says what went wrong, and spares the connection. */
const answerMarginMs = 500;
/** A transaction that rests so long belongs to a process of which nothing is heard, however long its statements may take. */
const mostIdleMs = 60_000;
const keepAliveMs = 10_000;
/** For the good order of an end, which a server that keeps silent has no part in. */
const farewellMs = 1000;

/** What the connections to one address have found out about the server there. */
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
        // A pool hides the password from whoever copies its settings.
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

/** Half the time for a lock, so that a failure says which it was: somebody else's lock, or a slow statement. */
function serverSettings({ statementMs }: TimeLimits): ClientConfig {
  return {
    statement_timeout: statementMs,
    lock_timeout: Math.ceil(statementMs / 2),
    idle_in_transaction_session_timeout: Math.min(statementMs, mostIdleMs),
  };
}

/** Runs the work again when its connection was the one that found out that the server takes no settings. */
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
  // Whoever asks hears that the connection is lost. Without a listener the event would end the process.
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
    // Its answer may still come. From here on the pool takes it for one that has ended.
    if (isSilence(error)) void client.end();
  });
  endInTime(client, () => connection.stream.destroy());
}

/** Saying farewell to a server that keeps silent would take for ever. */
function endInTime(client: Client, close: () => void): void {
  const end = client.end.bind(client) as (ended?: () => void) => Promise<void>;
  client.end = ((ended?: () => void) => {
    const cut = setTimeout(close, farewellMs).unref();
    client.once('end', () => clearTimeout(cut));
    return end(ended);
  }) as Client['end'];
}
