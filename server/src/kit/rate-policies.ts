/**
 * The rate limits: how many calls of each kind are allowed in a number of seconds. `RATE_LIMITS` turns them off or
 * replaces some of them.
 */

export interface RatePolicy {
  calls: number;
  seconds: number;
}

const standardPolicies = {
  /** API calls of a merchant in each mode. */
  test: { calls: 250, seconds: 10 },
  live: { calls: 1000, seconds: 10 },
  /** Lists as CSV, of a merchant in each mode. Each call reads the whole list. */
  csv: { calls: 10, seconds: 60 },
  /** Test events to one endpoint. For each test event our servers send a request. */
  test_event: { calls: 10, seconds: 60 },
  /** Rejected API keys and sessions from one network: an IPv4 address or a /64 of IPv6. */
  refused_key: { calls: 60, seconds: 60 },
  /**
   * Calls that are refused before a merchant's limit counts them. Calls with a valid key or session are counted for
   * that key or session. Other calls are counted for each network, in three separate counts: calls with a credential,
   * calls without a credential, and sign-ins.
   */
  refused_call: { calls: 300, seconds: 60 },
  /** Cards submitted for one checkout session, and from one network. */
  checkout: { calls: 6, seconds: 60 },
  checkout_hourly: { calls: 20, seconds: 3600 },
  checkout_address: { calls: 60, seconds: 60 },
  /** Test checkouts started on the home page, from one network. */
  test_checkout: { calls: 10, seconds: 60 },
  /** Wrong passwords at sign-in from one network, for all emails together. */
  sign_in: { calls: 10, seconds: 60 },
  /** Wrong passwords for one email from one network, or within the sessions of one user. */
  password: { calls: 30, seconds: 900 },
  /** Wrong codes of two-step sign-in for one user after the correct password, from all networks together. */
  code: { calls: 10, seconds: 3600 },
} satisfies Record<string, RatePolicy>;

export type RatePolicyName = keyof typeof standardPolicies;

export type RatePolicies = Readonly<Record<RatePolicyName, RatePolicy>>;

const entry = /^\s*([a-z_]+)\s*[:=]\s*([1-9]\d{0,8})\s*\/\s*([1-9]\d{0,6})\s*$/;

/**
 * Parses `on`, `off` (returns null), or a list of limits that replace the standard limits, each with calls and
 * seconds, such as `test:500/10,sign_in:5/60`. Throws an error with the valid format.
 */
export function parseRatePolicies(text: string): RatePolicies | null {
  if (text === 'off') return null;
  if (text === 'on') return standardPolicies;
  const policies: Record<RatePolicyName, RatePolicy> = { ...standardPolicies };
  for (const item of text.split(',')) {
    const [, name = '', calls, seconds] = entry.exec(item) ?? [];
    if (!isPolicyName(name)) {
      throw new Error(
        `must be on, off, or a list of name:calls/seconds with names of ${Object.keys(policies).join(', ')}`,
      );
    }
    policies[name] = { calls: Number(calls), seconds: Number(seconds) };
  }
  return policies;
}

function isPolicyName(name: string): name is RatePolicyName {
  return Object.hasOwn(standardPolicies, name);
}
