import { systemClock } from '@tillhook/server/src/kit/clock.ts';
import { measured } from '@tillhook/server/src/telemetry/metrics/measured-job.ts';
import { createMetrics } from '@tillhook/server/src/telemetry/metrics/metrics.ts';
import test from 'ava';

async function hasSucceeded(stops: boolean): Promise<boolean> {
  const metrics = createMetrics();
  const stopping = new AbortController();
  const job = { name: 'check-ledger', run: (_signal?: AbortSignal) => (stops ? stopping.abort() : undefined) };
  await measured({ metrics, clock: systemClock }, job).run(stopping.signal);
  return (await metrics.text()).includes('tillhook_job_last_success_timestamp_seconds{job_name="check-ledger"}');
}

test('a job that has done its work counts as succeeded, and a job that was ended early by the stop of the process does not count', async (t) => {
  t.true(await hasSucceeded(false));
  t.false(await hasSucceeded(true));
});
