/** Work that runs after a wake-up, never twice at the same time. */
export interface Coalesced {
  /**
   * Starts the work. If it is running, runs it once more afterwards, because it may have missed what the wake-up is
   * for.
   */
  ring(): void;
  /** Resolves when the work for all wake-ups so far is done. */
  idle(): Promise<void>;
  /** Ignores further wake-ups, and resolves when the running work is done. */
  stop(): Promise<void>;
}

/** Makes one run out of all wake-ups that come while the work is running. */
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
