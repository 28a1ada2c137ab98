import { type KnownRole, roleInOneLine } from '../../../look/role-words.ts';
import type { Context, WriteContext } from '../../context.ts';
import { hashToken } from '../../kit/ids.ts';
import { formatOwnMoment } from '../../kit/locale.ts';
import { renderServiceMail, rowsBlock } from '../../platform/mail/layout.ts';
import { type MailContent, type MailRenderers, writeMail } from '../../platform/mail/mails.service.ts';
import { Invitation } from './invitation.entity.ts';

interface Values {
  invitationId: string;
  token: string;
}

export const invitationMails: MailRenderers = { invitation: render };

/** Choice: no preference switches this mail off, because its recipient has no account yet. */
export function mailInvitation(tx: WriteContext, { id, merchant, email }: Invitation, token: string): Promise<void> {
  const values: Values = { invitationId: id, token };
  return writeMail(tx, { kind: 'invitation', merchantId: merchant.id, recipient: email, values });
}

/** The mail is dropped when its link works no more. */
async function render(context: Context, { invitationId, token }: Values): Promise<MailContent | null> {
  const where = { id: invitationId, tokenHash: hashToken(token), acceptedAt: null, revokedAt: null };
  const invitation = await context.em.findOne(Invitation, where, { populate: ['merchant'] });
  if (!invitation || invitation.expiresAt <= context.clock.now()) return null;
  const { merchant, role, invitedBy, expiresAt } = invitation;
  const subject = `You are invited to the dashboard of ${merchant.name}`;
  const text = `${invitedBy ?? 'The operator of this service'} invites you to the dashboard of ${merchant.name}.`;
  const rows = {
    Merchant: merchant.name,
    Role: roleInOneLine(role satisfies KnownRole),
    'Valid until': formatOwnMoment(expiresAt, {}),
  };
  return renderServiceMail({
    subject,
    preheader: text,
    blocks: [
      { kind: 'paragraph', text },
      rowsBlock(rows),
      { kind: 'button', text: 'Accept the invitation', url: linkOf(context, token) },
      {
        kind: 'smallPrint',
        text: 'The link works once. Do not forward this mail: any person who has the link can accept.',
      },
    ],
    footer: 'If you do not know the sender, ignore this mail: nothing happens unless you accept.',
  });
}

export function linkOf({ publicUrl }: Context, token: string): string {
  return `${publicUrl}/dashboard/invitation?token=${token}`;
}
