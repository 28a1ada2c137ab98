/**
 * Agenda decides when a job runs, and rows in Postgres decide what a job does. Jobs have no input, and the same job may
 * run twice at the same time.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from '../../kit/logger.ts';
import { runJobsOn } from './run-jobs.ts';
import { answerMs, type ScheduleStore } from './schedule-store.ts';
import { assertPollsSuffice, type ScheduledJob } from './scheduled-job.ts';

interface ScheduleSettings {
  store: ScheduleStore;
  log: Logger;
  jobs: readonly ScheduledJob[];
}

export interface Schedule {
  isReady(): Promise<boolean>;
  stop(): Promise<void>;
}

/**
 * Choice: a store that fails is abandoned, with everything that its driver still waits for, and opened again. The
 * driver of MongoDB (7.9) may wait forever for a lost server.
 * See docs/decisions/process.md, "A schedule's store that fails is opened again".
 */
export function startSchedule({ store, log, jobs }: ScheduleSettings): Schedule {
  assertPollsSuffice(jobs);
  const stopping = new AbortController();
  const runs = new Set<Promise<void>>();
  let current = runJobsOn(store, { log, jobs, runs });

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
      current = runJobsOn(current.store.reopen(), { log, jobs, runs });
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
