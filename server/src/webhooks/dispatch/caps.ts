/**
 * The cap of an endpoint: how many deliveries it may have in flight. It depends on how long the endpoint's attempts
 * hold their places. The caps of endpoints that hold nothing now are remembered; an endpoint that was forgotten gets
 * the start cap. Pure.
 */

/**
 * How long an attempt held its place. `quick`: an answer came in less than a second. `slow`: the attempt took more than
 * two seconds. `time-out`: it reached a time limit. `other`: none of these.
 */
export type AttemptPace = 'quick' | 'slow' | 'time-out' | 'other';

export interface Caps {
  /** The cap of an endpoint that is not remembered. */
  readonly start: number;
  /** The highest cap of any endpoint. */
  readonly most: number;
  after(cap: number, pace: AttemptPace): number;
  /** Whether slow attempts lowered the cap to one. */
  isSlow(cap: number): boolean;
  remember(endpointId: string, cap: number): void;
  /** Returns the cap and forgets it, because the caller keeps it from now on. */
  recall(endpointId: string): number;
  /** The slow endpoints that are remembered, by their ids. */
  readonly slow: { readonly size: number; keys(): Iterable<string> };
}

/** The part of an attempt's result that decides its pace. */
export interface TimedAttempt {
  durationMs: number;
  /** Null when no answer came. */
  statusCode: number | null;
  error: string | null;
}

/**
 * Low, because an endpoint that hangs keeps this cap until its first time-out, while an endpoint that answers reaches
 * the highest cap within a few round trips. More than one, because a cap of one means that an endpoint is slow.
 */
const startCap = 2;
/** The most slow endpoints that are remembered, and the most fast ones. */
const mostRemembered = 1000;
const quickMs = 1000;
const slowMs = 2000;

/**
 * Choice: the time decides and the status does not. An error status that comes at once frees its place as soon as a
 * success does, and a success after fourteen seconds held its place for as long as a time-out. An attempt that fails at
 * once without an answer, such as a refused connection, does not change the cap.
 * See docs/decisions/delivery.md, "A place in flight is judged by how long it is held".
 */
export function paceOf({ durationMs, statusCode, error }: TimedAttempt): AttemptPace {
  if (error === 'timeout' || error === 'connect_timeout') return 'time-out';
  if (durationMs > slowMs) return 'slow';
  return durationMs < quickMs && error === null && statusCode !== null ? 'quick' : 'other';
}

export function createCaps(most: number): Caps {
  const start = Math.min(startCap, most);
  const slow = new Map<string, number>();
  const fast = new Map<string, number>();
  const isSlow = (cap: number) => cap < start;

  return {
    start,
    most,
    after(cap, pace) {
      if (pace === 'quick') return Math.min(most, 2 * cap);
      return pace === 'other' ? cap : Math.max(start / 2, Math.floor(cap / 2));
    },
    isSlow,
    slow,
    remember(endpointId, cap) {
      if (cap === start) return;
      const memory = isSlow(cap) ? slow : fast;
      memory.set(endpointId, cap);
      if (memory.size <= mostRemembered) return;
      // A map keeps the order of its entries, so the first endpoint is the one that has been idle for longest.
      const [longestIdle = ''] = memory.keys();
      memory.delete(longestIdle);
    },
    recall(endpointId) {
      const cap = slow.get(endpointId) ?? fast.get(endpointId) ?? start;
      slow.delete(endpointId);
      fast.delete(endpointId);
      return cap;
    },
  };
}
