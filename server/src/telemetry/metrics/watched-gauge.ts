/**
 * A gauge that reads its source when `/metrics` is read. prom-client has `collect` for that. Here the source may also
 * be set later. A source that needs a query is queried rarely, once at a time and with a time limit, so that many
 * readers of `/metrics` do no harm.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { Gauge, type GaugeConfiguration } from 'prom-client';

/** A number, or one for each value of the gauge's label. Null when it is unknown. */
type Reading = number | null | Record<string, number>;

/** Only the source that was set last is read. */
export interface WatchedGauge {
  /** Sets a source in this process. */
  from(read: () => Reading): void;
  /** Sets a source outside this process, such as a database. Without an answer the figure is left out. */
  ask(read: () => Promise<Reading>): void;
}

/** Makes a gauge with one label or none. */
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
      // After a reset, a gauge without labels shows 0. An unknown figure must be left out instead.
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
/** The limit for one query: less than the ten seconds that Prometheus waits for `/metrics`. */
const answerTimeoutMs = 8000;

/** Queries again only after the interval, and never while an earlier query still runs. */
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
