/** A session is a row, so a sign-out ends it for all processes. Only a hash of the token is stored. */
import type { Context, WithPrincipal, WriteContext } from '../../context.ts';
import { AppError, notFound } from '../../kit/errors.ts';
import { hashToken, newId, newToken } from '../../kit/ids.ts';
import type { Page, Paged } from '../../kit/pagination.ts';
import { run } from '../../platform/database/statement.ts';
import { noteAct } from '../audit/audit.service.ts';
import { lockWithMerchant } from '../merchants/merchants.service.ts';
import { Passkey } from '../passkeys/passkey.entity.ts';
import { refusedPasskey } from '../passkeys/passkeys.service.ts';
import { requireCode, requireNoPasskey, userIdOf } from './codes.service.ts';
import { DashboardSession, sessionIdleMs, sessionLifeMs } from './dashboard-session.entity.ts';
import { DashboardUser } from './dashboard-user.entity.ts';
import { reportNewBrowser } from './known-browsers.service.ts';

export async function openSession(context: WriteContext, { id, passwordHash }: DashboardUser, code?: string) {
  const user = await lockWithMerchant(context, DashboardUser, { id, passwordHash });
  // The password may have been reset while the sent password was checked. Then the hash has changed.
  if (!user) throw new AppError('invalid_credentials', 'The email or the password is wrong');
  if (user.isSuspended()) throw suspended();
  await requireCode(context, user, code);
  await requireNoPasskey(context, user);
  return beginSession(context, user, { action: 'signIn' });
}

/** Choice: the session of a user with a passkey needs no code, because a passkey is two steps by itself. */
export async function openSessionByPasskey(context: WriteContext, { id: passkeyId, userId }: Passkey) {
  const user = await lockWithMerchant(context, DashboardUser, { id: userId });
  // The passkey or its user may have been removed while the signature was checked.
  if (!user || !(await context.em.findOne(Passkey, { id: passkeyId }, { refresh: true }))) throw refusedPasskey();
  return beginSession(context, user, { action: 'signInWithPasskey', passkeyId });
}

interface Beginning {
  action: 'signIn' | 'signInWithCompany' | 'signInWithPasskey' | 'acceptInvitation';
  hasTwoFactors?: boolean;
  passkeyId?: string | null;
}

/** The user's row is locked, and the caller has checked that it is the user. */
export async function beginSession(
  context: WriteContext,
  user: DashboardUser,
  { action, hasTwoFactors = false, passkeyId = null }: Beginning,
) {
  if (user.isSuspended()) throw suspended();
  const now = context.clock.now();
  const token = newToken();
  const dates = { createdAt: now, lastSeenAt: now };
  const { address = null, browser = null } = context.client ?? {};
  const known = { id: newId(), tokenHash: hashToken(token), user, address, browser };
  const steps = { hasTwoFactors, passkeyId };
  const session = Object.assign(new DashboardSession(), { ...known, ...steps, ...dates });
  context.em.persist(session);
  noteAct(context, { merchantId: user.merchant.id, mode: null, by: user, action, subject: null });
  await removeOldSessions(context, now);
  await reportNewBrowser(context, user);
  return { session, token };
}

export async function findSession(context: Context, token: string): Promise<DashboardSession | null> {
  const session = await context.em.findOne(
    DashboardSession,
    { tokenHash: hashToken(token) },
    { populate: ['user.merchant'] },
  );
  return session?.isOver(context.clock.now()) ? null : session;
}

export async function touchSession(context: WriteContext, { tokenHash }: DashboardSession): Promise<void> {
  const session = await context.em.findOne(DashboardSession, { tokenHash });
  if (session) session.lastSeenAt = context.clock.now();
}

export async function getCallingSession(context: Context & WithPrincipal): Promise<DashboardSession> {
  const { actor } = context.principal;
  const session =
    actor.type === 'user'
      ? await context.em.findOne(DashboardSession, { tokenHash: actor.sessionHash }, { populate: ['user.merchant'] })
      : null;
  if (!session) throw new AppError('invalid_session', 'The session has just ended');
  return session;
}

export async function closeSession(context: WriteContext, { tokenHash }: DashboardSession): Promise<void> {
  await run(context)`delete from dashboard_session where token_hash = ${tokenHash}`;
}

export async function listOwnSessions(context: Context & WithPrincipal, page: Page): Promise<Paged<DashboardSession>> {
  const now = context.clock.now().getTime();
  const where = {
    user: userIdOf(context),
    createdAt: { $gt: new Date(now - sessionLifeMs) },
    lastSeenAt: { $gt: new Date(now - sessionIdleMs) },
  };
  const orderBy = { createdAt: 'desc', id: 'desc' } as const;
  const [records, total] = await context.em.findAndCount(DashboardSession, where, { ...page, orderBy });
  return { records, total };
}

export async function endOwnSession(context: WriteContext & WithPrincipal, id: string): Promise<DashboardSession> {
  const session = await context.em.findOne(DashboardSession, { id, user: userIdOf(context) });
  if (!session) throw notFound();
  await closeSession(context, session);
  return session;
}

export async function endOtherSessions(context: WriteContext & WithPrincipal): Promise<void> {
  const { actor } = context.principal;
  if (actor.type !== 'user') return;
  const { userId, sessionHash } = actor;
  await run(context)`
    delete from dashboard_session where user_id = ${userId} and token_hash <> ${Buffer.from(sessionHash)}`;
}

async function removeOldSessions(context: WriteContext, now: Date): Promise<void> {
  const oldest = new Date(now.getTime() - sessionLifeMs);
  await run(context)`delete from dashboard_session where created_at <= ${oldest}`;
}

const suspended = () => new AppError('merchant_suspended', 'This merchant is suspended');
