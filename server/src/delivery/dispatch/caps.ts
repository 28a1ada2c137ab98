/**
 * How many deliveries an endpoint may have in flight, by how long its attempts hold their places, and a memory of it for
 * endpoints that have nothing waiting. An endpoint that was forgotten starts again. Pure.
 */

/**
 * What an attempt tells about the time that its endpoint holds a place: an answer came in less than a second, the attempt
 * lasted longer than two seconds, it timed out, or none of these.
 */
export type Heard = 'quick' | 'slow' | 'time-out' | 'other';

export interface Caps {
  /** The cap of an endpoint of which nothing is known. */
  readonly start: number;
  /** The highest cap of any endpoint. */
  readonly most: number;
  after(cap: number, heard: Heard): number;
  /** Whether slow attempts brought it down to one. */
  isSlow(cap: number): boolean;
  remember(endpointId: string, cap: number): void;
  /** Returns the cap and forgets it: from now on the caller keeps it. */
  recall(endpointId: string): number;
  /** The slow endpoints that are remembered. */
  readonly slow: { readonly size: number; keys(): Iterable<string> };
}

/** An attempt, as far as its time matters here. */
export interface Timed {
  durationMs: number;
  /** Null without a complete answer. */
  statusCode: number | null;
  error: string | null;
}

/**
 * Low, because an endpoint that hangs is not known by it before its first time-out, while one that answers gets to its most
 * within a few round trips. More than one, because at one an endpoint is slow.
 */
const startCap = 2;
/** Of the slow ones, and of those that do well. */
const mostRemembered = 1000;
const quickMs = 1000;
const slowMs = 2000;

/**
 * Choice: the time decides and the status does not. A refusal that comes at once gives its place back as soon as a success
 * does, and a success after fourteen seconds held it for as long as a time-out. What fails at once without an answer, such as
 * a refused connection, changes nothing.
 * See docs/decisions/delivery.md, "A place in flight is judged by how long it is held".
 */
export function hearAttempt({ durationMs, statusCode, error }: Timed): Heard {
  if (error === 'timeout' || error === 'connect_timeout') return 'time-out';
  if (durationMs > slowMs) return 'slow';
  return durationMs < quickMs && error === null && statusCode !== null ? 'quick' : 'other';
}

export function createCaps(most: number): Caps {
  const start = Math.min(startCap, most);
  const slow = new Map<string, number>();
  const well = new Map<string, number>();
  const isSlow = (cap: number) => cap < start;

  return {
    start,
    most,
    after(cap, heard) {
      if (heard === 'quick') return Math.min(most, 2 * cap);
      return heard === 'other' ? cap : Math.max(start / 2, Math.floor(cap / 2));
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
