export interface Alarm {
  /** Makes it go off within this time, unless it goes off earlier anyway. */
  within(delayMs: number | null): void;
  cancel(): void;
}

/** Node's timers can wait no longer. */
const longestMs = 2 ** 31 - 1;
/** The database decides what is due, and its clock is not ours. */
const marginMs = 2;

/** One timer, for the earliest of the times that it was given. */
export function createAlarm(goOff: () => void): Alarm {
  let timer: NodeJS.Timeout | undefined;
  let at = Number.POSITIVE_INFINITY;

  function cancel(): void {
    clearTimeout(timer);
    at = Number.POSITIVE_INFINITY;
  }

  return {
    cancel,
    within(delayMs) {
      if (delayMs === null || performance.now() + delayMs >= at) return;
      cancel();
      at = performance.now() + delayMs;
      timer = setTimeout(
        () => {
          cancel();
          goOff();
        },
        Math.min(Math.ceil(delayMs) + marginMs, longestMs),
      ).unref();
    },
  };
}
