/**
 * How many deliveries an endpoint may have in flight, by what was heard from it, and a memory of it for endpoints that have
 * nothing waiting. Who is forgotten starts again. Pure.
 */

/** What became of an attempt, as far as it tells how long the endpoint holds a slot. */
export type Heard = 'success' | 'time-out' | 'other';

export interface Caps {
  /** The cap of an endpoint of which nothing is known. */
  readonly start: number;
  after(cap: number, heard: Heard): number;
  /** Whether time-outs brought it down to one. */
  isSlow(cap: number): boolean;
  remember(endpointId: string, cap: number): void;
  /** Forgets it as well: from now on whoever asked keeps it. */
  recall(endpointId: string): number;
  /** The slow endpoints that are remembered. */
  readonly slow: { readonly size: number; keys(): Iterable<string> };
}

/**
 * Low, because an endpoint that hangs is not known by it before its first time-out, while one that answers gets to its most
 * within a few round trips. More than one, because at one an endpoint is slow.
 */
const startCap = 2;
/** Of the slow ones, and of those that do well. */
const mostRemembered = 1000;

export function createCaps(most: number): Caps {
  const start = Math.min(startCap, most);
  const slow = new Map<string, number>();
  const well = new Map<string, number>();
  const isSlow = (cap: number) => cap < start;

  return {
    start,
    after(cap, heard) {
      if (heard === 'time-out') return Math.max(start / 2, Math.floor(cap / 2));
      return heard === 'success' ? Math.min(most, 2 * cap) : cap;
    },
    isSlow,
    slow,
    remember(endpointId, cap) {
      if (cap === start) return;
      const memory = isSlow(cap) ? slow : well;
      memory.set(endpointId, cap);
      if (memory.size <= mostRemembered) return;
      // A map keeps the order of its entries, so the first is the one that has been idle for longest.
      const [longestIdle = ''] = memory.keys();
      memory.delete(longestIdle);
    },
    recall(endpointId) {
      const cap = slow.get(endpointId) ?? well.get(endpointId) ?? start;
      slow.delete(endpointId);
      well.delete(endpointId);
      return cap;
    },
  };
}
