/**
 * While one statement counts calls of a key, further calls of that key wait, and the next statement counts them
 * together. For a busy key, a statement also counts calls in advance: a twentieth of the remaining calls at most.
 * See docs/decisions/requests.md, "Calls of a busy merchant are counted in advance".
 */
import type { Pool } from 'pg';
import { RateLimiterPostgres, RateLimiterRes } from 'rate-limiter-flexible';
import type { RatePolicy } from '../kit/rate-policies.ts';

/** `rank` is the position of a call in its rate-limit window, counted from 1. */
export interface Position {
  rank: number;
  msLeft: number;
}

export interface Counter {
  count(key: string): Promise<Position>;
  giveBack(key: string): Promise<Position>;
  /** How long this process still refuses the key without a query, in milliseconds. 0 when the key is not refused. */
  usedUpForMs(key: string): number;
}

/** The types of rate-limiter-flexible lack the method `getInMemoryBlockMsBeforeExpire`. */
interface Blocking {
  getInMemoryBlockMsBeforeExpire(storedKey: string): number;
}

interface Ahead {
  size: number;
  next: number;
  last: number;
  takenAtMs: number;
  windowEndMs: number;
}

/** If a key uses up the calls counted in advance within this time, the next statement counts twice as many. */
const busyMs = 1000;
const maxAhead = 64;
const shareAhead = 1 / 20;
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

  async function consume(key: string, count: number): Promise<Position> {
    try {
      const { consumedPoints: rank, msBeforeNext: msLeft } = await limiter.consume(key, count);
      return { rank, msLeft };
    } catch (error) {
      if (!(error instanceof RateLimiterRes)) throw error;
      const { consumedPoints, msBeforeNext: msLeft } = error;
      // When the library refuses a key from memory, it reports 0 calls; the rank must still exceed the limit.
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
      // A negative count means that the window of the call has ended: the count of the new window must not change.
      if (consumedPoints < 0) await limiter.penalty(key);
      // The library can unblock only all keys together. The next query blocks a key above its limit again.
      limiter.deleteInMemoryBlockedAll();
      return { rank: Math.max(0, consumedPoints), msLeft };
    },
    usedUpForMs: (key) => (limiter as unknown as Blocking).getInMemoryBlockMsBeforeExpire(limiter.getKey(key)),
  };
}

function takeAhead(ahead: Ahead | undefined): Position | null {
  const msLeft = (ahead?.windowEndMs ?? 0) - performance.now();
  if (!ahead || ahead.next > ahead.last || msLeft <= 0) return null;
  const rank = ahead.next;
  ahead.next += 1;
  return { rank, msLeft };
}

function aheadOf(before: Ahead | undefined, calls: number): number {
  const now = performance.now();
  if (!before || now - before.takenAtMs > busyMs || now >= before.windowEndMs) return 0;
  const left = Math.max(0, calls - before.last);
  return Math.min(before.size * 2 || 1, maxAhead, Math.floor(left * shareAhead));
}
