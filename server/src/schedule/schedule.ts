/**
 * The schedule. Agenda decides when a job runs, and rows in Postgres say what there is to do. Jobs have no input, and
 * the same job may run twice at the same time. Agenda stores its jobs in MongoDB if it is configured, otherwise in the
 * same Postgres. The process starts and goes on while that store is away. Agenda alone cannot do this: its first
 * connection, when it fails, is an unhandled rejection.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { Agenda } from 'agenda';
import ms from 'ms';
import { atMost } from '../kit/at-most.ts';
import { systemClock } from '../kit/clock.ts';
import type { Logger } from '../kit/logger.ts';
import { makeMisdatedJobsDue } from './misdated-jobs.ts';
import { answerMs, type ScheduleStore, warnIn } from './schedule-store.ts';

export interface ScheduledJob {
  name: string;
  /** At least one second: Agenda runs a job with `500 milliseconds` once and never again. */
  every: string;
  /**
   * After this time another process may run the job, because the process that ran it may have died. Longer than two polls
   * of its Agenda, see `assertLocksLast`.
   */
  lockLifetimeMs: number;
  /** The signal says that the process stops. Only a job that takes minutes has to look at it. */
  run(signal?: AbortSignal): void | Promise<void>;
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

/**
 * Starts in the background and returns at once, whether the store can be reached or not.
 *
 * Choice: a store that fails or does not answer is abandoned, with everything that its driver still waits for, and
 * opened again. The driver of MongoDB (7.9) waits for ever if its connection is closed just before the handshake, and
 * then does not find its server again. In Postgres, two lost packets are enough to block both connections of the pool.
 * See docs/decisions/process.md, "A schedule's store that fails is opened again".
 */
export function startSchedule({ store, log, jobs }: ScheduleSettings): Schedule {
  assertLocksLast(jobs);
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

const pollOf = (every: string) => (every === fastPoll ? fastPoll : slowPoll);

/**
 * Agenda may come to a job only at the poll after the one that locked it, and it discards a job whose lock has ended by
 * then. Such a job would be locked and discarded again at each poll, and never run.
 */
function assertLocksLast(jobs: readonly ScheduledJob[]): void {
  for (const { name, every, lockLifetimeMs } of jobs)
    if (lockLifetimeMs <= 2 * ms(pollOf(every)))
      throw new Error(`The lock of the job ${name} ends after ${lockLifetimeMs} ms, which is before its second poll`);
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
    const jobsByPace = Map.groupBy(jobs, ({ every }) => pollOf(every));
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
