import { makeMisdatedJobsDue } from '@tillhook/server/src/platform/schedule/run-jobs.ts';
import test from 'ava';

const now = new Date('2026-11-26T12:00:00Z');
const later = (seconds: number) => new Date(now.getTime() + seconds * 1000);

interface Job {
  name: string;
  nextRunAt: Date;
  lockedAt?: Date | undefined;
  repeatInterval: string;
}

async function savedOf(...jobs: Job[]): Promise<Job[]> {
  const saved: Job[] = [];
  const store = { queryJobs: async () => ({ jobs }), saveJobState: async (job: Job) => void saved.push(job) };
  const names = await makeMisdatedJobsDue(store, now);
  return names.length === saved.length ? saved : [];
}

test('a job whose next run was written by a clock that is an hour ahead is due now', async (t) => {
  const job = { name: 'deliver', nextRunAt: later(3601), repeatInterval: '1 second' };

  t.deepEqual(await savedOf(job), [{ ...job, nextRunAt: now, lockedAt: undefined }]);
});

test('a job that was locked by a clock that is an hour ahead is due now', async (t) => {
  const job = { name: 'check-ledger', nextRunAt: later(10), lockedAt: later(3600), repeatInterval: '6 hours' };

  t.deepEqual(await savedOf(job), [{ ...job, nextRunAt: now, lockedAt: undefined }]);
});

test('a process whose clock is half a minute behind makes no job due that has just run, and frees no lock', async (t) => {
  const hasRun = { name: 'check-ledger', nextRunAt: later(6 * 3600 + 30), repeatInterval: '6 hours' };
  const runs = { name: 'deliver', nextRunAt: later(31), lockedAt: later(30), repeatInterval: '1 second' };

  t.deepEqual(await savedOf(hasRun, runs), []);
});
