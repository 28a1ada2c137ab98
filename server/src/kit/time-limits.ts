/** How long a database may take, which is what limits of time are for. */
export interface TimeLimits {
  /** To connect, or to wait for a connection of a pool that is all in use. */
  connectMs: number;
  /** For one statement. */
  statementMs: number;
}

export const usualLimits: TimeLimits = { connectMs: 5000, statementMs: 15_000 };
