/** The time between two requests of a live page, while no events tell of changes. */
export const liveEveryMs = 4_000;

/** While events tell of changes, a live page asks only for changes that make no event, and waits this many times longer. */
const timesSlower = 2.5;

let hasEvents = false;

/** To be called when the service begins to tell of each event, or no longer does. */
export function setHasEvents(now: boolean): void {
  hasEvents = now;
}

/** The time between two requests of a live page whose time without events is this. */
export function pauseWithEvents(everyMs: number): number {
  return hasEvents ? timesSlower * everyMs : everyMs;
}
