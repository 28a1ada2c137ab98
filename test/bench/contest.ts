import type { Figure, Spread, Target, Unit } from '@tillhook/server/src/docs-portal/figures.ts';

/** One round of one contender. */
export interface Rate {
  perSecond: number;
  /** CPU time of each process per unit of work, in microseconds; empty where the system does not say. */
  cpuMicros: Record<string, number>;
}

/** Two contenders for the same work. */
export interface Contest {
  name: string;
  about: string;
  against: string;
  /** Of the ratio. Without one it is measured to be known. */
  target?: number | undefined;
  tillhook(): Promise<Rate>;
  baseline(): Promise<Rate>;
}

/** A figure with every round of it. */
export interface Measured extends Figure {
  rounds: Round[];
}

export interface Round {
  tillhook: number;
  baseline?: number;
  cpuMicros?: { tillhook: Record<string, number>; baseline: Record<string, number> };
}

interface Described {
  name: string;
  /** May be broken into lines. */
  about: string;
  unit: Unit;
  against?: string;
  target?: Target | undefined;
}

/** Lets the contenders work in turn, once to warm up and then for the given rounds. */
export async function compare(contest: Contest, rounds: number): Promise<Measured> {
  const { name, about, against, target } = contest;
  const results: Round[] = [];
  for (let round = 0; round <= rounds; round++) {
    const baseline = await contest.baseline();
    const tillhook = await contest.tillhook();
    if (round === 0) continue;
    results.push({
      tillhook: tillhook.perSecond,
      baseline: baseline.perSecond,
      cpuMicros: { tillhook: tillhook.cpuMicros, baseline: baseline.cpuMicros },
    });
  }
  const described: Described = { name, about, unit: '/s', against };
  if (target !== undefined) described.target = { of: 'ratio', atLeast: target };
  return figureOf(described, results);
}

/** The medians of the rounds, with a ratio where there was something to compare with. */
export function figureOf({ about, target, ...described }: Described, rounds: Round[]): Measured {
  const pairs = rounds.flatMap(({ tillhook, baseline }) => (baseline === undefined ? [] : [{ tillhook, baseline }]));
  const cpu = rounds.flatMap(({ cpuMicros }) => cpuMicros ?? []);
  return {
    ...described,
    about: about.replace(/\s+/g, ' '),
    ...(target && { target }),
    tillhook: spread(rounds.map(({ tillhook }) => tillhook)),
    ...(pairs.length > 0 && {
      ratio: spread(pairs.map(({ tillhook, baseline }) => tillhook / baseline)),
      baseline: spread(pairs.map(({ baseline }) => baseline)),
    }),
    ...(cpu.length > 0 && {
      cpuMicros: {
        tillhook: medianOfEach(cpu.map(({ tillhook }) => tillhook)),
        baseline: medianOfEach(cpu.map(({ baseline }) => baseline)),
      },
    }),
    rounds,
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

/** What so large a part of the values does not pass. */
export function quantile(values: number[], part: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(part * sorted.length) - 1)] ?? Number.NaN;
}
