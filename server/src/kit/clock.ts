/** Decides neither due times nor leases: the clocks of hosts differ, so these times depend on the database's clock. */
export interface Clock {
  now(): Date;
}

export const systemClock: Clock = { now: () => new Date() };
