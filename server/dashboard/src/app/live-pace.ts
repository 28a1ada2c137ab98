/** The polling interval of a live page that receives no events. */
export const liveEveryMs = 4_000;

/** A page that receives events polls only for changes that create no event, so it polls less often. */
const timesSlower = 2.5;

let hasEvents = false;

export function setHasEvents(now: boolean): void {
  hasEvents = now;
}

export function pauseWithEvents(everyMs: number): number {
  return hasEvents ? timesSlower * everyMs : everyMs;
}
