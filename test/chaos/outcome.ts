/** What a scenario ends with, one row of the report. */
export interface Outcome {
  scenario: string;
  /** Events that the producers were told were committed, and those of commits without an answer that the database holds. */
  owed: number;
  /** Distinct events that got a 2xx. */
  received: number;
  /** Owed and not received. */
  lost: number;
  /** Arrivals beyond the first of the same delivery and attempt, and attempts without a recorded failure before them. */
  duplicated: number;
  /** Attempts after one that is on record as failed, as a receiver too slow for its time-out brings about. */
  retried: number;
  duplicates: Bound;
  /** Received, and without a recorded attempt for good. */
  unlogged: number;
  /** From the moment when everything was there again until nothing was owed that had been owed before. */
  recoveredSeconds: number | null;
  /** A test does not ask: it shares its machine. */
  recoversWithinSeconds: number | null;
  /** Figures beside the table. */
  notes: string[];
  /** Promises of this scenario alone that were broken. */
  broken: string[];
}

export interface Bound {
  most: number;
  because: string;
}

/** A scenario without what it needs. */
export interface NotRun {
  scenario: string;
  notRun: string;
}

export type Ending = Outcome | NotRun;

/** Which promises were broken, but for those that depend on the machine's speed. */
export function brokenPromises(ending: Ending): string[] {
  if ('notRun' in ending) return [];
  const { owed, lost, duplicated, duplicates, unlogged, broken } = ending;
  return [
    ...(owed === 0 ? ['nothing was owed, so nothing was proven'] : []),
    ...(lost > 0 ? [`${lost} lost`] : []),
    ...(unlogged > 0 ? [`${unlogged} received and never recorded`] : []),
    ...(duplicated > duplicates.most ? [`${duplicated} duplicates, at most ${duplicates.most} are allowed`] : []),
    ...broken,
  ];
}

/** Whether it took longer than it may on a machine that does nothing else. */
export function slowRecovery(ending: Ending): string[] {
  if ('notRun' in ending) return [];
  const { recoveredSeconds: took, recoversWithinSeconds: most } = ending;
  return took !== null && most !== null && took > most
    ? [`recovered in ${took.toFixed(1)} s, ${most} s are allowed`]
    : [];
}
