/** A signed-in user proves again who calls: by the password and a code, by a passkey, or by a new sign-in. */
import { LockMode } from '@mikro-orm/core';
import type { Context, WithPrincipal, WriteContext } from '../../context.ts';
import { AppError, invalid } from '../../kit/errors.ts';
import { inTransaction } from '../../platform/database/transaction.ts';
import type { Ceremony } from '../passkeys/challenges.service.ts';
import { Passkey } from '../passkeys/passkey.entity.ts';
import { type Assertion, checkAssertion, refusedPasskey, type Signed } from '../passkeys/passkeys.service.ts';
import { mailUser } from './account-mails.service.ts';
import { provenByPasskey, requireNoPasskey, type SecondStep, userIdOf } from './codes.service.ts';
import { getCallingSession } from './dashboard-session.service.ts';
import { DashboardUser } from './dashboard-user.entity.ts';
import { requirePassword } from './dashboard-users.service.ts';

interface Proof {
  password?: string;
  code?: string;
  passkey?: Assertion;
}

/** Returns the second step, which the operation checks under the lock of the user's row. */
export async function requireProof(
  context: Context & WithPrincipal,
  { password, code, passkey }: Proof,
): Promise<SecondStep> {
  const userId = userIdOf(context);
  if (passkey) {
    await requirePasskey(context, { name: 'proof', subject: userId }, passkey);
    return provenByPasskey;
  }
  const hasTwoFactors = password === undefined && (await requireFreshSession(context));
  if (password !== undefined) await requirePassword(context, password);
  const user = await context.em.findOne(DashboardUser, { id: userId }, { populate: ['merchant'] });
  if (user && !hasTwoFactors) await requireNoPasskey(context, user);
  return code;
}

// See docs/decisions/auth.md, "A user without a password signs in again".
async function requireFreshSession(context: Context & WithPrincipal): Promise<boolean> {
  const session = await getCallingSession(context);
  if (session.proof() !== 'company') throw invalid('missing_parameter', 'password', 'is required');
  if (session.isFresh(context.clock.now())) return session.hasTwoFactors;
  throw new AppError(
    'recent_sign_in_required',
    'Sign in again with your company account, and repeat this within ten minutes',
  );
}

/** A counter that went back is recorded in a separate transaction, because the call fails. */
export async function requirePasskey(context: Context, ceremony: Ceremony, answer: Assertion): Promise<Passkey> {
  const signed = await checkAssertion(context, ceremony, answer);
  const use = signed && (await inTransaction(context, (tx) => recordUse(tx, signed)));
  if (!use) throw refusedPasskey();
  if (use.isCopy) {
    throw new AppError(
      'invalid_credentials',
      'This passkey is refused, because an attacker may have a copy of it: sign in another way, and remove it',
    );
  }
  return use.passkey;
}

async function recordUse(tx: WriteContext, { passkey: { id }, counter }: Signed) {
  const passkey = await tx.em.findOne(Passkey, { id }, { lockMode: LockMode.PESSIMISTIC_WRITE, refresh: true });
  if (!passkey) return null;
  const now = tx.clock.now();
  if (passkey.isTrusted(counter)) {
    passkey.use(counter, now);
    return { passkey, isCopy: false };
  }
  const counters = { stored: passkey.counter, sent: counter };
  tx.log.warn({ passkeyId: id, userId: passkey.userId, counters }, 'Refused a passkey that may have been copied');
  const user = passkey.noteCopy(now) && (await tx.em.findOne(DashboardUser, { id: passkey.userId }));
  if (user) await mailUser(tx, user, 'passkey_copied', { Passkey: passkey.name });
  return { passkey, isCopy: true };
}
