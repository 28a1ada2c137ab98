/**
 * The results of `npm run chaos`. With `--publish` the run writes them to a file, and a page of the documentation shows
 * that file.
 */
import { readFileSync } from 'node:fs';

export interface ChaosReport {
  /** The last published run of each scenario. */
  runs: ChaosRun[];
}

export type ChaosRun = Circumstances & (ChaosFigures | ScenarioNotRun);

interface Circumstances {
  /** The name of the scenario, as `--only` takes it. */
  name: string;
  /** When the run ended. */
  measuredAt: string;
  /** The commit that was run, where Git knows it. */
  revision?: string;
  machine: { cpu: string; cores: number; system: string; node: string };
  /** The sizes that were asked for. */
  settings: Record<string, number>;
}

/** What became of the events of one scenario. */
export interface ChaosFigures {
  scenario: string;
  /** The number of events that must arrive. */
  expected: number;
  received: number;
  lost: number;
  /** Arrivals beyond the first of the same attempt, and how many of them are allowed. */
  duplicated: number;
  mostDuplicated: number;
  /** Arrivals that were never recorded. */
  unlogged: number;
  /** The time from the end of the fault until nothing of the time before was waiting; null when nothing failed. */
  recoveredSeconds: number | null;
  /** Further figures, in words. */
  notes: string[];
  /** The promises that were broken, in words. */
  broken: string[];
}

export interface ScenarioNotRun {
  scenario: string;
  notRun: string;
}

export const publishedChaosFile = `${import.meta.dirname}/chaos.json`;

export function readPublishedChaos(): ChaosReport {
  return JSON.parse(readFileSync(publishedChaosFile, 'utf8'));
}
