/**
 * The mails that report a change of an account's security. Choice: no preference switches these mails off, because an
 * intruder would switch them off first.
 */
import type { Context, WriteContext } from '../../context.ts';
import { formatOwnMoment, type OwnFormats } from '../../kit/locale.ts';
import { renderServiceMail, rowsBlock } from '../../platform/mail/layout.ts';
import type { Mail } from '../../platform/mail/mail.entity.ts';
import { type MailContent, type MailRenderers, writeMail } from '../../platform/mail/mails.service.ts';
import type { DashboardUser } from './dashboard-user.entity.ts';

const notices = {
  password_changed: {
    subject: 'Your password was changed',
    text: 'Every other session of this user has ended.',
  },
  password_reset: {
    subject: 'Your password was reset',
    text: 'A link in a mail to this address set a new password. All sessions of this user have ended.',
    advice:
      'If you did not do this, somebody else reads your mails. Change the password of your mailbox, then request a link for a new password.',
    button: { text: 'Request a link', path: '/forgot-password' },
  },
  new_browser: {
    subject: 'A new browser signed in to your account',
    text: 'A browser that this account has not used before signed in.',
  },
  two_step_turned_on: {
    subject: 'Two-step sign-in was turned on',
    text: 'From now on, a sign-in needs the password and a code of the authenticator app.',
    advice:
      'If you did not do this, ask the operator of this service to turn it off. Then change your password and end all other sessions.',
  },
  two_step_turned_off: {
    subject: 'Two-step sign-in was turned off',
    text: 'From now on, a sign-in needs only the password.',
  },
  company_account_bound: {
    subject: 'Your company account can sign in now',
    text: 'A company account signed in as this user for the first time. From now on, it signs you in.',
    advice: 'If you did not do this, tell the administrators of your company account and of your merchant now.',
  },
  passkey_added: {
    subject: 'A passkey was added',
    text: 'From now on, this passkey signs you in, without your password or a code.',
    advice: 'If you did not do this, remove the passkey, change your password and end all other sessions now.',
  },
  passkey_removed: { subject: 'A passkey was removed', text: 'This passkey no longer signs you in.' },
  passkey_copied: {
    subject: 'A passkey was refused',
    text: 'Its device reported fewer signatures than before, so an attacker may have a copy of the passkey.',
    advice: 'Remove the passkey from your account, and add a new one.',
  },
} as const satisfies Record<string, NoticeTexts>;

interface NoticeTexts {
  subject: string;
  text: string;
  /** What to do if another person did this. */
  advice?: string;
  button?: { text: string; path: string };
}

const usual = {
  advice: 'If you did not do this, change your password and end all other sessions now.',
  button: { text: 'Open your account', path: '/account' },
};

type Notice = keyof typeof notices;

/** Details are shown as rows, with their names as labels. */
interface Values extends OwnFormats {
  details: Readonly<Record<string, string>>;
}

export const accountMails: MailRenderers = Object.fromEntries(Object.keys(notices).map((notice) => [notice, render]));

/** Writes the mail to the user whose account was changed. */
export async function mailUser(
  tx: WriteContext,
  user: DashboardUser,
  notice: Notice,
  details: Values['details'] = {},
): Promise<void> {
  const { timeZone, language } = user;
  const values: Values = { details, timeZone, language };
  await writeMail(tx, { kind: notice, merchantId: user.merchant.id, recipient: user.email, values });
}

async function render({ publicUrl }: Context, { details, ...formats }: Values, mail: Mail): Promise<MailContent> {
  const { subject, text, advice, button }: Required<NoticeTexts> = { ...usual, ...notices[mail.kind as Notice] };
  const rows = { ...details, User: mail.recipient, Time: formatOwnMoment(mail.createdAt, formats) };
  return renderServiceMail({
    subject,
    preheader: text,
    blocks: [
      { kind: 'paragraph', text },
      rowsBlock(rows),
      { kind: 'paragraph', text: advice },
      { kind: 'button', text: button.text, url: `${publicUrl}/dashboard${button.path}` },
    ],
    footer: 'You get this mail because it is about the security of your account.',
  });
}
