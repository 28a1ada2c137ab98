/** The time between two requests of a live page that receives no events. */
export const liveEveryMs = 4_000;

/** A page that receives events polls only for changes that make no event, and waits this many times longer. */
const timesSlower = 2.5;

let hasEvents = false;

/** Called when the page begins to receive events, and when it no longer does. */
export function setHasEvents(now: boolean): void {
  hasEvents = now;
}

/** Returns the time between two requests of a live page. `everyMs` is the time without events. */
export function pauseWithEvents(everyMs: number): number {
  return hasEvents ? timesSlower * everyMs : everyMs;
}
