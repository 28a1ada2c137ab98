/**
 * Each check locks the user's row, so that a code that is sent twice at the same moment is accepted once.
 * See docs/decisions/auth.md, "A code of two-step sign-in works once".
 */

import { sql } from 'kysely';
import type { Context, Principal, WithPrincipal, WriteContext } from '../../context.ts';
import { AppError } from '../../kit/errors.ts';
import { hashToken, newRecoveryCode } from '../../kit/ids.ts';
import { run } from '../../platform/database/statement.ts';
import { lockWithMerchant } from '../merchants/merchants.service.ts';
import { hasPasskey } from '../passkeys/passkeys.service.ts';
import { DashboardUser } from './dashboard-user.entity.ts';
import { normaliseCode, timeStepOf } from './two-step.ts';

/** Says that the caller has proved both steps by a passkey, so that no code is needed. */
export const provenByPasskey: unique symbol = Symbol('proven by a passkey');

export type SecondStep = string | undefined | typeof provenByPasskey;

export async function requireCode(context: WriteContext, locked: DashboardUser, code: SecondStep) {
  if (!locked.twoStepSecret || code === provenByPasskey) return;
  if (code === undefined) {
    throw new AppError(
      'two_step_required',
      'This user signs in by two steps: send a code of the authenticator as well',
    );
  }
  if (!(await isAccepted(context, locked, normaliseCode(code)))) throw wrongCode();
}

// The password is only one step. With it alone, an attacker could add a passkey or an authenticator application.
export async function requireNoPasskey(context: Context, user: DashboardUser): Promise<void> {
  if (!user.lacksTwoStep() || !(await hasPasskey(context, user.id))) return;
  throw new AppError(
    'passkey_required',
    'The merchant requires two steps, and yours is a passkey: use it in place of the password',
  );
}

export async function requireOwnCode(context: WriteContext & WithPrincipal, code: SecondStep): Promise<void> {
  await requireCode(context, await lockCallingUser(context), code);
}

/** Reads the user's row again, because an earlier read in this call may be out of date. */
export async function lockCallingUser(context: WriteContext & WithPrincipal): Promise<DashboardUser> {
  const user = await lockWithMerchant(context, DashboardUser, { id: userIdOf(context) });
  if (!user) throw new AppError('invalid_session', 'The user has just been removed');
  return user;
}

export function userIdOf({ principal: { actor } }: WithPrincipal): string {
  if (actor.type !== 'user') throw new Error('The caller is an API key, which has no user.');
  return actor.userId;
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
  { policy: 'password', by: ({ principal }: Guess) => `user ${countedUser(principal)}`, ofGuesses: true },
  {
    policy: 'code',
    by: ({ input, principal }: Guess) => (hasSixDigits(input) ? countedUser(principal) : null),
    ofGuesses: true,
  },
] as const;

function countedUser(principal: Principal | undefined): string {
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
  return hashToken(`${id} ${normaliseCode(code)}`);
}
