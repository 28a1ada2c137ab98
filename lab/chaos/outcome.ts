/** The result of a scenario: one row of the report. */
export interface Outcome {
  scenario: string;
  /**
   * The number of events that must arrive: the events whose commit was acknowledged, and the events that are in the
   * database although their commit got no response.
   */
  expected: number;
  /** The number of distinct events that the receiver answered with 2xx. */
  received: number;
  /** The number of expected events that were not received. */
  lost: number;
  /** The number of repeated arrivals: of the same attempt, or of an attempt without a recorded failure before it. */
  duplicated: number;
  /** The number of attempts after a recorded failure, for example because the receiver answered too late. */
  retried: number;
  duplicates: Bound;
  /** The number of received deliveries whose attempt was never recorded. */
  unlogged: number;
  /** The seconds from the end of the fault until no delivery that was created before this end was pending. */
  recoveredSeconds: number | null;
  /** The maximum recovery time. Tests do not check this time, because other tests run at the same time. */
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

/** Returns the broken promises, except promises about speed. */
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

/** Returns a message if the recovery took longer than is allowed on an idle machine. */
export function slowRecovery(ending: Ending): string[] {
  if ('notRun' in ending) return [];
  const { recoveredSeconds: took, recoversWithinSeconds: max } = ending;
  return took !== null && max !== null && took > max ? [`recovered in ${took.toFixed(1)} s, ${max} s are allowed`] : [];
}
