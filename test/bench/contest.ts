/** One round of one contender. */
export interface Rate {
  perSecond: number;
  /** CPU time of each process per unit of work, in microseconds; empty where the system does not say. */
  cpuMicros: Record<string, number>;
}

/** Two contenders for the same work. */
export interface Contest {
  name: string;
  against: string;
  /** Without one it is measured to be known. */
  target?: number;
  tillhook(): Promise<Rate>;
  baseline(): Promise<Rate>;
}

export interface Spread {
  median: number;
  min: number;
  max: number;
}

export interface Figure {
  name: string;
  against: string;
  target?: number;
  /** Of the two contenders of one round: what else the machine does falls on both. */
  ratio: Spread;
  tillhookPerSecond: Spread;
  baselinePerSecond: Spread;
  tillhookCpuMicros: Record<string, number>;
  rounds: { tillhook: Rate; baseline: Rate }[];
}

/** How long one thing takes beside another, in milliseconds: half of each round's took no longer. */
export interface LatencyFigure {
  name: string;
  against: string;
  ratio: Spread;
  tillhookMs: Spread;
  baselineMs: Spread;
  rounds: { tillhook: number; baseline: number }[];
}

/** Lets the contenders work in turn, once to warm up and then for the given rounds. */
export async function compare(contest: Contest, rounds: number): Promise<Figure> {
  const { name, against, target } = contest;
  const results: Figure['rounds'] = [];
  for (let round = 0; round <= rounds; round++) {
    const baseline = await contest.baseline();
    const tillhook = await contest.tillhook();
    if (round > 0) results.push({ tillhook, baseline });
  }
  return {
    name,
    against,
    ...(target !== undefined && { target }),
    ratio: spread(results.map(({ tillhook, baseline }) => tillhook.perSecond / baseline.perSecond)),
    tillhookPerSecond: spread(results.map(({ tillhook }) => tillhook.perSecond)),
    baselinePerSecond: spread(results.map(({ baseline }) => baseline.perSecond)),
    tillhookCpuMicros: medianOfEach(results.map(({ tillhook }) => tillhook.cpuMicros)),
    rounds: results,
  };
}

function medianOfEach(measurements: Record<string, number>[]): Record<string, number> {
  const names = Object.keys(measurements[0] ?? {});
  return Object.fromEntries(
    names.map((name) => [name, spread(measurements.map((measurement) => measurement[name] ?? 0)).median]),
  );
}

export function spread(values: number[]): Spread {
  const sorted = values.toSorted((a, b) => a - b);
  const at = (position: number) => sorted[position] ?? Number.NaN;
  const middle = (sorted.length - 1) / 2;
  return { median: (at(Math.floor(middle)) + at(Math.ceil(middle))) / 2, min: at(0), max: at(sorted.length - 1) };
}
