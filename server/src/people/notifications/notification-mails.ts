import type { Context } from '../../context.ts';
import type { Mode } from '../../kit/mode.ts';
import { type NotificationKind, notificationKinds } from '../../kit/notification-kinds.ts';
import { type Block, renderServiceMail } from '../../platform/mail/layout.ts';
import type { Mail } from '../../platform/mail/mail.entity.ts';
import type { MailContent, MailRenderers } from '../../platform/mail/mails.service.ts';
import { DashboardUser } from '../sessions/dashboard-user.entity.ts';
import { type DetailsOf, wordsOf } from './notification-words.ts';
import { unsubscribeUrl } from './unsubscribe.service.ts';

export interface NotificationValues {
  userId: string;
  mode: Mode;
  /** The first notifications; `count` is the number of all. */
  details: readonly DetailsOf<NotificationKind>[];
  count: number;
}

export const notificationMails: MailRenderers = Object.fromEntries(notificationKinds.map((kind) => [kind, render]));

/**
 * Null when the person has been removed, has another role or has switched these mails off since the mail was written.
 */
async function render(context: Context, values: NotificationValues, mail: Mail): Promise<MailContent | null> {
  const kind = mail.kind as NotificationKind;
  const user = await context.em.findOne(DashboardUser, { id: values.userId }, { populate: ['merchant'] });
  if (!user?.wantsMails(kind)) return null;
  const { publicUrl } = context;
  const { mode, details, count } = values;
  const { subject, paragraphs, tables, advice, button } = wordsOf(kind, { all: details, count, mode, formats: user });
  const stopUrl = unsubscribeUrl(context, user.id, kind);
  const toTexts = (texts: readonly string[]) => texts.map((text): Block => ({ kind: 'paragraph', text }));
  const left = count - details.length;
  const content = renderServiceMail({
    subject: mode === 'test' ? `${subject} (test mode)` : subject,
    preheader: paragraphs.join(' '),
    heading: subject,
    blocks: [
      ...toTexts(mode === 'test' ? ['This is about test mode: no money is involved.', ...paragraphs] : paragraphs),
      ...tables.map((rows): Block => ({ kind: 'rows', rows: rows.filter((row) => row !== null) })),
      ...toTexts(left > 0 ? [`The dashboard shows ${left === 1 ? 'one more' : `the other ${left}`}.`] : []),
      ...toTexts(advice),
      { kind: 'button', text: button.text, url: `${publicUrl}/dashboard/${mode}${button.path}` },
      { kind: 'link', text: 'Stop mails of this kind', url: stopUrl },
    ],
    footer: `You get this mail because you have access to ${user.merchant.name}, as ${user.role}.`,
  });
  return { ...content, unsubscribeUrl: stopUrl };
}
