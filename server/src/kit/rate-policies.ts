export interface RatePolicy {
  calls: number;
  seconds: number;
}

const standardPolicies = {
  test: { calls: 250, seconds: 10 },
  live: { calls: 1000, seconds: 10 },
  /** A list as CSV: each call reads the whole list. */
  csv: { calls: 10, seconds: 60 },
  /** For each test event our servers send a request. */
  test_event: { calls: 10, seconds: 60 },
  /** Rejected API keys and sessions from one network: an IPv4 address or a /64 of IPv6. */
  refused_key: { calls: 60, seconds: 60 },
  /** Calls that are refused before a merchant's limit counts them. */
  refused_call: { calls: 300, seconds: 60 },
  /** Cards submitted for one checkout session, and from one network. */
  checkout: { calls: 6, seconds: 60 },
  checkout_hourly: { calls: 20, seconds: 3600 },
  checkout_address: { calls: 60, seconds: 60 },
  /** Checkouts that the customers of payment links begin in one network. Many customers may share a network. */
  payment_link: { calls: 60, seconds: 60 },
  test_checkout: { calls: 10, seconds: 60 },
  /** Wrong passwords from one network, for all emails together. */
  sign_in: { calls: 10, seconds: 60 },
  /** Sign-ins by passkey that were begun in one network. The sign-in page begins one when it is opened. */
  passkey_begin: { calls: 60, seconds: 60 },
  /** Wrong passwords for one email from one network, or within the sessions of one user. */
  password: { calls: 30, seconds: 900 },
  /** Wrong codes of two-step sign-in for one user, from all networks together. */
  code: { calls: 10, seconds: 3600 },
  /** Steps of sign-ins with a company account from one network: each sign-in takes two or three. */
  company_sign_in: { calls: 120, seconds: 60 },
  /** Requests for a new password, for one email from all networks together: each may send a mail. */
  reset_email: { calls: 5, seconds: 3600 },
  /** Requests for a new password, and links that are opened, from one network. */
  reset_network: { calls: 30, seconds: 3600 },
  /** Tokens of invitations from one network. */
  invitation_token: { calls: 30, seconds: 60 },
  /** Invitations of one merchant, each of which sends a mail. */
  invitation: { calls: 50, seconds: 86_400 },
} satisfies Record<string, RatePolicy>;

export type RatePolicyName = keyof typeof standardPolicies;

export type RatePolicies = Readonly<Record<RatePolicyName, RatePolicy>>;

const entry = /^\s*([a-z_]+)\s*[:=]\s*([1-9]\d{0,8})\s*\/\s*([1-9]\d{0,6})\s*$/;

/** Returns null for `off`. A list of limits replaces some standard limits: `test:500/10,sign_in:5/60`. */
export function parseRatePolicies(text: string): RatePolicies | null {
  if (text === 'off') return null;
  if (text === 'on') return standardPolicies;
  const policies: Record<RatePolicyName, RatePolicy> = { ...standardPolicies };
  for (const item of text.split(',')) {
    const [, name = '', calls, seconds] = entry.exec(item) ?? [];
    if (!isPolicyName(name)) {
      throw new Error(
        `must be on, off, or a list of name:calls/seconds, where the names are ${Object.keys(policies).join(', ')}`,
      );
    }
    policies[name] = { calls: Number(calls), seconds: Number(seconds) };
  }
  return policies;
}

function isPolicyName(name: string): name is RatePolicyName {
  return Object.hasOwn(standardPolicies, name);
}
