/** This clock decides neither due times nor leases: the clocks of hosts differ, so the database's clock decides. */
export interface Clock {
  now(): Date;
}

export const systemClock: Clock = { now: () => new Date() };
