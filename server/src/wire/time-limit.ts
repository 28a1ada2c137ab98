/** Something that has to end when its time is up. */
interface Limited {
  readonly startedMs: number;
  endInTime(): void;
}

export interface TimeLimit {
  add(limited: Limited): void;
  remove(limited: Limited): void;
}

/**
 * Ends what lasts longer than the limit. The limit is the same for all, so what began first is due first, and one timer
 * is enough. A timer for each attempt would be made and cleared thousands of times a second.
 */
export function createTimeLimit(limitMs: number): TimeLimit {
  /** A set keeps the order in which its entries were added. */
  const running = new Set<Limited>();
  let timer: NodeJS.Timeout | undefined;

  function endThoseDue(): void {
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

  // The timer keeps no process alive: the connection of an attempt does, and the last timer may outlive all attempts.
  function startTimer(leftMs: number): void {
    timer = setTimeout(endThoseDue, Math.ceil(leftMs)).unref();
  }

  return {
    add(limited) {
      running.add(limited);
      if (!timer) startTimer(limitMs);
    },
    remove: (limited) => void running.delete(limited),
  };
}
