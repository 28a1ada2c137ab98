export interface Alarm {
  /** Makes the alarm go off after this delay at the latest. Null changes nothing. */
  within(delayMs: number | null): void;
  cancel(): void;
}

/** The maximum delay of a timer of Node. */
const maxTimerMs = 2 ** 31 - 1;
/** The alarm goes off a little late, because the database decides what is due, and its clock may be behind ours. */
const marginMs = 2;

/** Creates an alarm that calls `goOff` at the earliest of the times that were passed to `within`. */
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
        Math.min(Math.ceil(delayMs) + marginMs, maxTimerMs),
      ).unref();
    },
  };
}
