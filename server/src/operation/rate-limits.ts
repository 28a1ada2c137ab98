/**
 * Limits that hold over all processes, counted by rate-limiter-flexible in an unlogged table. Whoever asks for the same key
 * while its count is on the way is counted together in the next statement, so that a busy merchant costs one statement at
 * a time and not one a call. A key that is used up is refused from memory. When Postgres cannot be asked, or does not answer
 * soon, calls pass.
 * See docs/decisions/requests.md, "Rate limits are counted in Postgres, and calls pass without it".
 */
import type { Pool } from 'pg';
import { RateLimiterPostgres, RateLimiterRes } from 'rate-limiter-flexible';
import type { DatabaseAccess } from '../database/connections.ts';
import { AppError } from '../kit/errors.ts';
import type { Logger } from '../kit/logger.ts';
import type { RatePolicies, RatePolicy, RatePolicyName } from '../kit/rate-policies.ts';
import type { Metrics } from '../metrics/metrics.ts';

/** What is left, for the headers of the answer. */
export interface RateState {
  name: RatePolicyName;
  policy: RatePolicy;
  remaining: number;
  resetSeconds: number;
}

export interface RateLimits {
  /** Counts one call. Throws `rate_limited` when it is one too many; null where limits are off or cannot be asked. */
  count(name: RatePolicyName, key: string): Promise<RateState | null>;
  /** Takes back one call that was counted, when it turned out that the limit does not concern it. */
  giveBack(name: RatePolicyName, key: string): Promise<RateState | null>;
  /** Throws `rate_limited` where this process knows that the key is used up. It counts nothing and makes no query. */
  refuseUsedUp(name: RatePolicyName, key: string): void;
  stop(): Promise<void>;
}

interface RateLimitSettings {
  policies: RatePolicies | null;
  /** How long a call waits to be counted. Connecting may take longer, and then serves the calls that come next. */
  timeoutMs: number;
  database: DatabaseAccess;
  log: Logger;
  metrics: Pick<Metrics, 'uncountedCalls'>;
}

const unlimited: RateLimits = {
  count: async () => null,
  giveBack: async () => null,
  refuseUsedUp: () => {},
  stop: async () => {},
};
const connections = 4;

export function createRateLimits({ policies, timeoutMs, database, log, metrics }: RateLimitSettings): RateLimits {
  if (!policies) return unlimited;
  const pool = database.within({ statementMs: timeoutMs }).openPool(connections);
  pool.on('error', () => {});
  const counters = new Map<RatePolicyName, Counter>();
  const counterOf = (name: RatePolicyName) => {
    const known = counters.get(name) ?? createCounter(pool, name, policies[name]);
    counters.set(name, known);
    return known;
  };
  return {
    async count(name, key) {
      const policy = policies[name];
      const standing = await inTime(timeoutMs, counterOf(name).count(key)).catch((error: unknown) => {
        metrics.uncountedCalls.inc({ limit: name });
        log.warn({ err: error }, 'rate limits cannot be asked, the call passes');
        return null;
      });
      if (!standing) return null;
      const state = stateOf(name, policy, standing);
      if (standing.place > policy.calls) throw new RateLimited(state);
      return state;
    },
    async giveBack(name, key) {
      // A place that is not given back is free again at the end of the window, which is no reason to fail a call.
      const standing = await inTime(timeoutMs, counterOf(name).giveBack(key)).catch((error: unknown) => {
        log.warn({ err: error }, 'rate limits cannot be asked, a call stays counted');
        return null;
      });
      return standing && stateOf(name, policies[name], standing);
    },
    refuseUsedUp(name, key) {
      const msLeft = counterOf(name).usedUpForMs(key);
      const policy = policies[name];
      if (msLeft > 0) throw new RateLimited(stateOf(name, policy, { place: policy.calls + 1, msLeft }));
    },
    stop: () => pool.end(),
  };
}

function stateOf(name: RatePolicyName, policy: RatePolicy, { place, msLeft }: Standing): RateState {
  const resetSeconds = Math.max(1, Math.ceil(msLeft / 1000));
  // A place that is given back after the end of its window would make more remain than the policy allows.
  const remaining = Math.min(policy.calls, Math.max(0, policy.calls - place));
  return { name, policy, remaining, resetSeconds };
}

