import type { WithPrincipal } from '../../context.ts';
import { invalid } from '../../kit/errors.ts';
import { type Counted, type Operation, read, SessionChange, write } from '../../operation/operation.ts';
import { getOwnMerchant } from '../merchants/merchants.service.ts';
import { checkRegistration, creationOptions } from '../passkeys/passkeys.service.ts';
import { requirePasswordSignIn } from '../sessions/dashboard-users.service.ts';
import { hashPassword } from '../sessions/password.ts';
import { sessionView } from '../sessions/session.view.ts';
import type { WayIn } from './invitations.service.ts';
import * as invitations from './invitations.service.ts';
import * as team from './team.service.ts';
import { invitationView, memberView, offeredInvitationView, withLinkView } from './team.view.ts';

type Called = Pick<Counted<never>, 'principal' | 'network'>;

export const listTeam: Operation<'listTeam'> = read(async (context) => ({
  members: (await team.listMembers(context)).map((member) => memberView(context, member)),
  invitations: (await invitations.listInvitations(context)).map(invitationView),
}));

export const updateMember: Operation<'updateMember'> = write(
  async (context, { path, body }) => memberView(context, await team.changeOwnMember(context, path.id, body.role)),
  { audited: ({ email }) => ({ subject: email, mode: null }) },
);

export const removeMember: Operation<'removeMember'> = write(
  async (context, { path }) => memberView(context, await team.removeOwnMember(context, path.id)),
  { audited: ({ email }) => ({ subject: email, mode: null }) },
);

const limits = [{ policy: 'invitation', by: ({ principal }: Called) => principal?.merchantId ?? null }] as const;

export const inviteMember: Operation<'inviteMember'> = write(
  async (context, { body }) => {
    await team.beginTeamChange(context);
    const merchant = await getOwnMerchant(context);
    return withLinkView(
      context,
      await invitations.invite(context, merchant, { ...body, invitedBy: inviterIn(context) }),
    );
  },
  { audited: ({ email }) => ({ subject: email, mode: null }), limits },
);

export const resendInvitation: Operation<'resendInvitation'> = write(
  async (context, { path }) =>
    withLinkView(
      context,
      await invitations.resendOwnInvitation(context, { id: path.id, invitedBy: inviterIn(context) }),
    ),
  { audited: ({ email }) => ({ subject: email, mode: null }), limits },
);

export const revokeInvitation: Operation<'revokeInvitation'> = write(
  async (context, { path }) => invitationView(await invitations.revokeOwnInvitation(context, path.id)),
  { audited: ({ email }) => ({ subject: email, mode: null }) },
);

const tokenLimits = [{ policy: 'invitation_token', by: ({ network }: Called) => network }] as const;

export const readInvitation: Operation<'readInvitation'> = write(
  async (context, { body }) => offeredInvitationView(await invitations.getUsableInvitation(context, body.token)),
  { hasNoCaller: true, limits: tokenLimits },
);

export const beginInvitationPasskey: Operation<'beginInvitationPasskey'> = write(
  async (context, { body }) =>
    creationOptions(context, await invitations.getUsableInvitation(context, body.token), 'invitation'),
  { hasNoCaller: true, limits: tokenLimits },
);

export const acceptInvitation: Operation<'acceptInvitation'> = write(
  async (context, { body: { token, name } }, way: WayIn) => {
    const invitation = await invitations.lockUsableInvitation(context, token);
    const accepted = await invitations.acceptInvitation(context, invitation, { name, ...way });
    const { session, token: sessionToken } = accepted;
    return new SessionChange(sessionView(session, session.user.merchant), sessionToken);
  },
  {
    hasNoCaller: true,
    before: async (context, { body: { token, password, passkey } }): Promise<WayIn> => {
      // Checked first, because hashing is slow on purpose, and strangers must not make the server hash.
      const { id } = await invitations.getUsableInvitation(context, token);
      if (passkey) {
        return { passkey: await checkRegistration(context, { name: 'invitation', userId: id }, passkey) };
      }
      if (password === undefined) throw invalid('missing_parameter', 'password', 'is required');
      requirePasswordSignIn(context);
      return { passwordHash: await hashPassword(password) };
    },
    limits: tokenLimits,
  },
);

function inviterIn({ principal: { actor } }: WithPrincipal): string | null {
  return actor.type === 'user' && actor.role !== 'operator' ? actor.email : null;
}
