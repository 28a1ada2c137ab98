/**
 * A gauge whose source may be set after the gauge was created. A source is queried at most once in a second, with a
 * time limit, so that many readers of `/metrics` do no harm.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { Gauge, type GaugeConfiguration } from 'prom-client';

/** Null when the value of the gauge is unknown. */
type Reading = number | null | Record<string, number>;

/** Only the source that was set last is read. */
export interface WatchedGauge {
  /** Sets a source that this process can read without a query. */
  from(read: () => Reading): void;
  /** Sets a source that needs a query. If the query fails or is too slow, `/metrics` leaves the gauge out. */
  ask(read: () => Promise<Reading>): void;
}

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
      // After a reset, a gauge without labels would show 0, but a gauge whose value is unknown must be absent.
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
/** This time limit is shorter than the ten seconds that Prometheus waits for `/metrics`. */
const answerTimeoutMs = 8000;

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
