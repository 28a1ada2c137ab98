// See docs/decisions/requests.md, "Rate limits are counted in Postgres, and no call is limited while it is down".

import { AppError } from '../kit/errors.ts';
import type { Logger } from '../kit/logger.ts';
import type { RatePolicies, RatePolicy, RatePolicyName } from '../kit/rate-policies.ts';
import { inOwnTime } from '../kit/time-limits.ts';
import type { DatabaseAccess } from '../platform/database/connection/connections.ts';
import type { Metrics } from '../telemetry/metrics/metrics.ts';
import { type Counter, createCounter, type Position } from './rate-counter.ts';

export interface RateState {
  name: RatePolicyName;
  policy: RatePolicy;
  remaining: number;
  resetSeconds: number;
}

export interface RateLimits {
  /** Throws `rate_limited` above the limit. Returns null when limits are off or Postgres does not answer. */
  count(name: RatePolicyName, key: string): Promise<RateState | null>;
  giveBack(name: RatePolicyName, key: string): Promise<RateState | null>;
  /** Throws `rate_limited` if this process knows, without a query, that the key has used up its limit. */
  refuseUsedUp(name: RatePolicyName, key: string): void;
  stop(): Promise<void>;
}

interface RateLimitSettings {
  policies: RatePolicies | null;
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
/** `DATABASE_POOL_SIZE` does not include these connections. The guide `operations.md` counts them. */
const connections = 4;

export function createRateLimits({ policies, timeoutMs, database, log, metrics }: RateLimitSettings): RateLimits {
  if (!policies) return unlimited;
  const pool = database.withLimits({ statementMs: timeoutMs }).openPool(connections);
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
      const position = await inTime(timeoutMs, counterOf(name).count(key)).catch((error: unknown) => {
        metrics.uncountedCalls.inc({ limit: name });
        log.warn({ err: error }, 'Failed to count a call in its rate limit; the call is allowed');
        return null;
      });
      if (!position) return null;
      const state = stateOf(name, policy, position);
      if (position.rank > policy.calls) throw new RateLimited(state);
      return state;
    },
    async giveBack(name, key) {
      // A failure to take back a count is no reason to refuse the call, because the count ends with the window.
      const position = await inTime(timeoutMs, counterOf(name).giveBack(key)).catch((error: unknown) => {
        log.warn({ err: error }, 'Failed to take back the count of a call; the call stays counted');
        return null;
      });
      return position && stateOf(name, policies[name], position);
    },
    refuseUsedUp(name, key) {
      const msLeft = counterOf(name).usedUpForMs(key);
      const policy = policies[name];
      if (msLeft > 0) throw new RateLimited(stateOf(name, policy, { rank: policy.calls + 1, msLeft }));
    },
    stop: () => pool.end(),
  };
}

function stateOf(name: RatePolicyName, policy: RatePolicy, { rank, msLeft }: Position): RateState {
  const resetSeconds = Math.max(1, Math.ceil(msLeft / 1000));
  const remaining = Math.min(policy.calls, Math.max(0, policy.calls - rank));
  return { name, policy, remaining, resetSeconds };
}

function inTime<Result>(timeoutMs: number, counting: Promise<Result>): Promise<Result> {
  return inOwnTime(timeoutMs, counting, () => new Error(`Postgres did not answer within ${timeoutMs} ms`));
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

/** The headers `RateLimit` and `RateLimit-Policy`, as the draft of the IETF defines them. */
export function rateHeaders({ name, policy, remaining, resetSeconds }: RateState): Record<string, string> {
  return {
    RateLimit: `"${name}";r=${remaining};t=${resetSeconds}`,
    'RateLimit-Policy': `"${name}";q=${policy.calls};w=${policy.seconds}`,
  };
}
