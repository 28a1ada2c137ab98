export const hourMs = 3_600_000;

/** A period from `from`, inclusive, to `to`, exclusive. A missing time means that the period has no limit there. */
export interface TimeRange {
  from?: Date | undefined;
  to?: Date | undefined;
}
