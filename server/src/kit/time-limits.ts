/** How long the database may take before a call fails. */
export interface TimeLimits {
  /** To connect, or to wait for a connection of a pool that is all in use. */
  connectMs: number;
  /** For one statement. */
  statementMs: number;
}

export const usualLimits: TimeLimits = { connectMs: 5000, statementMs: 15_000 };
