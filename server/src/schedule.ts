/**
 * The schedule: Agenda says when to look, the rows say what to do. Jobs carry nothing and may run twice at once. The store is
 * MongoDB when there is one, else the same Postgres. The process starts and stays up while the store is away; Agenda has to be
 * told how, because a failed first connection is an unhandled rejection to it.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { PostgresBackend } from '@agendajs/postgres-backend';
import { Agenda, type AgendaBackend } from 'agenda';
import type { DatabaseAccess } from './database/connections.ts';
import { atMost } from './kit/at-most.ts';
import type { Logger } from './kit/logger.ts';
import { StartError } from './start-error.ts';

export interface ScheduledJob {
  name: string;
  /** Whole seconds at least: Agenda runs `500 milliseconds` once and never again. */
  every: string;
  /** After it another process may run the job, in case the one that had it died. */
  lockLifetimeMs: number;
  run(): void | Promise<void>;
}

interface StoreSettings {
  postgres: DatabaseAccess;
  /** The store is there when this is set. */
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

/** Where Agenda keeps what it knows, and connections to it. */
export interface ScheduleStore {
  backend: AgendaBackend;
  connect(): Promise<void>;
  ping(): Promise<unknown>;
  close(): Promise<void>;
  /** The same with new connections. */
  anew(): ScheduleStore;
}

/**
 * Agenda asks its store for each of its jobs this often, so jobs that are seldom due have an Agenda that seldom asks.
 * See docs/decisions/process.md, "The schedule polls its store, with two Agendas".
 */
const often = '1 second';
const seldom = '15 seconds';
const shortestRetryMs = 500;
const longestRetryMs = 10_000;
/** How long a run that is under way may hold up the end, and how long a store that does not answer. */
const runEndMs = 5000;
const closeMs = 2000;
/** A store whose answer takes longer does not answer. */
const answerMs = 5000;

const complainTo = (log: Logger) => (error: unknown) => log.warn({ err: error }, 'the schedule has a problem');

/** Nothing is asked of it yet. Throws when its address cannot be one. */
export async function openScheduleStore({ postgres, mongodbUrl, log }: StoreSettings): Promise<ScheduleStore> {
  return mongodbUrl ? openMongodb(mongodbUrl) : openPostgres(postgres, complainTo(log));
}

/**
 * Starts in the background and returns at once, whether the store can be reached or not.
 *
 * Choice: a store that fails or does not answer is left, with all that its driver still waits for, and opened anew. MongoDB's
 * (7.9) waits for ever where it greets over a connection that was closed a moment before, and does not find its server
 * again; the pool on Postgres is used up by two packets that were lost.
 * See docs/decisions/process.md, "A schedule's store that fails is opened again".
 */
export function startSchedule({ store, log, jobs }: ScheduleSettings): Schedule {
  const stopping = new AbortController();
  const runs = new Set<Promise<void>>();
  let current = startOn(store, { log, jobs, runs });

  async function openAnewAfterSilence(): Promise<void> {
    for (let silences = 0; ; ) {
      await sleep(answerMs, undefined, { signal: stopping.signal, ref: false }).catch(() => {});
      if (stopping.signal.aborted) return;
      silences = (await current.answers()) ? 0 : silences + 1;
      if (silences < 2 || stopping.signal.aborted) continue;
      silences = 0;
      void current.stop();
      current = startOn(current.store.anew(), { log, jobs, runs });
    }
  }

  const watching = openAnewAfterSilence();
  return {
    isReady: () => current.isReady(),
    async stop() {
      stopping.abort();
      await Promise.all([watching, current.stop()]);
    },
  };
}

interface Work extends Omit<ScheduleSettings, 'store'> {
  /** What is under way, also of an Agenda that was left. */
  runs: Set<Promise<void>>;
}

/** New Agendas on this store. */
function startOn(store: ScheduleStore, { log, jobs, runs }: Work) {
  const stopping = new AbortController();
  const complain = complainTo(log);
  const agendas: Agenda[] = [];
  let isScheduled = false;

  async function start(): Promise<void> {
    const { backend, connect } = store;
    await untilItWorks(connect);
    // Agenda connects in its constructor and cannot be asked to try again, so it gets a store that is connected.
    backend.connect = async () => {};
    const byPace = Map.groupBy(jobs, ({ every }) => (every === often ? often : seldom));
    for (const [pace, ofThisPace] of byPace) await schedule(pace, ofThisPace);
    isScheduled = true;
  }

  async function schedule(processEvery: string, ofThisPace: readonly ScheduledJob[]): Promise<void> {
    const agenda = new Agenda({ backend: store.backend, processEvery });
    agendas.push(agenda);
    agenda.on('error', complain).on('fail', complain);
    for (const { name, lockLifetimeMs: lockLifetime, run } of ofThisPace)
      agenda.define(name, () => unlessStopping(run), { lockLifetime });
    await agenda.start();
    for (const { name, every } of ofThisPace) await untilItWorks(() => Promise.resolve(agenda.every(every, name)));
  }

  /** Agenda does not wait for a run when it stops, and begins one that it had taken. Both would work on what is being closed. */
  async function unlessStopping(run: ScheduledJob['run']): Promise<void> {
    if (stopping.signal.aborted) return;
    const running = (async () => run())();
    runs.add(running);
    await running.finally(() => runs.delete(running));
  }

  async function untilItWorks(step: () => Promise<unknown>): Promise<void> {
    for (let pauseMs = shortestRetryMs; ; pauseMs = Math.min(pauseMs * 2, longestRetryMs)) {
      stopping.signal.throwIfAborted();
      try {
        await step();
        return;
      } catch (error) {
        complain(error);
        await sleep(pauseMs, undefined, { signal: stopping.signal, ref: false });
      }
    }
  }

  async function answers(): Promise<boolean> {
    let isHeard = false;
    const hear = async () => {
      await store.ping();
      isHeard = true;
    };
    await atMost(answerMs, hear()).catch(() => {});
    return isHeard;
  }

  const starting = start().catch((error) => {
    if (!stopping.signal.aborted) complain(error);
  });

  async function endRuns(): Promise<void> {
    await starting;
    await Promise.all(agendas.map((agenda) => agenda.stop(false).catch(complain)));
    await Promise.allSettled(runs);
  }

  return {
    store,
    answers,
    isReady: async () => isScheduled && answers(),
    async stop() {
      stopping.abort();
      await atMost(runEndMs, endRuns());
      // A pool on Postgres waits for the answers to what it lent its connections for.
      await atMost(closeMs, store.close().catch(complain));
    },
  };
}

/**
 * Its table is made by our migration: processes that start at once would each try to make it. It listens for no
 * notifications, because nothing here is scheduled but what recurs, and a lost connection less has to be survived.
 */
function openPostgres(postgres: DatabaseAccess, complain: (error: unknown) => void): ScheduleStore {
  const pool = postgres.openPool(2);
  pool.on('error', complain);
  const backend = new PostgresBackend({ pool, ensureSchema: false, disableNotifications: true });
  return {
    backend,
    connect: () => backend.connect(),
    ping: () => pool.query('select from agenda_jobs limit 0'),
    close: () => pool.end(),
    anew: () => openPostgres(postgres, complain),
  };
}

/** Imported only here: whoever keeps the schedule in Postgres need not wait for it at every start. */
async function openMongodb(url: string): Promise<ScheduleStore> {
  const [{ MongoBackend }, { MongoClient }] = await Promise.all([import('@agendajs/mongo-backend'), import('mongodb')]);
  const open = (): ScheduleStore => {
    const client = new MongoClient(url, { serverSelectionTimeoutMS: 2000, waitQueueTimeoutMS: answerMs });
    const db = client.db();
    const backend = new MongoBackend({ mongo: db });
    const connectBackend = backend.connect.bind(backend);
    return {
      backend,
      async connect() {
        // Once it has failed to connect, the client does not try again by itself: every operation says that it is closed.
        await client.connect();
        await connectBackend();
      },
      ping: () => db.command({ ping: 1 }),
      close: () => client.close(),
      anew: open,
    };
  };
  return refusingToStart(open);
}

/** What the driver says of an address that it does not understand is for the operator. */
function refusingToStart<Made>(make: () => Made): Made {
  try {
    return make();
  } catch (cause) {
    throw new StartError(`MONGODB_URL cannot be used: ${(cause as Error).message}`, { cause });
  }
}
