/** An attempt, or anything else that must end when it times out. */
interface Limited {
  readonly startedMs: number;
  endInTime(): void;
}

export interface TimeLimit {
  add(limited: Limited): void;
  remove(limited: Limited): void;
}

/**
 * Ends attempts that last longer than the limit. All attempts have the same limit, so they end in the order in which
 * they began, and one timer is enough. With a timer for each attempt, thousands of timers would be set and cleared
 * each second.
 */
export function createTimeLimit(limitMs: number): TimeLimit {
  /** The running attempts in the order in which they began, because a set keeps the order of its entries. */
  const running = new Set<Limited>();
  let timer: NodeJS.Timeout | undefined;

  function endDue(): void {
    timer = undefined;
    for (const limited of running) {
      const leftMs = limited.startedMs + limitMs - performance.now();
      if (leftMs > 0) {
        startTimer(leftMs);
        return;
      }
      running.delete(limited);
      limited.endInTime();
    }
  }

  // The timer is unreferenced: the connection of an attempt keeps the process alive, and the last timer may outlive
  // all attempts.
  function startTimer(leftMs: number): void {
    timer = setTimeout(endDue, Math.ceil(leftMs)).unref();
  }

  return {
    add(limited) {
      running.add(limited);
      if (!timer) startTimer(limitMs);
    },
    remove: (limited) => void running.delete(limited),
  };
}
