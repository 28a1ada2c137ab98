import type { Invitation as InvitationValue, InvitationWithLink, Member, OfferedInvitation } from '@tillhook/openapi';
import type { Context, WithPrincipal } from '../../context.ts';
import type { DashboardUser } from '../sessions/dashboard-user.entity.ts';
import type { Invitation } from './invitation.entity.ts';

export interface SeenMember {
  user: DashboardUser;
  lastSeenAt: Date | null;
  hasPasskey: boolean;
}

export function memberView(
  { principal: { actor } }: WithPrincipal,
  { user, lastSeenAt, hasPasskey }: SeenMember,
): Member {
  return {
    id: user.id,
    email: user.email,
    name: user.name ?? null,
    role: user.role,
    hasTwoStep: user.hasTwoStep() || hasPasskey,
    lastSeenAt: lastSeenAt?.toISOString() ?? null,
    createdAt: user.createdAt.toISOString(),
    isYou: actor.type === 'user' && actor.userId === user.id,
  };
}

export function invitationView(invitation: Invitation): InvitationValue {
  const { id, email, role, invitedBy, createdAt, expiresAt } = invitation;
  return {
    id,
    email,
    role,
    invitedBy: invitedBy ?? null,
    createdAt: createdAt.toISOString(),
    expiresAt: expiresAt.toISOString(),
  };
}

/** Where a mail has the link, a person who accepts has shown that the address is theirs. */
export function withLinkView(
  { config }: Context,
  { invitation, link }: { invitation: Invitation; link: string },
): InvitationWithLink {
  return { ...invitationView(invitation), link: config.mail ? null : link };
}

export function offeredInvitationView(invitation: Invitation): OfferedInvitation {
  const { email, role, invitedBy, expiresAt } = invitationView(invitation);
  return { merchantName: invitation.merchant.name, email, role, invitedBy, expiresAt };
}
