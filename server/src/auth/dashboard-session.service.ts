/** Who is signed in to the dashboard. A session is a row, so signing out ends it everywhere; the token is stored hashed. */
import { createHash } from 'node:crypto';
import { LockMode } from '@mikro-orm/core';
import { sql } from 'kysely';
import { noteAct } from '../audit/audit.service.ts';
import type { Called, Context, WriteContext } from '../context.ts';
import { AppError } from '../kit/errors.ts';
import { newSessionToken } from '../kit/ids.ts';
import { DashboardSession, sessionLifeMs } from './dashboard-session.entity.ts';
import { DashboardUser } from './dashboard-user.entity.ts';

/** Begins a session. Its token is returned beside it, for the cookie: the only moment at which it can be read. */
export async function openSession(context: WriteContext, { id, passwordHash }: DashboardUser) {
  const user = await context.em.findOne(
    DashboardUser,
    { id, passwordHash },
    { populate: ['merchant'], strategy: 'select-in', lockMode: LockMode.PESSIMISTIC_WRITE },
  );
  // Whoever resets the password while it is looked at means that this session should not be.
  if (!user) throw new AppError('invalid_credentials', 'The email or the password is wrong');
  if (user.isShutOut()) throw new AppError('merchant_suspended', 'This merchant is suspended');
  const now = context.clock.now();
  const token = newSessionToken();
  const dates = { createdAt: now, lastSeenAt: now };
  const session = Object.assign(new DashboardSession(), { tokenHash: hash(token), user, ...dates });
  context.em.persist(session);
  const { merchant, email: userEmail } = user;
  noteAct(context, { merchantId: merchant.id, mode: null, userEmail, action: 'signIn', subject: null });
  await removeOldSessions(context, now);
  return { session, token };
}

/** The session of this token with its user and merchant, or null when there is none or it is over. */
export async function findSession(context: Context, token: string): Promise<DashboardSession | null> {
  const session = await context.em.findOne(
    DashboardSession,
    { tokenHash: hash(token) },
    { populate: ['user.merchant'] },
  );
  return session?.isOver(context.clock.now()) ? null : session;
}

/** Keeps a session in use from ending. */
export async function touchSession(context: WriteContext, { tokenHash }: DashboardSession): Promise<void> {
  const session = await context.em.findOne(DashboardSession, { tokenHash });
  if (session) session.lastSeenAt = context.clock.now();
}

/** The session that is calling. */
export async function getCallingSession(context: Context & Called): Promise<DashboardSession> {
  const { actor } = context.principal;
  const session =
    actor.type === 'user'
      ? await context.em.findOne(DashboardSession, { tokenHash: actor.sessionHash }, { populate: ['user.merchant'] })
      : null;
  if (!session) throw new AppError('invalid_session', 'The session has just ended');
  return session;
}

export async function closeSession(context: WriteContext, { tokenHash }: DashboardSession): Promise<void> {
  await sql`delete from dashboard_session where token_hash = ${tokenHash}`.execute(context.em.getKysely());
}

async function removeOldSessions(context: WriteContext, now: Date): Promise<void> {
  const oldest = new Date(now.getTime() - sessionLifeMs);
  await sql`delete from dashboard_session where created_at <= ${oldest}`.execute(context.em.getKysely());
}

function hash(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}
