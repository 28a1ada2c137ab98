/**
 * A process writes the times of jobs by its own clock. After a clock that was ahead is set back, the jobs would not run
 * for as long as the clock was ahead.
 */
import ms from 'ms';

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

/** Returns the names of the jobs that were too far in the future and are now due. */
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
