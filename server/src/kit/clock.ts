/** The process's idea of now. Due times and leases never use it: the database's clock decides those. */
export interface Clock {
  now(): Date;
}

export const systemClock: Clock = { now: () => new Date() };
