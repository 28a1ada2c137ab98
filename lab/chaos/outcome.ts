/** The result of a scenario, which is one row of the report. */
export interface Outcome {
  scenario: string;
  /**
   * The number of events that must arrive: those whose commit was answered, and those without an answer that the
   * database holds.
   */
  expected: number;
  /** The number of distinct events that were answered with 2xx. */
  received: number;
  /** The number of expected events that were not received. */
  lost: number;
  /**
   * Arrivals beyond the first of the same delivery and attempt, and attempts without a recorded failure before them.
   */
  duplicated: number;
  /** Attempts after an attempt that is recorded as failed, for example because the receiver answered too late. */
  retried: number;
  duplicates: Bound;
  /** The number of received deliveries whose attempt was never recorded. */
  unlogged: number;
  /** The time from the end of the fault until no delivery of the time before was pending. */
  recoveredSeconds: number | null;
  /** The longest allowed recovery. `npm test` does not check it, because other tests run at the same time. */
  recoversWithinSeconds: number | null;
  /** Figures that are printed below the table. */
  notes: string[];
  /** Broken promises that only this scenario makes. */
  broken: string[];
}

export interface Bound {
  most: number;
  because: string;
}

/** A scenario that could not run, and the reason. */
export interface NotRun {
  scenario: string;
  notRun: string;
}

export type Ending = Outcome | NotRun;

/** Returns the broken promises, except those about speed. */
export function brokenPromises(ending: Ending): string[] {
  if ('notRun' in ending) return [];
  const { expected, lost, duplicated, duplicates, unlogged, broken } = ending;
  return [
    ...(expected === 0 ? ['no event was expected, so nothing was proven'] : []),
    ...(lost > 0 ? [`${lost} lost`] : []),
    ...(unlogged > 0 ? [`${unlogged} received and never recorded`] : []),
    ...(duplicated > duplicates.most ? [`${duplicated} duplicates, at most ${duplicates.most} are allowed`] : []),
    ...broken,
  ];
}

/** Reports a recovery that took longer than it may on an otherwise idle machine. */
export function slowRecovery(ending: Ending): string[] {
  if ('notRun' in ending) return [];
  const { recoveredSeconds: took, recoversWithinSeconds: most } = ending;
  return took !== null && most !== null && took > most
    ? [`recovered in ${took.toFixed(1)} s, ${most} s are allowed`]
    : [];
}
