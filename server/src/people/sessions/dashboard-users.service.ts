import { LockMode, raw } from '@mikro-orm/core';
import type { Context, WithPrincipal, WriteContext } from '../../context.ts';
import { canonicalEmail, formsOfEmail } from '../../kit/email.ts';
import { AppError, invalid } from '../../kit/errors.ts';
import { newId } from '../../kit/ids.ts';
import type { Role } from '../../kit/permissions.ts';
import { run } from '../../platform/database/statement.ts';
import { Merchant } from '../merchants/merchant.entity.ts';
import { mailUser } from './account-mails.service.ts';
import { lockCallingUser, requireCode, type SecondStep } from './codes.service.ts';
import { endOtherSessions } from './dashboard-session.service.ts';
import { DashboardUser } from './dashboard-user.entity.ts';
import { hashPassword, isPassword } from './password.ts';

export interface SignIn {
  email: string;
  password: string;
}

/** An operator can work with all merchants, and sees this merchant first after the sign-in. */
export async function addDashboardUser(
  context: WriteContext,
  merchant: Merchant,
  { email, password, role = 'administrator' }: SignIn & { role?: Role },
) {
  if (await findUserByEmail(context, email)) throw invalid('invalid_parameter', 'email', `${email} is in use already`);
  const passwordHash = await hashPassword(password);
  newDashboardUser(context, { merchant, email, name: null, passwordHash, role });
}

type Known = Pick<DashboardUser, 'email' | 'name' | 'passwordHash' | 'role'> & { id?: string; merchant: Merchant };

/** Sets also what has a default in the database, because the user's first answer is made before the row is saved. */
export function newDashboardUser(context: WriteContext, known: Known): DashboardUser {
  const choices = { theme: 'system', timeZone: null, language: null, mailsOff: [], views: [] };
  const email = canonicalEmail(known.email);
  const own = { id: known.id ?? newId(), email, twoStepSecret: null, createdAt: context.clock.now() };
  const user = Object.assign(new DashboardUser(), { ...known, ...choices, ...own });
  context.em.persist(user);
  return user;
}

export function requirePasswordSignIn({ config }: Context): void {
  if (config.signIn.hasPasswords) return;
  throw new AppError(
    'password_sign_in_off',
    'Passwords are switched off here; sign in with a company account or a passkey',
  );
}

export async function findDashboardUser(context: Context, { email, password }: SignIn): Promise<DashboardUser | null> {
  const user = await findUserByEmail(context, email);
  return (await isPassword(password, user?.passwordHash)) ? user : null;
}

export async function getDashboardUser(context: Context, signIn: SignIn): Promise<DashboardUser> {
  const user = await findDashboardUser(context, signIn);
  if (!user) throw new AppError('invalid_credentials', 'The email or the password is wrong');
  return user;
}

export function listDashboardUsers({ em }: Context, merchantId?: string): Promise<DashboardUser[]> {
  const where = merchantId === undefined ? {} : { merchant: merchantId };
  return em.find(DashboardUser, where, { populate: ['merchant'], orderBy: { id: 'asc' } });
}

export async function findMerchantOfUser(context: Context, email: string): Promise<Merchant | null> {
  const user = await findUserByEmail(context, email);
  return user && context.em.findOne(Merchant, { id: user.merchant.id });
}

export async function getLockedUser(context: WriteContext, email: string): Promise<DashboardUser> {
  const user = await findUserByEmail(context, email, LockMode.PESSIMISTIC_WRITE);
  if (!user) throw new AppError('resource_not_found', `There is no user ${email}`);
  return user;
}

export async function resetPassword(context: WriteContext, { email, password }: SignIn): Promise<DashboardUser> {
  const user = await getLockedUser(context, email);
  await replacePassword(context, user, await hashPassword(password));
  await mailUser(context, user, 'password_changed');
  return user;
}

/** Ends all sessions of the user. Null removes the password. */
export async function replacePassword(
  tx: WriteContext,
  user: DashboardUser,
  passwordHash: string | null,
): Promise<void> {
  await setPassword(tx, user, passwordHash);
  await run(tx)`delete from dashboard_session where user_id = ${user.id}`;
}

/** Also ends the links that were sent to the user, because a link that is left over could replace the new password. */
async function setPassword(tx: WriteContext, user: DashboardUser, passwordHash: string | null): Promise<void> {
  user.passwordHash = passwordHash;
  await run(tx)`delete from password_reset where lower(email) = ${canonicalEmail(user.email).toLowerCase()}`;
}

export async function changePassword(
  context: WriteContext & WithPrincipal,
  { passwordHash, code }: { passwordHash: string; code: SecondStep },
): Promise<void> {
  const user = await lockCallingUser(context);
  await requireCode(context, user, code);
  await setPassword(context, user, passwordHash);
  await endOtherSessions(context);
  await mailUser(context, user, 'password_changed');
}

export async function requirePassword(context: Context & WithPrincipal, password: string): Promise<void> {
  const { actor } = context.principal;
  if (actor.type !== 'user') throw new Error('The caller is an API key, which has no password.');
  if (await findDashboardUser(context, { email: actor.email, password })) return;
  context.log.warn({ userId: actor.userId }, 'A signed-in user sent a wrong password');
  throw new AppError('invalid_credentials', 'The password is wrong');
}

export function findUserByEmail(context: Context, email: string, lockMode?: LockMode): Promise<DashboardUser | null> {
  return context.em.findOne(DashboardUser, { [raw('lower(email)')]: { $in: formsOfEmail(email) } }, { lockMode });
}
