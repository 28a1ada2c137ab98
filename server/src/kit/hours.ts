export const hourMs = 3_600_000;

/** From the first moment on, and before the second. Without one there is no such end. */
export interface Time {
  from?: Date | undefined;
  to?: Date | undefined;
}
