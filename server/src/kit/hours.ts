export const hourMs = 3_600_000;
export const dayMs = 24 * hourMs;

/** A period from `from`, inclusive, to `to`, exclusive. */
export interface TimeRange {
  from?: Date | undefined;
  to?: Date | undefined;
}
