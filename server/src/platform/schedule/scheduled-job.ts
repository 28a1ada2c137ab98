import ms from 'ms';

export interface ScheduledJob {
  name: string;
  /** The interval between two runs: `1 second`, or at least 15 seconds. */
  every: string;
  /**
   * The time after which another process may run the job, because the process that locked it may have died. It must be
   * longer than two poll intervals of the job's Agenda.
   */
  lockLifetimeMs: number;
  /** Runs the job. The signal aborts when the process stops. Only a job that takes minutes has to check the signal. */
  run(signal?: AbortSignal): void | Promise<void>;
}

/**
 * An Agenda polls its store at one interval for all its jobs. So jobs that are due less often have a second Agenda,
 * which polls slowly.
 * See docs/decisions/process.md, "The schedule polls its store, with two Agendas".
 */
const fastPoll = '1 second';
const slowPoll = '15 seconds';

/** Returns the interval at which Agenda polls the store for a job with this interval. */
export const pollOf = (every: string) => (every === fastPoll ? fastPoll : slowPoll);

/**
 * Throws for a job that could not run as configured. Agenda may start a job only at the poll after the poll that
 * locked it, and discards a job whose lock has ended by then. Such a job would be locked and discarded again at each
 * poll, and would never run. Also, a job runs at most once in each poll.
 */
export function assertPollsSuffice(jobs: readonly ScheduledJob[]): void {
  for (const { name, every, lockLifetimeMs } of jobs) {
    const pollMs = ms(pollOf(every));
    if (ms(every as ms.StringValue) < pollMs)
      throw new Error(`The job ${name} is due every ${every}, more often than its store is polled`);
    if (lockLifetimeMs <= 2 * pollMs)
      throw new Error(`The lock of the job ${name} ends after ${lockLifetimeMs} ms, which is before its second poll`);
  }
}
