/**
 * A gauge that reads its source when `/metrics` is read. `collect` of prom-client does the same, but here the source
 * may also be set later. A source that needs a query is read at most once in a second, by one query at a time, and
 * with a time limit, so that many readers of `/metrics` do no harm.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { Gauge, type GaugeConfiguration } from 'prom-client';

/** A number, or a number for each value of the gauge's label. Null when the number is unknown. */
type Reading = number | null | Record<string, number>;

/** A gauge whose source is set later. Only the source that was set last is read. */
export interface WatchedGauge {
  /** Sets a source that this process can read at once, without a query. */
  from(read: () => Reading): void;
  /**
   * Sets a source outside this process, such as a database. If the source does not answer, `/metrics` leaves the gauge
   * out.
   */
  ask(read: () => Promise<Reading>): void;
}

/** Creates a gauge with one label or no label. */
export function watchedGauge(configuration: GaugeConfiguration<string>): WatchedGauge {
  const [label] = configuration.labelNames ?? [];
  let source: () => Reading | Promise<Reading> = () => null;
  new Gauge({
    ...configuration,
    async collect() {
      const reading = await source();
      this.reset();
      if (typeof reading === 'number') this.set(reading);
      else if (label) for (const [value, number] of Object.entries(reading ?? {})) this.set({ [label]: value }, number);
      // After a reset, a gauge without labels would show 0, but an unknown number must be left out.
      else this.remove();
    },
  });
  return {
    from(read) {
      source = read;
    },
    ask(read) {
      source = throttled(read);
    },
  };
}

const minIntervalMs = 1000;
/** The time limit of one query. It is shorter than the ten seconds that Prometheus waits for `/metrics`. */
const answerTimeoutMs = 8000;

/**
 * Returns a function that queries again only after the interval, and never while an earlier query is still running.
 */
function throttled(read: () => Promise<Reading>): () => Promise<Reading> {
  let askedAtMs = Number.NEGATIVE_INFINITY;
  let isUnderWay = false;
  let answer: Promise<Reading> = Promise.resolve(null);
  return () => {
    if (!isUnderWay && performance.now() - askedAtMs >= minIntervalMs) {
      askedAtMs = performance.now();
      isUnderWay = true;
      answer = read()
        .catch(() => null)
        .finally(() => {
          isUnderWay = false;
        });
    }
    return Promise.race([answer, sleep(answerTimeoutMs, null, { ref: false })]);
  };
}
