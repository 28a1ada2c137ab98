export const hourMs = 3_600_000;

/**
 * A period from the first time, which belongs to it, to the second, which does not. It has no limit where a time is
 * missing.
 */
export interface TimeRange {
  from?: Date | undefined;
  to?: Date | undefined;
}
