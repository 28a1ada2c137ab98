/**
 * The codes that a user with two-step sign-in gives: six digits of the authenticator application, or a recovery code. Whatever
 * looks at one holds the user's row lock, so that a code that comes twice at the same moment is accepted once.
 * See docs/decisions/auth.md, "A code of two-step sign-in works once".
 */
import { LockMode } from '@mikro-orm/core';
import type { Called, Principal, WriteContext } from '../../context.ts';
import { AppError } from '../../kit/errors.ts';
import { DashboardUser } from './dashboard-user.entity.ts';
import { useUpRecoveryCode } from './recovery-codes.service.ts';
import { timeStepOf, withoutGaps } from './two-step.ts';

/** Throws unless the user has no two-step sign-in, or this is a code of theirs that was not used before. */
export async function requireCode(context: WriteContext, locked: DashboardUser, code: string | undefined) {
  if (!locked.twoStepSecret) return;
  if (code === undefined) {
    throw new AppError(
      'two_step_required',
      'This user signs in by two steps: send a code of the authenticator as well',
    );
  }
  if (!(await isAccepted(context, locked, withoutGaps(code)))) throw wrongCode();
}

/** The same for the user who is calling. */
export async function requireOwnCode(context: WriteContext & Called, code: string | undefined): Promise<void> {
  await requireCode(context, await lockCallingUser(context), code);
}

/** Read again from the database: what this call read before it had the lock may be out of date. */
export async function lockCallingUser(context: WriteContext & Called): Promise<DashboardUser> {
  const { actor } = context.principal;
  if (actor.type !== 'user') throw new Error('A key has no user.');
  const user = await context.em.findOne(
    DashboardUser,
    { id: actor.userId },
    { lockMode: LockMode.PESSIMISTIC_WRITE, refresh: true, populate: ['merchant'], strategy: 'select-in' },
  );
  if (!user) throw new AppError('invalid_session', 'The user has just been removed');
  return user;
}

// Choice: one code for a wrong and for a used one, because a stranger must not learn that a code was right.
export function wrongCode(): AppError {
  return new AppError('invalid_code', 'The code is wrong, or was used already');
}

/** Whether it is typed like a code of an authenticator; anything else can only be a recovery code. */
export const isSixDigits = (code: string): boolean => /^\d{6}$/.test(withoutGaps(code));

interface Guess {
  input: object;
  principal: Principal | undefined;
}

/**
 * The limits of whatever asks a signed-in user for the password or a code once more. All such guesses of a user count together,
 * whichever network they come from, and wrong six-digit codes count together with those of the sign-in.
 */
export const guessesOfCaller = [
  { policy: 'password', by: ({ principal }: Guess) => `user ${userIdOf(principal)}`, ofGuesses: true },
  {
    policy: 'code',
    by: ({ input, principal }: Guess) => (hasSixDigits(input) ? userIdOf(principal) : null),
    ofGuesses: true,
  },
] as const;

function userIdOf(principal: Principal | undefined): string {
  return principal?.actor.type === 'user' ? principal.actor.userId : '';
}

function hasSixDigits({ body }: { body?: { code?: unknown } }): boolean {
  return typeof body?.code === 'string' && isSixDigits(body.code);
}

async function isAccepted(context: WriteContext, user: DashboardUser, code: string): Promise<boolean> {
  if (!isSixDigits(code)) return useUpRecoveryCode(context, user, code);
  const secret = context.sealer.open(user.twoStepSecret ?? '', user.id);
  const step = timeStepOf(code, secret, context.clock.now());
  return step !== null && user.useStep(step);
}
