/**
 * Each check locks the user's row, so that a code that is sent twice at the same moment is accepted once.
 * See docs/decisions/auth.md, "A code of two-step sign-in works once".
 */

import { createHash } from 'node:crypto';
import { LockMode } from '@mikro-orm/core';
import { sql } from 'kysely';
import type { Principal, WithPrincipal, WriteContext } from '../../context.ts';
import { AppError } from '../../kit/errors.ts';
import { newRecoveryCode } from '../../kit/ids.ts';
import { run } from '../../platform/database/statement.ts';
import { DashboardUser } from './dashboard-user.entity.ts';
import { normaliseCode, timeStepOf } from './two-step.ts';

export async function requireCode(context: WriteContext, locked: DashboardUser, code: string | undefined) {
  if (!locked.twoStepSecret) return;
  if (code === undefined) {
    throw new AppError(
      'two_step_required',
      'This user signs in by two steps: send a code of the authenticator as well',
    );
  }
  if (!(await isAccepted(context, locked, normaliseCode(code)))) throw wrongCode();
}

export async function requireOwnCode(context: WriteContext & WithPrincipal, code: string | undefined): Promise<void> {
  await requireCode(context, await lockCallingUser(context), code);
}

/** Reads the user's row again, because an earlier read in this call may be out of date. */
export async function lockCallingUser(context: WriteContext & WithPrincipal): Promise<DashboardUser> {
  const { actor } = context.principal;
  if (actor.type !== 'user') throw new Error('The caller is an API key, which has no user.');
  const user = await context.em.findOne(
    DashboardUser,
    { id: actor.userId },
    { lockMode: LockMode.PESSIMISTIC_WRITE, refresh: true, populate: ['merchant'], strategy: 'select-in' },
  );
  if (!user) throw new AppError('invalid_session', 'The user has just been removed');
  return user;
}

// Choice: used and wrong codes give the same error, because a stranger must not learn that a used code was right.
export function wrongCode(): AppError {
  return new AppError('invalid_code', 'The code is wrong, or was used already');
}

/** A code of an authenticator has six digits. Any other text can only be a recovery code. */
export const isSixDigits = (code: string): boolean => /^\d{6}$/.test(normaliseCode(code));

interface Guess {
  input: object;
  principal: Principal | undefined;
}

/** Guesses are counted by user, from any network address. Six-digit codes share one limit with the codes at sign-in. */
export const callerGuessLimits = [
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
  if (!isSixDigits(code)) return consumeRecoveryCode(context, user, code);
  const secret = context.sealer.open(user.twoStepSecret ?? '', user.id);
  const step = timeStepOf(code, secret, context.clock.now());
  return step !== null && user.useStep(step);
}

const recoveryCodes = 10;

export async function replaceRecoveryCodes(context: WriteContext, user: DashboardUser): Promise<string[]> {
  await removeRecoveryCodes(context, user);
  const codes = Array.from({ length: recoveryCodes }, newRecoveryCode);
  const rows = codes.map((code) => sql`(${user.id}, ${hash(user, code)})`);
  await run(context)`insert into recovery_code (user_id, hash) values ${sql.join(rows)}`;
  return codes;
}

export async function removeRecoveryCodes(tx: WriteContext, { id }: DashboardUser): Promise<void> {
  await run(tx)`delete from recovery_code where user_id = ${id}`;
}

async function consumeRecoveryCode(tx: WriteContext, user: DashboardUser, code: string): Promise<boolean> {
  return (await run(tx)`delete from recovery_code where user_id = ${user.id} and hash = ${hash(user, code)}`) > 0;
}

/** A plain SHA-256 is enough, because a code has 80 random bits and cannot be guessed. */
function hash({ id }: DashboardUser, code: string): Buffer {
  return createHash('sha256')
    .update(`${id} ${normaliseCode(code)}`)
    .digest();
}
