/** A session is a row, so a sign-out ends it for all processes. Only a hash of the token is stored. */
import { createHash } from 'node:crypto';
import { LockMode } from '@mikro-orm/core';
import type { Context, WithPrincipal, WriteContext } from '../../context.ts';
import { AppError, notFound } from '../../kit/errors.ts';
import { newId, newSessionToken } from '../../kit/ids.ts';
import type { Page, Paged } from '../../kit/pagination.ts';
import { run } from '../../platform/database/statement.ts';
import { noteAct } from '../audit/audit.service.ts';
import { requireCode } from './codes.service.ts';
import { DashboardSession, sessionIdleMs, sessionLifeMs } from './dashboard-session.entity.ts';
import { DashboardUser } from './dashboard-user.entity.ts';

export async function openSession(context: WriteContext, { id, passwordHash }: DashboardUser, code?: string) {
  const user = await context.em.findOne(
    DashboardUser,
    { id, passwordHash },
    { populate: ['merchant'], strategy: 'select-in', lockMode: LockMode.PESSIMISTIC_WRITE, refresh: true },
  );
  // The password may have been reset while the sent password was checked. Then the hash has changed.
  if (!user) throw new AppError('invalid_credentials', 'The email or the password is wrong');
  if (user.isSuspended()) throw new AppError('merchant_suspended', 'This merchant is suspended');
  await requireCode(context, user, code);
  return beginSession(context, user, { action: 'signIn' });
}

interface Beginning {
  action: 'signIn' | 'signInWithCompany';
  hasTwoFactors?: boolean;
}

/** The user's row is locked, and the caller has checked that it is the user. */
export async function beginSession(
  context: WriteContext,
  user: DashboardUser,
  { action, hasTwoFactors = false }: Beginning,
) {
  if (user.isSuspended()) throw new AppError('merchant_suspended', 'This merchant is suspended');
  const now = context.clock.now();
  const token = newSessionToken();
  const dates = { createdAt: now, lastSeenAt: now };
  const { address = null, browser = null } = context.client ?? {};
  const known = { id: newId(), tokenHash: hash(token), user, address, browser, hasTwoFactors };
  const session = Object.assign(new DashboardSession(), { ...known, ...dates });
  context.em.persist(session);
  noteAct(context, { merchantId: user.merchant.id, mode: null, by: user, action, subject: null });
  await removeOldSessions(context, now);
  return { session, token };
}

export async function findSession(context: Context, token: string): Promise<DashboardSession | null> {
  const session = await context.em.findOne(
    DashboardSession,
    { tokenHash: hash(token) },
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
    user: userOf(context),
    createdAt: { $gt: new Date(now - sessionLifeMs) },
    lastSeenAt: { $gt: new Date(now - sessionIdleMs) },
  };
  const orderBy = { createdAt: 'desc', id: 'desc' } as const;
  const [records, total] = await context.em.findAndCount(DashboardSession, where, { ...page, orderBy });
  return { records, total };
}

export async function endOwnSession(context: WriteContext & WithPrincipal, id: string): Promise<DashboardSession> {
  const session = await context.em.findOne(DashboardSession, { id, user: userOf(context) });
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

function userOf({ principal: { actor } }: WithPrincipal): string {
  if (actor.type !== 'user') throw new Error('The caller is an API key, which has no sessions.');
  return actor.userId;
}

async function removeOldSessions(context: WriteContext, now: Date): Promise<void> {
  const oldest = new Date(now.getTime() - sessionLifeMs);
  await run(context)`delete from dashboard_session where created_at <= ${oldest}`;
}

function hash(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}
