export interface Alarm {
  within(delayMs: number | null): void;
  cancel(): void;
}

/** The maximum delay of a Node timer: with a longer delay, the timer fires at once. */
const maxTimerMs = 2 ** 31 - 1;
/** The alarm goes off a little late, because the database decides what is due, and its clock may be behind ours. */
const marginMs = 2;

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
