/** The times after which a call to the database fails. */
export interface TimeLimits {
  /** The time to connect, or to wait for a connection when all connections of the pool are in use. */
  connectMs: number;
  /** The time for one statement. */
  statementMs: number;
}

export const usualLimits: TimeLimits = { connectMs: 5000, statementMs: 15_000 };
