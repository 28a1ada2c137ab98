/**
 * Counts the calls of one rate limit by the library rate-limiter-flexible. While one statement counts calls of a key,
 * further calls of that key wait and are counted together by the next statement. For a busy key, the statement also
 * counts some calls in advance, and these later need no statement. It counts at most a twentieth of the remaining calls
 * in advance, so none for a key near its limit: the last calls are counted one by one, for all processes together.
 * See docs/decisions/requests.md, "Calls of a busy merchant are counted in advance".
 */
import type { Pool } from 'pg';
import { RateLimiterPostgres, RateLimiterRes } from 'rate-limiter-flexible';
import type { RatePolicy } from '../kit/rate-policies.ts';

/** The 1-based position of a call in its rate-limit window, and how long the window still lasts. */
export interface Position {
  rank: number;
  msLeft: number;
}

export interface Counter {
  count(key: string): Promise<Position>;
  giveBack(key: string): Promise<Position>;
  /** How long the key is still refused from memory. 0 when it is not refused. */
  usedUpForMs(key: string): number;
}

/** A method of the library that its types leave out. */
interface Blocking {
  getInMemoryBlockMsBeforeExpire(storedKey: string): number;
}

/** Calls that were counted in advance. */
interface Ahead {
  /** How many calls were counted in advance. */
  size: number;
  next: number;
  last: number;
  takenAtMs: number;
  windowEndMs: number;
}

/** When a key uses up its calls in advance within this time, the next statement counts twice as many. */
const busyMs = 1000;
const maxAhead = 64;
/** The share of the remaining calls that may be counted in advance. */
const shareAhead = 1 / 20;
/** When there are more keys, it forgets how many calls each had in advance. */
const maxKeys = 10_000;

export function createCounter(pool: Pool, name: string, { calls, seconds }: RatePolicy): Counter {
  const limiter = new RateLimiterPostgres({
    storeClient: pool,
    tableName: 'rate_limit',
    tableCreated: true,
    keyPrefix: name,
    points: calls,
    duration: seconds,
    inMemoryBlockOnConsumed: calls,
  });
  const waiting = new Map<string, PromiseWithResolvers<Position>[]>();
  const taken = new Map<string, Ahead>();

  async function countWaiting(key: string): Promise<void> {
    for (let batch = waiting.get(key); batch?.length; batch = waiting.get(key)) {
      waiting.set(key, []);
      const uncounted = batch.filter((call) => !countedAhead(key, call));
      if (uncounted.length > 0) await countTogether(key, uncounted);
    }
    waiting.delete(key);
  }

  /** Answers the call with one that was counted in advance. False when none is left. */
  function countedAhead(key: string, call: PromiseWithResolvers<Position>): boolean {
    const position = takeAhead(taken.get(key));
    if (position) call.resolve(position);
    return position !== null;
  }

  async function countTogether(key: string, batch: PromiseWithResolvers<Position>[]): Promise<void> {
    const ahead = aheadOf(taken.get(key), calls);
    try {
      const { rank: last, msLeft } = await consume(key, batch.length + ahead);
      const first = last - ahead - batch.length + 1;
      const takenAtMs = performance.now();
      if (taken.size >= maxKeys) taken.clear();
      taken.set(key, {
        size: ahead,
        next: first + batch.length,
        last,
        takenAtMs,
        windowEndMs: takenAtMs + msLeft,
      });
      for (const [index, call] of batch.entries()) call.resolve({ rank: first + index, msLeft });
    } catch (error) {
      for (const call of batch) call.reject(error);
    }
  }

  /** The position of the last of these calls. */
  async function consume(key: string, count: number): Promise<Position> {
    try {
      const { consumedPoints: rank, msBeforeNext: msLeft } = await limiter.consume(key, count);
      return { rank, msLeft };
    } catch (error) {
      if (!(error instanceof RateLimiterRes)) throw error;
      const { consumedPoints, msBeforeNext: msLeft } = error;
      // When the library refuses from memory, it counts nothing, and every call exceeds the limit.
      return { rank: consumedPoints === 0 ? calls + count : consumedPoints, msLeft };
    }
  }

  return {
    count(key) {
      const call = Promise.withResolvers<Position>();
      const queue = waiting.get(key);
      if (queue) queue.push(call);
      else if (!countedAhead(key, call)) {
        waiting.set(key, [call]);
        void countWaiting(key);
      }
      return call.promise;
    },
    async giveBack(key) {
      const { consumedPoints, msBeforeNext: msLeft } = await limiter.reward(key);
      // The window in which the call was counted has ended, so there was nothing to give back in this one.
      if (consumedPoints < 0) await limiter.penalty(key);
      // If this call used up the limit, the library refuses the key from memory. It can only forget all such keys at
      // once. For the others, the next call asks the database, which refuses them again.
      limiter.deleteInMemoryBlockedAll();
      return { rank: Math.max(0, consumedPoints), msLeft };
    },
    usedUpForMs: (key) => (limiter as unknown as Blocking).getInMemoryBlockMsBeforeExpire(limiter.getKey(key)),
  };
}

/** The position of a call that was counted in advance. Null when none is left, or when its window has ended. */
function takeAhead(ahead: Ahead | undefined): Position | null {
  const msLeft = (ahead?.windowEndMs ?? 0) - performance.now();
  if (!ahead || ahead.next > ahead.last || msLeft <= 0) return null;
  const rank = ahead.next;
  ahead.next += 1;
  return { rank, msLeft };
}

/** How many calls to count in advance, after the earlier ones are used up. */
function aheadOf(before: Ahead | undefined, calls: number): number {
  const now = performance.now();
  if (!before || now - before.takenAtMs > busyMs || now >= before.windowEndMs) return 0;
  const left = Math.max(0, calls - before.last);
  return Math.min(before.size * 2 || 1, maxAhead, Math.floor(left * shareAhead));
}
