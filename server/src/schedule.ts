/**
 * The schedule. Agenda decides when a job runs, and rows in Postgres say what there is to do. Jobs have no input, and
 * the same job may run twice at the same time. Agenda stores its jobs in MongoDB if it is configured, otherwise in the
 * same Postgres. The process starts and goes on while that store is away. Agenda alone cannot do this: its first
 * connection, when it fails, is an unhandled rejection.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { PostgresBackend } from '@agendajs/postgres-backend';
import { Agenda, type AgendaBackend } from 'agenda';
import type { DatabaseAccess } from './database/connections.ts';
import { atMost } from './kit/at-most.ts';
import { systemClock } from './kit/clock.ts';
import type { Logger } from './kit/logger.ts';
import { makeMisdatedJobsDue } from './misdated-jobs.ts';
import { StartError } from './start-error.ts';

export interface ScheduledJob {
  name: string;
  /** At least one second: Agenda runs a job with `500 milliseconds` once and never again. */
  every: string;
  /** After this time another process may run the job, because the process that ran it may have died. */
  lockLifetimeMs: number;
  /** The signal says that the process stops. Only a job that takes minutes has to look at it. */
  run(signal?: AbortSignal): void | Promise<void>;
}

interface StoreSettings {
  postgres: DatabaseAccess;
  /** If set, the store is in this MongoDB. */
  mongodbUrl?: string;
  log: Logger;
}

interface ScheduleSettings {
  store: ScheduleStore;
  log: Logger;
  jobs: readonly ScheduledJob[];
}

export interface Schedule {
  /** Whether the schedule has started and its store answers now. */
  isReady(): Promise<boolean>;
  stop(): Promise<void>;
}

/** The store of Agenda's jobs, with connections to it. */
export interface ScheduleStore {
  backend: AgendaBackend;
  connect(): Promise<void>;
  ping(): Promise<unknown>;
  close(): Promise<void>;
  /** Returns the same store with new connections. */
  reopen(): ScheduleStore;
}

/**
 * An Agenda polls its store at one interval for all its jobs. So jobs that are due less often have a second Agenda that
 * polls slowly.
 * See docs/decisions/process.md, "The schedule polls its store, with two Agendas".
 */
const fastPoll = '1 second';
const slowPoll = '15 seconds';
const shortestRetryMs = 500;
const longestRetryMs = 10_000;
/** How long running jobs may delay the stop, and how long a store that does not answer may. */
const runEndMs = 5000;
const closeMs = 2000;
/** A store whose answer takes longer counts as away. */
const answerMs = 5000;

const warnIn = (log: Logger) => (error: unknown) => log.warn({ err: error }, 'The schedule failed');

/** Opens the store without connecting to it. Throws when its address is not valid. */
export async function openScheduleStore({ postgres, mongodbUrl, log }: StoreSettings): Promise<ScheduleStore> {
  return mongodbUrl ? openMongodb(mongodbUrl) : openPostgres(postgres, warnIn(log));
}

/**
 * Starts in the background and returns at once, whether the store can be reached or not.
 *
 * Choice: a store that fails or does not answer is abandoned, with everything that its driver still waits for, and
 * opened again. The driver of MongoDB (7.9) waits for ever if its connection is closed just before the handshake, and
 * then does not find its server again. In Postgres, two lost packets are enough to block both connections of the pool.
 * See docs/decisions/process.md, "A schedule's store that fails is opened again".
 */
export function startSchedule({ store, log, jobs }: ScheduleSettings): Schedule {
  const stopping = new AbortController();
  const runs = new Set<Promise<void>>();
  let current = startOn(store, { log, jobs, runs });

  async function reopenAfterSilence(): Promise<void> {
    for (let silences = 0; ; ) {
      await sleep(answerMs, undefined, { signal: stopping.signal, ref: false }).catch(() => {});
      if (stopping.signal.aborted) return;
      const isThere = await current.answers();
      if (isThere) await current.correctMisdated();
      silences = isThere ? 0 : silences + 1;
      if (silences < 2 || stopping.signal.aborted) continue;
      silences = 0;
      void current.stop();
      current = startOn(current.store.reopen(), { log, jobs, runs });
    }
  }

  const watching = reopenAfterSilence();
  return {
    isReady: () => current.isReady(),
    async stop() {
      stopping.abort();
      await Promise.all([watching, current.stop()]);
    },
  };
}

interface Work extends Omit<ScheduleSettings, 'store'> {
  /** The jobs that are running, including those of an abandoned Agenda. */
  runs: Set<Promise<void>>;
}

