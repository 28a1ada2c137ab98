/**
 * Runs and locks of recurring jobs that lie too far in the future. A process writes them by its own clock, so a clock
 * that was ahead leaves them behind: when it is set back, or when another process goes on, the jobs would rest for as
 * long as the clock was wrong.
 */
import ms from 'ms';

/** A job in the schedule's store, as far as its times matter. */
interface StoredJob {
  name: string;
  nextRunAt?: Date | string | null | undefined;
  lockedAt?: Date | string | null | undefined;
  repeatInterval?: string | number | null | undefined;
}

/** The part of Agenda's store that is needed here. Both stores have it. */
interface JobStore<Job extends StoredJob> {
  queryJobs(): Promise<{ jobs: Job[] }>;
  saveJobState(job: Job, options: undefined): Promise<void>;
}

/** The clocks of two hosts may differ by this time without effect. */
const slackMs = 10_000;

/** Makes each such job due now, and returns the names of these jobs. */
export async function recallPostponed<Job extends StoredJob>(store: JobStore<Job>, now: Date): Promise<string[]> {
  const { jobs } = await store.queryJobs();
  const postponed = jobs.filter((job) => isPostponed(job, now.getTime()));
  for (const job of postponed) await store.saveJobState({ ...job, nextRunAt: now, lockedAt: undefined }, undefined);
  return postponed.map(({ name }) => name);
}

function isPostponed({ nextRunAt, lockedAt, repeatInterval }: StoredJob, nowMs: number): boolean {
  const everyMs = ms(String(repeatInterval) as ms.StringValue) ?? 0;
  return timeOf(nextRunAt) > nowMs + everyMs + slackMs || timeOf(lockedAt) > nowMs + slackMs;
}

const timeOf = (time: Date | string | null | undefined): number => (time ? new Date(time).getTime() : 0);
