/**
 * An attempt is counted before its password or code is checked, so that concurrent attempts cannot exceed the limit.
 * The count is taken back unless the password or code was wrong.
 * See docs/decisions/auth.md, "Only wrong passwords are counted".
 */
import { canonicalEmail } from '../kit/email.ts';
import { AppError } from '../kit/errors.ts';
import type { RatePolicyName } from '../kit/rate-policies.ts';
import type { RateLimits, RateState } from './rate-limits.ts';

export interface CountedLimit {
  policy: RatePolicyName;
  key: string;
}

interface Guessing {
  limits: RateLimits;
  countedLimits: readonly CountedLimit[];
  tell?: (state: RateState) => void;
}

/** If a limit refuses an attempt, the limits that were counted before it still count the attempt. */
export async function countingGuesses<Answer>(
  { limits, countedLimits, tell = () => {} }: Guessing,
  work: () => Promise<Answer>,
): Promise<Answer> {
  const counted: CountedLimit[] = [];
  for (const limit of countedLimits) {
    const state = await limits.count(limit.policy, limit.key);
    if (!state) continue;
    counted.push(limit);
    tell(state);
  }
  try {
    const answer = await work();
    await giveBack({ limits, countedLimits: counted, tell });
    return answer;
  } catch (error) {
    if (!staysCounted(error)) await giveBack({ limits, countedLimits: counted, tell });
    throw error;
  }
}

/** `rate_limited` comes from a limit whose key becomes known only during the check, such as the limit of a user. */
function staysCounted(error: unknown): boolean {
  return error instanceof AppError && ['invalid_credentials', 'invalid_code', 'rate_limited'].includes(error.code);
}

async function giveBack({ limits, countedLimits, tell }: Required<Guessing>): Promise<void> {
  for (const { policy, key } of countedLimits) {
    const state = await limits.giveBack(policy, key);
    if (state) tell(state);
  }
}

/** Choice: the key of the limit contains the network. Otherwise anyone who knows an email could lock its user out. */
export function signInKey(email: string, network: string): string {
  return `${canonicalEmail(email).toLowerCase()} ${network}`;
}
