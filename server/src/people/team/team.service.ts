/**
 * The users of a merchant. Each change locks the merchant's row first, so that two changes at the same moment cannot
 * remove the last administrator.
 * See docs/decisions/auth.md, "The last administrator stays".
 */
import { LockMode } from '@mikro-orm/core';
import type { Context, WithPrincipal, WriteContext } from '../../context.ts';
import { AppError, notFound } from '../../kit/errors.ts';
import type { Role } from '../../kit/permissions.ts';
import { rowsOf, rowsOutsideTransaction, run } from '../../platform/database/statement.ts';
import { lockOwnMerchant } from '../merchants/merchants.service.ts';
import { lockCallingUser } from '../sessions/codes.service.ts';
import { DashboardUser } from '../sessions/dashboard-user.entity.ts';
import type { SeenMember } from './team.view.ts';

export const maxTeam = 500;

const rolesThatManage: readonly Role[] = ['administrator', 'operator'];

export async function listMembers(context: Context & WithPrincipal): Promise<SeenMember[]> {
  const { merchantId } = context.principal;
  const where = { merchant: merchantId, storedRole: { $ne: 'operator' as const } };
  const users = await context.em.find(DashboardUser, where, { orderBy: { id: 'asc' }, limit: maxTeam });
  return withTraces(rowsOutsideTransaction(context), users);
}

/** Locks the merchant, and checks the caller's role again, because it may have changed since the call began. */
export async function beginTeamChange(context: WriteContext & WithPrincipal): Promise<void> {
  await lockOwnMerchant(context);
  const { role } = await lockCallingUser(context);
  if (!rolesThatManage.includes(role)) {
    throw new AppError('role_not_allowed', `A user with the role ${role} may not change the team`);
  }
}

export async function changeOwnMember(
  context: WriteContext & WithPrincipal,
  id: string,
  role: Role,
): Promise<SeenMember> {
  await beginTeamChange(context);
  const user = await getOwnMember(context, id);
  await changeRole(context, user, role);
  return withOwnTraces(context, user);
}

export async function removeOwnMember(context: WriteContext & WithPrincipal, id: string): Promise<SeenMember> {
  await beginTeamChange(context);
  const member = await withOwnTraces(context, await getOwnMember(context, id));
  await removeUser(context, member.user);
  return member;
}

/** The new role holds from the user's next call on, because each call reads the user's row. */
export async function changeRole(context: WriteContext, user: DashboardUser, role: Role): Promise<void> {
  if (role !== 'administrator') await keepAnAdministrator(context, user);
  user.role = role;
  if (!rolesThatManage.includes(role)) await revokeInvitationsBy(context, user);
}

/** Deletes the user's sessions, codes and passkeys with the user. */
export async function removeUser(context: WriteContext, user: DashboardUser): Promise<void> {
  await keepAnAdministrator(context, user);
  await revokeInvitationsBy(context, user);
  await run(context)`delete from dashboard_user where id = ${user.id}`;
}

/** The user knows the links, and could come back through an invitation to another address. */
async function revokeInvitationsBy(context: WriteContext, { email, merchant }: DashboardUser): Promise<void> {
  await run(context)`
    update invitation set revoked_at = ${context.clock.now()}
    where merchant_id = ${merchant.id} and lower(invited_by) = lower(${email})
      and accepted_at is null and revoked_at is null`;
}

/** The merchant's row must be locked. */
async function keepAnAdministrator(context: WriteContext, { id, role, merchant }: DashboardUser): Promise<void> {
  if (role !== 'administrator') return;
  const storedRole = { $in: ['administrator' as const, 'merchant' as const] };
  const others = await context.em.count(DashboardUser, { merchant: merchant.id, storedRole, id: { $ne: id } });
  if (others > 0) return;
  throw new AppError('last_administrator', 'This is the last administrator: give another user this role first');
}

async function getOwnMember(context: WriteContext & WithPrincipal, id: string): Promise<DashboardUser> {
  const where = { id, merchant: context.principal.merchantId, storedRole: { $ne: 'operator' as const } };
  const user = await context.em.findOne(DashboardUser, where, {
    lockMode: LockMode.PESSIMISTIC_WRITE,
    refresh: true,
  });
  if (!user) throw notFound();
  return user;
}

async function withOwnTraces(context: WriteContext, user: DashboardUser): Promise<SeenMember> {
  const [member] = await withTraces(rowsOf(context), [user]);
  if (!member) throw new Error(`User ${user.id} has no traces.`);
  return member;
}

interface Traces {
  id: string;
  seen_at: Date | null;
  has_passkey: boolean;
}

/** A user was last seen in an open session, or in the audit log, because ended sessions are deleted. */
async function withTraces(
  query: ReturnType<typeof rowsOf<Traces>>,
  users: readonly DashboardUser[],
): Promise<SeenMember[]> {
  const ids = users.map(({ id }) => id);
  const rows = await query`
    select id, greatest(
        (select max(last_seen_at) from dashboard_session where user_id = dashboard_user.id),
        (select max(created_at) from audit_entry
         where audit_entry.merchant_id = dashboard_user.merchant_id and user_email = email)
      ) as seen_at,
      exists (select 1 from passkey where user_id = dashboard_user.id) as has_passkey
    from dashboard_user where id = any(${ids}::uuid[])`;
  const traces = new Map(rows.map((row) => [row.id, row]));
  return users.map((user) => {
    const { seen_at: seenAt = null, has_passkey: hasPasskey = false } = traces.get(user.id) ?? {};
    return { user, lastSeenAt: seenAt && new Date(seenAt), hasPasskey };
  });
}
