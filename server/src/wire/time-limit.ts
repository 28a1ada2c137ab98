interface Limited {
  readonly startedMs: number;
  endInTime(): void;
}

export interface TimeLimit {
  add(limited: Limited): void;
  remove(limited: Limited): void;
}

/** One timer is enough, because all attempts have the same limit and end in the order in which they began. */
export function createTimeLimit(limitMs: number): TimeLimit {
  /** A set keeps the order of its entries, so the attempt that began first comes first. */
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

  // An attempt's connection keeps the process alive, so this timer need not.
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
