import type { Figure, Target, Unit } from '@tillhook/docs/figures/bench-figures.ts';
import { spread } from '../support/spread.ts';
import { type Contender, type Rate, type Rounds, takeTurns } from './rounds.ts';

export interface Contest {
  name: string;
  about: string;
  against: string;
  /** The minimum ratio of Tillhook's rate to the rate of the baseline. If omitted, the figure has no target. */
  target?: number | undefined;
  tillhook: Contender;
  baseline: Contender;
}

export interface Measured extends Figure {
  rounds: Round[];
}

export interface Round {
  tillhook: number;
  baseline?: number;
  cpuMicros?: { tillhook: Record<string, number>; baseline: Record<string, number> };
}

export interface Described {
  name: string;
  about: string;
  unit: Unit;
  against?: string;
  target?: Target | undefined;
}

export async function compare(contest: Contest, given: Rounds): Promise<Measured> {
  const { name, about, against, target, tillhook, baseline } = contest;
  const described: Described = { name, about, unit: '/s', against };
  if (target !== undefined) described.target = { of: 'ratio', atLeast: target };
  return figureOf(described, (await takeTurns({ baseline, tillhook }, given)).map(roundOf));
}

export function roundOf({ tillhook, baseline }: { tillhook: Rate; baseline: Rate }): Round {
  return {
    tillhook: tillhook.perSecond,
    baseline: baseline.perSecond,
    cpuMicros: { tillhook: tillhook.cpuMicros, baseline: baseline.cpuMicros },
  };
}

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
