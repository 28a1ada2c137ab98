/**
 * Choice: the receiver keeps what it knows of the last 1,000 events, so that one that runs for weeks does not grow. More
 * than that come between two attempts of one event only in a load test.
 */
const mostEvents = 1_000;

/** What is known of the last events, by their `webhook-id`. */
export interface RecentEvents<Known> {
  get(id: string): Known | undefined;
  /** Forgets the event that was not set for the longest time, when there are too many. */
  set(id: string, known: Known): void;
}

export function createRecentEvents<Known>(): RecentEvents<Known> {
  const events = new Map<string, Known>();
  return {
    get: (id) => events.get(id),
    set(id, known) {
      events.delete(id);
      events.set(id, known);
      const [oldest] = events.keys();
      if (events.size > mostEvents && oldest !== undefined) events.delete(oldest);
    },
  };
}
