/** The metrics of deliveries. They cost two additions for each delivery, and two measured times for each batch. */
import type { CoreContext } from '../../context.ts';
import type { Outcome } from '../../wire/flight.ts';
import type { Claim } from '../queue/claim.ts';
import type { Result } from '../queue/record.ts';
import type { NextStep } from '../queue/retry-policy.ts';
import type { Backlog } from './backlog.ts';

const secondsSince = (startMs: number) => (performance.now() - startMs) / 1000;

/** Shows the size of the backlog, and the places in flight, in `/metrics` from now on. Returns the same backlog. */
export function withSizeMetric({ metrics, config }: CoreContext, backlog: Backlog): Backlog {
  metrics.places.from(() => config.delivery.concurrency);
  metrics.held.from(() => {
    const inFlight = backlog.inFlight().length;
    return { waiting: backlog.size - inFlight, in_flight: inFlight };
  });
  return backlog;
}

export function countClaim(
  { metrics }: CoreContext,
  { deliveries, taken }: Pick<Claim, 'deliveries' | 'taken'>,
  askedAtMs: number,
): void {
  metrics.claims.observe(secondsSince(askedAtMs));
  metrics.claimed.inc(deliveries.length);
  // A claim takes more deliveries than it returns only where it ended those of an inactive endpoint.
  let all = 0;
  for (const count of taken.values()) all += count;
  if (all > deliveries.length) metrics.deliveries.inc({ outcome: 'skipped' }, all - deliveries.length);
}

export function countRecord(context: CoreContext, results: readonly Result[], startedAtMs: number): void {
  context.metrics.records.observe(secondsSince(startedAtMs));
  context.metrics.recorded.inc(results.length);
  countResults(context, results);
}

/**
 * Counts results after they were saved. A result that came after its lease had ended is counted here, and the result of
 * the next claim of the same delivery is counted again.
 */
export function countResults({ metrics }: CoreContext, results: readonly Result[]): void {
  for (const result of results) {
    const ending = 'crashed' in result ? 'worker_crashed' : endings[result.next.step];
    if (ending) metrics.deliveries.inc({ outcome: ending });
    if ('outcome' in result) metrics.attempts.inc({ result: classOf(result.outcome) });
  }
}

/** The outcomes of deliveries, in the words of `statusReason` in the contract. */
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
