/**
 * An invitation is a row with the hash of its token, so only the link can accept it. It is accepted under the lock of
 * its row, so that two calls at the same moment make one user.
 * See docs/decisions/auth.md, "An invitation reveals nothing about other merchants".
 */
import { LockMode, raw } from '@mikro-orm/core';
import type { Context, WithPrincipal, WriteContext } from '../../context.ts';
import { canonicalEmail, formsOfEmail } from '../../kit/email.ts';
import { AppError, notFound } from '../../kit/errors.ts';
import { dayMs } from '../../kit/hours.ts';
import { hashToken, newId, newToken } from '../../kit/ids.ts';
import type { MemberRole } from '../../kit/permissions.ts';
import { run } from '../../platform/database/statement.ts';
import type { Merchant } from '../merchants/merchant.entity.ts';
import { lockWithMerchant, readMerchantsOf } from '../merchants/merchants.service.ts';
import { Passkey } from '../passkeys/passkey.entity.ts';
import { type NewPasskey, savePasskey } from '../passkeys/passkeys.service.ts';
import { beginSession } from '../sessions/dashboard-session.service.ts';
import { DashboardUser } from '../sessions/dashboard-user.entity.ts';
import { findUserByEmail, newDashboardUser } from '../sessions/dashboard-users.service.ts';
import { refuseDemoEmail } from '../sessions/demo-email.ts';
import { Invitation } from './invitation.entity.ts';
import { linkOf, mailInvitation } from './invitation-mails.service.ts';
import { beginTeamChange, maxTeam } from './team.service.ts';

interface Invited {
  email: string;
  role: MemberRole;
  /** The email of the user who invites; null for an operator. */
  invitedBy: string | null;
}

interface NewInvitation {
  invitation: Invitation;
  link: string;
}

const isOpen = { acceptedAt: null, revokedAt: null };
/** For so long after its end, the page of an invitation says why its link does not work. */
const keptMs = 30 * dayMs;

export function listInvitations(context: Context & WithPrincipal): Promise<Invitation[]> {
  const where = { merchant: context.principal.merchantId, ...isOpen };
  return context.em.find(Invitation, where, { orderBy: { id: 'desc' }, limit: maxTeam });
}

/** The merchant's row must be locked. An open invitation of the same address is replaced. */
export async function invite(
  context: WriteContext,
  merchant: Merchant,
  { email: typed, role, invitedBy }: Invited,
): Promise<NewInvitation> {
  const email = canonicalEmail(typed);
  const now = context.clock.now();
  await removeOldInvitations(context, merchant.id, now);
  await refuseMember(context, merchant.id, email);
  refuseDemoEmail(email);
  await refuseAboveMaximum(context, merchant.id);
  await run(context)`
    delete from invitation
    where merchant_id = ${merchant.id} and lower(email) = lower(${email}) and accepted_at is null and revoked_at is null`;
  const invitation = Object.assign(new Invitation(), {
    id: newId(),
    merchant,
    email,
    role,
    invitedBy,
    createdAt: now,
    acceptedAt: null,
    revokedAt: null,
  });
  context.em.persist(invitation);
  return send(context, invitation, now);
}

/** The user who sends the invitation again may know its new link, so from then on this user is the one who invites. */
export async function resendOwnInvitation(
  context: WriteContext & WithPrincipal,
  { id, invitedBy }: { id: string; invitedBy: string | null },
): Promise<NewInvitation> {
  await beginTeamChange(context);
  const invitation = await getOwnInvitation(context, id);
  invitation.requireOpen();
  invitation.invitedBy = invitedBy;
  return send(context, invitation, context.clock.now());
}

export async function revokeOwnInvitation(context: WriteContext & WithPrincipal, id: string): Promise<Invitation> {
  await beginTeamChange(context);
  const invitation = await getOwnInvitation(context, id);
  invitation.requireOpen();
  invitation.revokedAt = context.clock.now();
  return invitation;
}

export async function getUsableInvitation(context: Context, token: string): Promise<Invitation> {
  return requireUsable(
    context,
    await context.em.findOne(Invitation, { tokenHash: hashToken(token) }, { populate: ['merchant'] }),
  );
}

