/** What is counted of deliveries. A delivery costs two additions here, and a batch two times. */
import type { CoreContext } from '../../context.ts';
import type { Claim } from '../queue/claim.ts';
import type { Result } from '../queue/record.ts';
import type { NextStep } from '../queue/retry-policy.ts';
import type { Outcome } from '../wire/sender.ts';
import type { Backlog } from './backlog.ts';

const secondsSince = (startMs: number) => (performance.now() - startMs) / 1000;

/** The same backlog, whose size is shown from now on. */
export function watched({ metrics }: CoreContext, backlog: Backlog): Backlog {
  metrics.held.from(() => {
    const inFlight = backlog.inFlight().length;
    return { waiting: backlog.size - inFlight, in_flight: inFlight };
  });
  return backlog;
}

/** The same claim, counted and timed. */
export function counted({ metrics }: CoreContext, claim: Claim, askedAtMs: number): Claim {
  const { owed, taken } = claim;
  metrics.claims.observe(secondsSince(askedAtMs));
  metrics.claimed.inc(owed.length);
  // Only a claim that finds an inactive endpoint takes more than is owed.
  let all = 0;
  for (const count of taken.values()) all += count;
  if (all > owed.length) metrics.deliveries.inc({ outcome: 'skipped' }, all - owed.length);
  return claim;
}

export function countRecord(context: CoreContext, results: readonly Result[], startedAtMs: number): void {
  context.metrics.records.observe(secondsSince(startedAtMs));
  context.metrics.recorded.inc(results.length);
  countResults(context, results);
}

/** Once they are saved. A result that came too late, after the lease, is counted here and again by whoever had the next one. */
export function countResults({ metrics }: CoreContext, results: readonly Result[]): void {
  for (const result of results) {
    const ending = 'crashed' in result ? 'worker_crashed' : endings[result.next.step];
    if (ending) metrics.deliveries.inc({ outcome: ending });
    if ('outcome' in result) metrics.attempts.inc({ result: classOf(result.outcome) });
  }
}

/** In the words of a delivery's `statusReason`. */
const endings: Record<NextStep['step'], string | null> = {
  delivered: 'delivered',
  retry: null,
  'give-up': 'attempts_exhausted',
  disable: 'endpoint_gone',
};

const classes = ['none', '1xx', '2xx', '3xx', '4xx', '5xx'];

function classOf({ error, statusCode }: Outcome): string {
  return error ?? classes[Math.floor((statusCode ?? 0) / 100)] ?? 'other';
}
