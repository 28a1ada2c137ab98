export interface Alarm {
  /** Makes the alarm go off after this time at the latest. */
  within(delayMs: number | null): void;
  cancel(): void;
}

/** The longest time that a timer of Node can wait. */
const maxTimerMs = 2 ** 31 - 1;
/** A little later, because the database decides what is due, and its clock may be behind ours. */
const marginMs = 2;

/** One timer for several times: it goes off at the earliest of them. */
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