/** Starts new Agendas on this store. */
function startOn(store: ScheduleStore, { log, jobs, runs }: Work) {
  const stopping = new AbortController();
  const warn = warnIn(log);
  const agendas: Agenda[] = [];
  let isScheduled = false;

  async function start(): Promise<void> {
    const { backend, connect } = store;
    await retryUntilSuccess(connect);
    // Agenda connects in its constructor and does not try again, so it gets a store that is connected already.
    backend.connect = async () => {};
    const jobsByPace = Map.groupBy(jobs, ({ every }) => (every === fastPoll ? fastPoll : slowPoll));
    for (const [pace, jobsOfPace] of jobsByPace) await schedule(pace, jobsOfPace);
    isScheduled = true;
  }

  async function schedule(processEvery: string, jobsOfPace: readonly ScheduledJob[]): Promise<void> {
    const agenda = new Agenda({ backend: store.backend, processEvery });
    agendas.push(agenda);
    agenda.on('error', warn).on('fail', warn);
    for (const { name, lockLifetimeMs: lockLifetime, run } of jobsOfPace)
      agenda.define(name, () => runUnlessStopping(run), { lockLifetime });
    await agenda.start();
    for (const { name, every } of jobsOfPace) await retryUntilSuccess(() => Promise.resolve(agenda.every(every, name)));
  }

  /**
   * When Agenda stops, it does not wait for running jobs, and still starts a job that it has locked. Both would use
   * resources that are being closed.
   */
  async function runUnlessStopping(run: ScheduledJob['run']): Promise<void> {
    if (stopping.signal.aborted) return;
    const running = (async () => run(stopping.signal))();
    runs.add(running);
    await running.finally(() => runs.delete(running));
  }

  async function retryUntilSuccess(step: () => Promise<unknown>): Promise<void> {
    for (let pauseMs = shortestRetryMs; ; pauseMs = Math.min(pauseMs * 2, longestRetryMs)) {
      stopping.signal.throwIfAborted();
      try {
        await step();
        return;
      } catch (error) {
        warn(error);
        await sleep(pauseMs, undefined, { signal: stopping.signal, ref: false });
      }
    }
  }

  async function answers(): Promise<boolean> {
    let hasAnswered = false;
    const ping = async () => {
      await store.ping();
      hasAnswered = true;
    };
    await atMost(answerMs, ping()).catch(() => {});
    return hasAnswered;
  }

  const starting = start().catch((error) => {
    if (!stopping.signal.aborted) warn(error);
  });

  async function endRuns(): Promise<void> {
    await starting;
    await Promise.all(agendas.map((agenda) => agenda.stop(false).catch(warn)));
    await Promise.allSettled(runs);
  }

  /** After a clock was set back. The jobs of an Agenda that has not started yet are looked at later. */
  async function correctMisdated(): Promise<void> {
    if (!isScheduled) return;
    const correcting = makeMisdatedJobsDue(store.backend.repository, systemClock.now()).then((names) => {
      if (names.length > 0) log.warn({ jobs: names }, 'Jobs were planned by a clock that was ahead, and run now');
    });
    await atMost(answerMs, correcting).catch((error) =>
      log.warn({ err: error }, 'The times of jobs cannot be checked now'),
    );
  }

  return {
    store,
    answers,
    correctMisdated,
    isReady: async () => isScheduled && answers(),
    async stop() {
      stopping.abort();
      await atMost(runEndMs, endRuns());
      // Limited, because a pool on Postgres waits for the answers to all its running statements.
      await atMost(closeMs, store.close().catch(warn));
    },
  };
}

/**
 * A migration makes the store's table. Otherwise all processes that start at the same time would try to make it. The
 * store does not listen for notifications: they are for single jobs, and all jobs here are recurring. So there is one
 * connection less to watch.
 */
function openPostgres(postgres: DatabaseAccess, warn: (error: unknown) => void): ScheduleStore {
  const pool = postgres.openPool(2);
  pool.on('error', warn);
  const backend = new PostgresBackend({ pool, ensureSchema: false, disableNotifications: true });
  return {
    backend,
    connect: () => backend.connect(),
    ping: () => pool.query('select from agenda_jobs limit 0'),
    close() {
      // The embedded Postgres stops next, perhaps before it has seen the end of these connections.
      pool.off('error', warn).on('error', () => {});
      return pool.end();
    },
    reopen: () => openPostgres(postgres, warn),
  };
}

/** MongoDB's packages are imported only here, so that a process with its schedule in Postgres starts faster. */
async function openMongodb(url: string): Promise<ScheduleStore> {
  const [{ MongoBackend }, { MongoClient }] = await Promise.all([import('@agendajs/mongo-backend'), import('mongodb')]);
  const open = (): ScheduleStore => {
    const client = new MongoClient(url, {
      serverSelectionTimeoutMS: 2000,
      waitQueueTimeoutMS: answerMs,
      // Without it the driver waits for ever for an answer that was lost, and with it the Agenda that asked.
      socketTimeoutMS: answerMs,
    });
    const db = client.db();
    const backend = new MongoBackend({ mongo: db });
    const connectBackend = backend.connect.bind(backend);
    return {
      backend,
      async connect() {
        // A client that failed to connect does not try again by itself: every operation then fails because the client
        // is closed.
        await client.connect();
        await connectBackend();
      },
      ping: () => db.command({ ping: 1 }),
      close: () => client.close(),
      reopen: open,
    };
  };
  return orStartError(open);
}

/** The driver's error about an address that it cannot parse is for the operator. */
function orStartError<Made>(make: () => Made): Made {
  try {
    return make();
  } catch (cause) {
    throw new StartError(`MONGODB_URL cannot be used: ${(cause as Error).message}`, { cause });
  }
}
