/** The polling interval of a live page that receives no events. */
export const liveEveryMs = 4_000;

/**
 * A page that receives events polls only for changes that create no event, so the polling interval of the page is
 * multiplied by this factor.
 */
const timesSlower = 2.5;

let hasEvents = false;

/** Called when the page begins to receive events, and when it stops receiving events. */
export function setHasEvents(now: boolean): void {
  hasEvents = now;
}

/** Returns the polling interval of a live page. `everyMs` is the interval without events. */
export function pauseWithEvents(everyMs: number): number {
  return hasEvents ? timesSlower * everyMs : everyMs;
}
