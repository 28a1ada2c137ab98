import type { Clock } from '../../kit/clock.ts';
import type { Metrics } from './metrics.ts';

interface Job {
  name: string;
  run(signal?: AbortSignal): void | Promise<void>;
}

export function measured<Measured extends Job>(
  { metrics, clock }: { metrics: Metrics; clock: Clock },
  job: Measured,
): Measured {
  const labels = { job_name: job.name };
  const nowSeconds = () => clock.now().getTime() / 1000;
  // A job that has not run yet must show 0 in `/metrics`, instead of being missing.
  metrics.jobRuns.inc(labels, 0);
  metrics.jobFailures.inc(labels, 0);

  async function run(signal?: AbortSignal): Promise<void> {
    const stopTimer = metrics.jobTimes.startTimer(labels);
    metrics.jobRuns.inc(labels);
    metrics.jobStart.set(labels, nowSeconds());
    try {
      await job.run(signal);
      // An aborted run is not a success, because the job may not have done its work.
      if (!signal?.aborted) metrics.jobSuccess.set(labels, nowSeconds());
    } catch (error) {
      metrics.jobFailures.inc(labels);
      throw error;
    } finally {
      stopTimer();
    }
  }

  return { ...job, run };
}
