/**
 * Limits how often a password or code may be wrong. Each try is counted before the password is checked, so that of
 * many concurrent tries only the allowed number is checked. The count is taken back unless the password was wrong, so
 * a correct sign-in does not use up the limit.
 * See docs/decisions/auth.md, "Only wrong passwords are counted".
 */
import { AppError } from '../kit/errors.ts';
import type { RatePolicyName } from '../kit/rate-policies.ts';
import type { RateLimits, RateState } from './rate-limits.ts';

/** A rate limit, and the key under which this limit counts the tries. */
export interface CountedLimit {
  policy: RatePolicyName;
  key: string;
}

interface Guessing {
  limits: RateLimits;
  countedLimits: readonly CountedLimit[];
  /** Called with the state of a limit after the limit counted a try, and after the count was taken back. */
  tell?: (state: RateState) => void;
}

/**
 * Runs the work of one try, which fails with `invalid_credentials` or `invalid_code` when the try was wrong. When one
 * limit refuses a try, the other limits still count the try. Otherwise a caller could repeat the try without end.
 */
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

/**
 * Whether the counts of a failed try stay: after a wrong try, and when a limit whose key became known only during the
 * work refused the try.
 */
function staysCounted(error: unknown): boolean {
  return error instanceof AppError && ['invalid_credentials', 'invalid_code', 'rate_limited'].includes(error.code);
}

async function giveBack({ limits, countedLimits, tell }: Required<Guessing>): Promise<void> {
  for (const { policy, key } of countedLimits) {
    const state = await limits.giveBack(policy, key);
    if (state) tell(state);
  }
}

/**
 * The key under which wrong passwords of a sign-in are counted. Another limit counts wrong passwords by network alone.
 * Choice: the key is email and network together, because otherwise anyone who knows a user's email could use up the
 * limit from another network and lock the user out.
 */
export function signInKey(email: string, network: string): string {
  return `${email.toLowerCase()} ${network}`;
}
