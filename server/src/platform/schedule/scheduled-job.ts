import ms from 'ms';

export interface ScheduledJob {
  name: string;
  /** `1 second`, or at least 15 seconds. */
  every: string;
  /**
   * After this time another process may run the job, because the process that ran it may have died. Longer than two
   * polls of its Agenda.
   */
  lockLifetimeMs: number;
  /** The signal says that the process stops. Only a job that takes minutes has to look at it. */
  run(signal?: AbortSignal): void | Promise<void>;
}

/**
 * An Agenda polls its store at one interval for all its jobs. So jobs that are due less often have a second Agenda that
 * polls slowly.
 * See docs/decisions/process.md, "The schedule polls its store, with two Agendas".
 */
const fastPoll = '1 second';
const slowPoll = '15 seconds';

/** How often the store is polled for a job. */
export const pollOf = (every: string) => (every === fastPoll ? fastPoll : slowPoll);

/**
 * Throws for a job that would not run as it asks. Agenda may come to a job only at the poll after the one that locked it,
 * and it discards a job whose lock has ended by then. Such a job would be locked and discarded again at each poll, and
 * never run. And a job runs at most once in a poll.
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