export async function lockUsableInvitation(context: WriteContext, token: string): Promise<Invitation> {
  return requireUsable(context, await lockWithMerchant(context, Invitation, { tokenHash: hashToken(token) }));
}

/** Returns the open invitations to an address, newest first, by whichever merchant. Their rows are locked. */
export async function lockInvitationsTo(context: WriteContext, email: string): Promise<Invitation[]> {
  const where = {
    [raw('lower(email)')]: { $in: formsOfEmail(email) },
    ...isOpen,
    expiresAt: { $gt: context.clock.now() },
  };
  const how = { orderBy: { createdAt: 'desc' }, lockMode: LockMode.PESSIMISTIC_WRITE } as const;
  const invitations = await context.em.find(Invitation, where, how);
  await readMerchantsOf(context, invitations);
  return invitations;
}

/** How the new user signs in from then on. The user of a passkey has the id of the invitation. */
export type WayIn = { passwordHash: string; passkey?: undefined } | { passwordHash?: undefined; passkey: NewPasskey };

/** Makes the user of an invitation that is locked, and opens the user's first session. */
export async function acceptInvitation(
  context: WriteContext,
  invitation: Invitation,
  { name, ...way }: { name: string } & WayIn,
) {
  const { merchant, email, role } = invitation;
  if (await findUserByEmail(context, email)) {
    throw new AppError(
      'email_in_use',
      `${email} already has an account, and an account belongs to one merchant: ask for an invitation to another address`,
    );
  }
  invitation.acceptedAt = context.clock.now();
  const { passwordHash = null, passkey } = way;
  const user = newDashboardUser(context, {
    ...(passkey && { id: passkey.userId }),
    merchant,
    email,
    name,
    passwordHash,
    role,
  });
  if (passkey) await saveUserAndPasskey(context, user, passkey);
  return beginSession(context, user, { action: 'acceptInvitation', passkeyId: passkey?.id ?? null });
}

/** A query about an entity first saves the new rows. The passkey's row refers to the user's, and the session's to both. */
async function saveUserAndPasskey(context: WriteContext, user: DashboardUser, passkey: NewPasskey): Promise<void> {
  await context.em.count(DashboardUser, { id: user.id });
  savePasskey(context, passkey);
  await context.em.count(Passkey, { id: passkey.id });
}

async function send(context: WriteContext, invitation: Invitation, now: Date): Promise<NewInvitation> {
  const token = newToken();
  invitation.renew(now, hashToken(token));
  await mailInvitation(context, invitation, token);
  return { invitation, link: linkOf(context, token) };
}

function requireUsable(context: Context, invitation: Invitation | null): Invitation {
  if (!invitation) {
    const message = 'There is no such invitation: the link is incomplete, or a newer link has replaced it';
    throw new AppError('resource_not_found', message);
  }
  invitation.requireUsable(context.clock.now());
  if (invitation.merchant.suspendedAt) throw new AppError('merchant_suspended', 'This merchant is suspended');
  return invitation;
}

async function getOwnInvitation(context: WriteContext & WithPrincipal, id: string): Promise<Invitation> {
  const where = { id, merchant: context.principal.merchantId };
  const invitation = await lockWithMerchant(context, Invitation, where);
  if (!invitation) throw notFound();
  return invitation;
}

/** Choice: an address with an account at another merchant is invited, because a refusal would reveal the account. */
async function refuseMember(context: WriteContext, merchantId: string, email: string): Promise<void> {
  const user = await findUserByEmail(context, email);
  if (user?.merchant.id !== merchantId || user.role === 'operator') return;
  throw new AppError('email_in_use', `${email} is the address of a user of this merchant`);
}

async function refuseAboveMaximum(context: WriteContext, merchantId: string): Promise<void> {
  const members = await context.em.count(DashboardUser, { merchant: merchantId });
  const invitations = await context.em.count(Invitation, { merchant: merchantId, ...isOpen });
  if (members + invitations < maxTeam) return;
  throw new AppError('team_limit_reached', `A merchant may have at most ${maxTeam} users and open invitations`);
}

async function removeOldInvitations(context: WriteContext, merchantId: string, now: Date): Promise<void> {
  const oldest = new Date(now.getTime() - keptMs);
  await run(context)`delete from invitation where merchant_id = ${merchantId} and expires_at < ${oldest}`;
}
