/** The clock of this process. It decides neither due times nor leases, which depend on the database's clock. */
export interface Clock {
  now(): Date;
}

export const systemClock: Clock = { now: () => new Date() };
