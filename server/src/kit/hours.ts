export const hourMs = 3_600_000;

/** A period from `from`, inclusive, to `to`, exclusive. */
export interface TimeRange {
  from?: Date | undefined;
  to?: Date | undefined;
}
