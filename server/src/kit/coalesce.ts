/** Work that is rung for, as a bell is. */
export interface Coalesced {
  /** Begins the work, or has it done once more when it is under way: it may have looked before there was something. */
  ring(): void;
  /** Resolves when everything that was rung for so far is done. */
  idle(): Promise<void>;
  /** Takes no more rings, and resolves when the work is done. */
  stop(): Promise<void>;
}

/** However often it is rung for, the work is never under way twice. A failure goes to `complain`. */
export function coalesce(work: () => Promise<void>, complain: (error: unknown) => void): Coalesced {
  let isWanted = false;
  let isStopped = false;
  let underWay: Promise<void> | undefined;

  async function run(): Promise<void> {
    while (isWanted) {
      isWanted = false;
      await work().catch(complain);
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
