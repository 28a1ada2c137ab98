/** The clock of this process. Due times and leases never use it, because the database's clock decides on them. */
export interface Clock {
  now(): Date;
}

export const systemClock: Clock = { now: () => new Date() };
