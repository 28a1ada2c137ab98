export interface Coalesced {
  /**
   * If the work is running, it runs once more afterwards, because the running work may have missed the latest change.
   */
  ring(): void;
  idle(): Promise<void>;
  stop(): Promise<void>;
}

export function coalesce(work: () => Promise<void>, onFailure: (error: unknown) => void): Coalesced {
  let isWanted = false;
  let isStopped = false;
  let underWay: Promise<void> | undefined;

  async function run(): Promise<void> {
    while (isWanted) {
      isWanted = false;
      await work().catch(onFailure);
    }
    underWay = undefined;
  }

  return {
    ring() {
      if (isStopped) return;
      isWanted = true;
      underWay ??= run();
    },
    idle: async () => underWay,
    async stop() {
      isStopped = true;
      isWanted = false;
      await underWay;
    },
  };
}

/** Wakes and stops several workers at once. */
export function together(workers: readonly Coalesced[]): Coalesced {
  return {
    ring() {
      for (const worker of workers) worker.ring();
    },
    idle: async () => {
      await Promise.all(workers.map((worker) => worker.idle()));
    },
    stop: async () => {
      await Promise.all(workers.map((worker) => worker.stop()));
    },
  };
}
