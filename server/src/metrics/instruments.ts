/**
 * Figures in the form of Prometheus, and the only import of prom-client. What is counted often is a plain number until
 * somebody looks: labels are put together when the figures are read, never when something happens. What has to be asked for is
 * asked seldom, once at a time and with little patience, so that no number of readers can hurt.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';

interface Description {
  name: string;
  help: string;
}

interface Labelled extends Description {
  label: string;
}

export interface Count {
  add(by?: number): void;
}

/** A count for each value of one label. */
export interface CountBy {
  add(value: string, by?: number): void;
}

/** The latest number for each value of one label. */
export interface LatestBy {
  set(value: string, to: number): void;
}

/** A number, or one for each value of the label. Null when nobody knows. */
type Reading = number | null | Record<string, number>;

/** Read when the figures are. The source that was named last is the one that counts. */
export interface Watched {
  /** From what is at hand. */
  from(read: () => Reading): void;
  /** From what has to be asked, such as a database. Without an answer the figure is left out. */
  ask(read: () => Promise<Reading>): void;
}

export interface Times<Labels extends string = never> {
  observe(seconds: number, labels?: Record<Labels, string>): void;
}

export type Instruments = ReturnType<typeof createInstruments>;

/** For answers of ours and of the database. */
const fine = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
/** For work that may take minutes. */
const coarse = [0.01, 0.1, 1, 10, 60, 600];

/** The instruments of one service: each that is started in a process has its own. */
export function createInstruments() {
  const registry = new Registry();
  const registers = [registry];
  ofThisProcess();

  function count(description: Description): Count {
    let total = 0;
    new Counter({ ...description, registers, collect: keep(() => total) });
    return {
      add(by = 1) {
        total += by;
      },
    };
  }

  function countBy({ label, ...description }: Labelled): CountBy {
    const totals = new Map<string, number>();
    new Counter({ ...description, registers, labelNames: [label], collect: keep(() => totals, label) });
    return { add: (value, by = 1) => totals.set(value, (totals.get(value) ?? 0) + by) };
  }

  function latestBy({ label, ...description }: Labelled): LatestBy {
    const latest = new Map<string, number>();
    new Gauge({ ...description, registers, labelNames: [label], collect: keep(() => latest, label) });
    return { set: (value, to) => latest.set(value, to) };
  }

  function watch({ label, ...description }: Description & Partial<Labelled>): Watched {
    let source: () => Reading | Promise<Reading> = () => null;
    new Gauge({
      ...description,
      registers,
      labelNames: label ? [label] : [],
      async collect() {
        show(this, await source(), label);
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

  function times<Labels extends string = never>(
    { labels, ...description }: Description & { labels?: Labels[] },
    { isLong = false } = {},
  ): Times<Labels> {
    const buckets = isLong ? coarse : fine;
    const histogram = new Histogram<Labels>({ ...description, registers, labelNames: labels ?? [], buckets });
    return {
      observe: (seconds, of) => (of ? histogram.observe(of as never, seconds) : histogram.observe(seconds)),
    };
  }

  return {
    count,
    countBy,
    latestBy,
    watch,
    times,
    contentType: Registry.PROMETHEUS_CONTENT_TYPE,
    /** Everything, with what is known of the process itself. */
    text: async () => `${await ofThisProcess().metrics()}\n${await registry.metrics()}`,
  };
}

interface Shown {
  reset(): void;
  remove(): void;
  inc(labels: Record<string, string>, by: number): void;
}

/** Shows what was kept in plain numbers. */
function keep(read: () => number | Map<string, number>, label?: string) {
  return function collect(this: Shown): void {
    const kept = read();
    show(this, typeof kept === 'number' ? kept : Object.fromEntries(kept), label);
  };
}

function show(shown: Shown, reading: Reading, label = ''): void {
  shown.reset();
  // Reset, one without labels is nought, which is not the same as unknown.
  if (reading === null && !label) shown.remove();
  else if (typeof reading === 'number') shown.inc({}, reading);
  else for (const [value, number] of Object.entries(reading ?? {})) shown.inc({ [label]: value }, number);
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

let processRegistry: Registry | undefined;

/** Memory, processor time and the lag of the event loop, under the names that Prometheus gives them everywhere. */
function ofThisProcess(): Registry {
  if (!processRegistry) {
    processRegistry = new Registry();
    collectDefaultMetrics({ register: processRegistry });
  }
  return processRegistry;
}
