import ms from 'ms';

export interface ScheduledJob {
  name: string;
  /** The interval between two runs: either `1 second`, or 15 seconds and more. */
  every: string;
  /** After this time, another process may run the job. The time must be longer than two poll intervals. */
  lockLifetimeMs: number;
  /** The signal aborts when the process stops. Only a job that takes minutes has to check the signal. */
  run(signal?: AbortSignal): void | Promise<void>;
}

/**
 * An Agenda polls its store at one interval for all its jobs, so jobs that are due less often have a second Agenda.
 * See docs/decisions/process.md, "The schedule polls its store, with two Agendas".
 */
const fastPoll = '1 second';
const slowPoll = '15 seconds';

export const pollOf = (every: string) => (every === fastPoll ? fastPoll : slowPoll);

/**
 * Agenda starts a job only at the poll after the poll that locked it, and discards a job whose lock has ended by then.
 * A lock that is too short would keep the job from ever running.
 */
export function assertPollsSuffice(jobs: readonly ScheduledJob[]): void {
  for (const { name, every, lockLifetimeMs } of jobs) {
    const pollMs = ms(pollOf(every));
    if (ms(every as ms.StringValue) < pollMs)
      throw new Error(`The job ${name} is due every ${every}, more often than its store is polled`);
    if (lockLifetimeMs <= 2 * pollMs)
      throw new Error(
        `The lock of the job ${name} ends after ${lockLifetimeMs} ms, before the job is polled a second time`,
      );
  }
}
