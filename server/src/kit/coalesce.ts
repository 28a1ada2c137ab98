/** Work that runs after each wake-up, but never twice at the same time. */
export interface Coalesced {
  /**
   * Starts the work. If the work is running, it runs once more afterwards, because the running work may have missed
   * the reason for the wake-up.
   */
  ring(): void;
  /** Resolves when the work for all wake-ups so far is done. */
  idle(): Promise<void>;
  /** Ignores further wake-ups, and resolves when the running work is done. */
  stop(): Promise<void>;
}

/** Runs the work once for all wake-ups that come while an earlier run has not ended. */
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
