/**
 * A gauge that looks at its source when the figures are read. prom-client has that as `collect`; here the source may be named
 * later, and one that has to be asked is asked seldom, once at a time and with little patience, so that no number of readers
 * can hurt.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { Gauge, type GaugeConfiguration } from 'prom-client';

/** A number, or one for each value of the gauge's label. Null when nobody knows. */
type Reading = number | null | Record<string, number>;

/** The source that was named last is the one that counts. */
export interface WatchedGauge {
  /** From what is at hand. */
  from(read: () => Reading): void;
  /** From what has to be asked, such as a database. Without an answer the figure is left out. */
  ask(read: () => Promise<Reading>): void;
}

/** With one label, or none. */
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
      // Reset, a gauge without labels is nought, which is not the same as unknown.
      else this.remove();
    },
  });
  return {
    from(read) {
      source = read;
    },
    ask(read) {
      source = sparingly(read);
    },
  };
}

const restMs = 1000;
/** Less than a reader has: Prometheus waits for ten seconds. */
const patienceMs = 8000;

/** Asks again only after a rest, and never while an answer is on the way, however late it is. */
function sparingly(read: () => Promise<Reading>): () => Promise<Reading> {
  let askedAtMs = Number.NEGATIVE_INFINITY;
  let isUnderWay = false;
  let answer: Promise<Reading> = Promise.resolve(null);
  return () => {
    if (!isUnderWay && performance.now() - askedAtMs >= restMs) {
      askedAtMs = performance.now();
      isUnderWay = true;
      answer = read()
        .catch(() => null)
        .finally(() => {
          isUnderWay = false;
        });
    }
    return Promise.race([answer, sleep(patienceMs, null, { ref: false })]);
  };
}
