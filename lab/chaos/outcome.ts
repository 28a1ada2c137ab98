/** The result of a scenario: one row of the report. */
export interface Outcome {
  scenario: string;
  /**
   * The number of events that must arrive: those whose commit was acknowledged, and those that are in the database
   * although their commit got no response.
   */
  expected: number;
  /** The number of distinct events that the receiver answered with 2xx. */
  received: number;
  /** The number of expected events that were not received. */
  lost: number;
  /** Repeated arrivals of the same delivery and attempt, and attempts before which no failure is recorded. */
  duplicated: number;
  /** Attempts after an attempt that is recorded as failed, for example because the receiver answered too late. */
  retried: number;
  duplicates: Bound;
  /** The number of received deliveries whose attempt was never recorded. */
  unlogged: number;
  /** The time from the end of the fault until no earlier delivery was pending. */
  recoveredSeconds: number | null;
  /** The maximum recovery time. `npm test` does not check it, because other tests run at the same time. */
  recoversWithinSeconds: number | null;
  /** Figures that are printed below the table. */
  notes: string[];
  /** Broken promises that are specific to this scenario. */
  broken: string[];
}

export interface Bound {
  max: number;
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
    ...(duplicated > duplicates.max ? [`${duplicated} duplicates, at most ${duplicates.max} are allowed`] : []),
    ...broken,
  ];
}

/** Reports a recovery that took longer than is allowed on an idle machine. */
export function slowRecovery(ending: Ending): string[] {
  if ('notRun' in ending) return [];
  const { recoveredSeconds: took, recoversWithinSeconds: max } = ending;
  return took !== null && max !== null && took > max ? [`recovered in ${took.toFixed(1)} s, ${max} s are allowed`] : [];
}