function inTime<Result>(timeoutMs: number, counting: Promise<Result>): Promise<Result> {
  return new Promise((resolve, reject) => {
    const giveUp = () => reject(new Error(`No answer within ${timeoutMs} ms`));
    const timer = setTimeout(giveUp, timeoutMs);
    void counting.then(resolve, reject).then(() => clearTimeout(timer));
  });
}

export class RateLimited extends AppError {
  readonly state: RateState;

  constructor(state: RateState) {
    super('rate_limited', `Too many requests; try again in ${state.resetSeconds} s`, {
      retryAfterSeconds: state.resetSeconds,
    });
    this.state = state;
  }
}

/** `RateLimit` and `RateLimit-Policy`, as the IETF's draft writes them. */
export function rateHeaders({ name, policy, remaining, resetSeconds }: RateState): Record<string, string> {
  return {
    RateLimit: `"${name}";r=${remaining};t=${resetSeconds}`,
    'RateLimit-Policy': `"${name}";q=${policy.calls};w=${policy.seconds}`,
  };
}

/** The position of a call in its window, from 1, and how long the window still lasts. */
interface Standing {
  place: number;
  msLeft: number;
}

interface Counter {
  count(key: string): Promise<Standing>;
  giveBack(key: string): Promise<Standing>;
  /** How long the key is refused from memory; 0 when it is not. */
  usedUpForMs(key: string): number;
}

/** What the library has and its types leave out. */
interface Blocking {
  getInMemoryBlockMsBeforeExpire(storedKey: string): number;
}

function createCounter(pool: Pool, name: RatePolicyName, { calls, seconds }: RatePolicy): Counter {
  const limiter = new RateLimiterPostgres({
    storeClient: pool,
    tableName: 'rate_limit',
    tableCreated: true,
    keyPrefix: name,
    points: calls,
    duration: seconds,
    inMemoryBlockOnConsumed: calls,
  });
  const waiting = new Map<string, PromiseWithResolvers<Standing>[]>();

  async function countWaiting(key: string): Promise<void> {
    for (let batch = waiting.get(key); batch?.length; batch = waiting.get(key)) {
      waiting.set(key, []);
      await countTogether(key, batch);
    }
    waiting.delete(key);
  }

  async function countTogether(key: string, batch: PromiseWithResolvers<Standing>[]): Promise<void> {
    try {
      const { place: last, msLeft } = await consume(key, batch.length);
      const first = last - batch.length + 1;
      for (const [index, call] of batch.entries()) call.resolve({ place: first + index, msLeft });
    } catch (error) {
      for (const call of batch) call.reject(error);
    }
  }

  /** The standing of the last of these calls. */
  async function consume(key: string, count: number): Promise<Standing> {
    try {
      const { consumedPoints: place, msBeforeNext: msLeft } = await limiter.consume(key, count);
      return { place, msLeft };
    } catch (refusal) {
      if (!(refusal instanceof RateLimiterRes)) throw refusal;
      const { consumedPoints, msBeforeNext: msLeft } = refusal;
      // Refused from memory, the library counts nothing: everybody is one too many.
      return { place: consumedPoints === 0 ? calls + count : consumedPoints, msLeft };
    }
  }

  return {
    count(key) {
      const call = Promise.withResolvers<Standing>();
      const queue = waiting.get(key);
      if (queue) queue.push(call);
      else {
        waiting.set(key, [call]);
        void countWaiting(key);
      }
      return call.promise;
    },
    async giveBack(key) {
      const { consumedPoints, msBeforeNext: msLeft } = await limiter.reward(key);
      // The window in which the place was taken has ended, so there was nothing to give back in this one.
      if (consumedPoints < 0) await limiter.penalty(key);
      // The key is among those that are refused from memory if this place was the last. The library forgets all or none;
      // those that are still used up are refused by the database once more.
      limiter.deleteInMemoryBlockedAll();
      return { place: Math.max(0, consumedPoints), msLeft };
    },
    usedUpForMs: (key) => (limiter as unknown as Blocking).getInMemoryBlockMsBeforeExpire(limiter.getKey(key)),
  };
}
