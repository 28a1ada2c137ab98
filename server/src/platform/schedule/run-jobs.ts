import { setTimeout as sleep } from 'node:timers/promises';
import { Agenda } from 'agenda';
import ms from 'ms';
import { systemClock } from '../../kit/clock.ts';
import type { Logger } from '../../kit/logger.ts';
import { atMost } from '../../kit/time-limits.ts';
import { answerMs, type ScheduleStore, warnIn } from './schedule-store.ts';
import { pollOf, type ScheduledJob } from './scheduled-job.ts';

const minRetryMs = 500;
const maxRetryMs = 10_000;
/** The maximum time that a stop waits for running jobs, and then for a store that does not answer. */
const runEndMs = 5000;
const closeMs = 2000;

interface Work {
  log: Logger;
  jobs: readonly ScheduledJob[];
  /** The runs that have not ended, including the runs of an abandoned Agenda. */
  runs: Set<Promise<void>>;
}

export function runJobsOn(store: ScheduleStore, { log, jobs, runs }: Work) {
  const stopping = new AbortController();
  const warn = warnIn(log);
  const agendas: Agenda[] = [];
  let isScheduled = false;

  async function start(): Promise<void> {
    const { backend, connect } = store;
    await retryUntilSuccess(connect);
    // Agenda connects in its constructor and does not retry, so the store is connected before Agenda gets it.
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

  /** A stopping Agenda still starts a job that it has locked, which would use resources that are being closed. */
  async function runUnlessStopping(run: ScheduledJob['run']): Promise<void> {
    if (stopping.signal.aborted) return;
    const running = (async () => run(stopping.signal))();
    runs.add(running);
    await running.finally(() => runs.delete(running));
  }

  async function retryUntilSuccess(step: () => Promise<unknown>): Promise<void> {
    for (let pauseMs = minRetryMs; ; pauseMs = Math.min(pauseMs * 2, maxRetryMs)) {
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

  async function correctMisdated(): Promise<void> {
    if (!isScheduled) return;
    const correcting = makeMisdatedJobsDue(store.backend.repository, systemClock.now()).then((names) => {
      if (names.length > 0)
        log.warn(
          { jobs: names },
          'These jobs were scheduled too far in the future, probably while a clock was ahead, so they run now',
        );
    });
    await atMost(answerMs, correcting).catch((error) => log.warn({ err: error }, 'Failed to check the times of jobs'));
  }

  return {
    store,
    answers,
    correctMisdated,
    isReady: async () => isScheduled && answers(),
    async stop() {
      stopping.abort();
      await atMost(runEndMs, endRuns());
      // The time is limited, because a pool on Postgres waits for the responses to all its running statements.
      await atMost(closeMs, store.close().catch(warn));
    },
  };
}

interface StoredJob {
  name: string;
  nextRunAt?: Date | string | null | undefined;
  lockedAt?: Date | string | null | undefined;
  repeatInterval?: string | number | null | undefined;
}

/** The stores in MongoDB and in Postgres both have the methods of this interface. */
interface JobStore<Job extends StoredJob> {
  queryJobs(): Promise<{ jobs: Job[] }>;
  saveJobState(job: Job, options: undefined): Promise<void>;
}

/** Without a tolerance, a process whose clock is behind would make jobs due again that have just run. */
const slackMs = 60_000;

/**
 * A process writes the times of jobs by its own clock. After a clock that was ahead is set back, the jobs would not run
 * for as long as the clock was ahead. Returns the names of the jobs that were too far in the future and are now due.
 */
export async function makeMisdatedJobsDue<Job extends StoredJob>(store: JobStore<Job>, now: Date): Promise<string[]> {
  const { jobs } = await store.queryJobs();
  const misdated = jobs.filter((job) => isMisdated(job, now.getTime()));
  for (const job of misdated) await store.saveJobState({ ...job, nextRunAt: now, lockedAt: undefined }, undefined);
  return misdated.map(({ name }) => name);
}

function isMisdated({ nextRunAt, lockedAt, repeatInterval }: StoredJob, nowMs: number): boolean {
  const everyMs = ms(String(repeatInterval) as ms.StringValue) ?? 0;
  return timeOf(nextRunAt) > nowMs + 2 * everyMs + slackMs || timeOf(lockedAt) > nowMs + slackMs;
}

const timeOf = (time: Date | string | null | undefined): number => (time ? new Date(time).getTime() : 0);
