import type { Clock } from '../kit/clock.ts';
import type { Metrics } from './metrics.ts';

interface Job {
  name: string;
  run(): void | Promise<void>;
}

/** The same job, with its runs counted and timed. */
export function measured<Measured extends Job>(
  { metrics, clock }: { metrics: Metrics; clock: Clock },
  job: Measured,
): Measured {
  const { name } = job;
  const nowSeconds = () => clock.now().getTime() / 1000;
  // A job that never ran is then a figure as well, and not the lack of one.
  metrics.jobRuns.add(name, 0);
  metrics.jobFailures.add(name, 0);

  async function run(): Promise<void> {
    const startedAtMs = performance.now();
    metrics.jobRuns.add(name);
    metrics.jobStart.set(name, nowSeconds());
    try {
      await job.run();
      metrics.jobSuccess.set(name, nowSeconds());
    } catch (error) {
      metrics.jobFailures.add(name);
      throw error;
    } finally {
      metrics.jobTimes.observe((performance.now() - startedAtMs) / 1000, { job_name: name });
    }
  }

  return { ...job, run };
}
