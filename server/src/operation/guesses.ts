/**
 * Limits passwords and codes by how often they were wrong. A try takes its place in the limit before the password is checked, so that many
 * tries at once cannot all be checked before the first is found wrong. It gives the place back unless the password was wrong:
 * correct sign-ins use nothing up.
 * See docs/decisions/auth.md, "Only wrong passwords are counted".
 */
import { AppError } from '../kit/errors.ts';
import type { RatePolicyName } from '../kit/rate-policies.ts';
import type { RateLimits, RateState } from './rate-limits.ts';

/** What a try is counted by. */
export interface Place {
  policy: RatePolicyName;
  key: string;
}

interface Guessing {
  limits: RateLimits;
  places: readonly Place[];
  /** Called with what is left, after each place was taken and again after it was given back. */
  tell?: (state: RateState) => void;
}

/**
 * Does the work of one try, which fails with `invalid_credentials` or `invalid_code` when it was wrong. A try that one limit refuses keeps the
 * places that it took in others, or it could be repeated without end.
 */
export async function countingGuesses<Answer>(
  { limits, places, tell = () => {} }: Guessing,
  work: () => Promise<Answer>,
): Promise<Answer> {
  const taken: Place[] = [];
  for (const place of places) {
    const state = await limits.count(place.policy, place.key);
    if (!state) continue;
    taken.push(place);
    tell(state);
  }
  try {
    const answer = await work();
    await giveBack({ limits, places: taken, tell });
    return answer;
  } catch (error) {
    if (!keepsItsPlace(error)) await giveBack({ limits, places: taken, tell });
    throw error;
  }
}

/** A wrong try, and one that a limit refused which was only known during the work. */
function keepsItsPlace(error: unknown): boolean {
  return error instanceof AppError && ['invalid_credentials', 'invalid_code', 'rate_limited'].includes(error.code);
}

async function giveBack({ limits, places, tell }: Required<Guessing>): Promise<void> {
  for (const { policy, key } of places) {
    const state = await limits.giveBack(policy, key);
    if (state) tell(state);
  }
}

/**
 * The key by which the passwords of a sign-in are counted, beside the network alone. Choice: email and network together, because
 * a stranger in another network could otherwise keep a user whose email is known from signing in.
 */
export function signInKey(email: string, network: string): string {
  return `${email.toLowerCase()} ${network}`;
}
