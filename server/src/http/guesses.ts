/**
 * Passwords are limited by how often they were wrong. A try takes its place before the password is looked at, so that many
 * at once cannot all be looked at before the first was found wrong, and gives it back unless it was: who signs in correctly
 * uses nothing up.
 */
import type { Principal } from '../context.ts';
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
  /** Hears what is left, once each place was taken and again when it was given back. */
  tell?: (state: RateState) => void;
}

/**
 * Does the work of one try, which fails with `invalid_credentials` when it was wrong. A try that one limit refuses keeps the
 * places that it took in others: else it could be repeated without end.
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
    if (!isWrong(error)) await giveBack({ limits, places: taken, tell });
    throw error;
  }
}

/** As `countingGuesses`, for a page, which shows its form again: null where the password was wrong. */
export async function rightGuess<Answer>(guessing: Guessing, work: () => Promise<Answer>): Promise<Answer | null> {
  return countingGuesses(guessing, work).catch((error: unknown) => {
    if (isWrong(error)) return null;
    throw error;
  });
}

function isWrong(error: unknown): boolean {
  return error instanceof AppError && error.code === 'invalid_credentials';
}

async function giveBack({ limits, places, tell }: Required<Guessing>): Promise<void> {
  for (const { policy, key } of places) {
    const state = await limits.giveBack(policy, key);
    if (state) tell(state);
  }
}

/**
 * By what the passwords of a sign-in are counted, beside the network alone. Choice: by email and network together, because a
 * stranger elsewhere could otherwise keep somebody whose email is known from signing in.
 */
export function signInKey(email: string, network: string): string {
  return `${email.toLowerCase()} ${network}`;
}

export function signInPlaces(email: string, network: string): Place[] {
  return [
    { policy: 'sign_in', key: network },
    { policy: 'password', key: signInKey(email, network) },
  ];
}

/** By what a password is counted that somebody who is signed in gives once more, from wherever: no stranger comes so far. */
export function callerKey(principal: Principal | undefined): string {
  return principal?.actor.type === 'user' ? `user ${principal.actor.userId}` : '';
}
