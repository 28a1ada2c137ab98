export interface Outcome {
  scenario: string;
  /** Events whose commit was acknowledged, and events in the database whose commit got no response. */
  expected: number;
  received: number;
  lost: number;
  /** Repeated arrivals: of the same attempt, or of an attempt without a recorded failure before it. */
  duplicated: number;
  retried: number;
  duplicates: Bound;
  unlogged: number;
  /** The time from the end of the fault until no delivery that was created before this end is pending. */
  recoveredSeconds: number | null;
  /** Tests do not check the recovery time, because other tests run at the same time. */
  recoversWithinSeconds: number | null;
  notes: string[];
  broken: string[];
}

export interface Bound {
  max: number;
  because: string;
}

export interface NotRun {
  scenario: string;
  notRun: string;
}

export type Ending = Outcome | NotRun;

export function brokenPromises(ending: Ending): string[] {
  if ('notRun' in ending) return [];
  const { expected, lost, duplicated, duplicates, unlogged, broken } = ending;
  return [
    ...(expected === 0 ? ['no event was expected, so nothing was proven'] : []),
    ...(lost > 0 ? [`${lost} lost`] : []),
    ...(unlogged > 0 ? [`${unlogged} received and never recorded`] : []),
    ...(duplicated > duplicates.max ? [`${duplicated} duplicates, at most ${duplicates.max} are allowed`] : []),
    ...broken,
  ];
}

export function slowRecovery(ending: Ending): string[] {
  if ('notRun' in ending) return [];
  const { recoveredSeconds: took, recoversWithinSeconds: max } = ending;
  return took !== null && max !== null && took > max ? [`recovered in ${took.toFixed(1)} s, ${max} s are allowed`] : [];
}
