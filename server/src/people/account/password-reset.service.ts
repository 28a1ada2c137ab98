/**
 * A request inserts the same two rows for every address, a link and a mail, and looks no user up. The job that sends
 * mails looks for the user, and drops the mail if there is none.
 * See docs/decisions/auth.md, "A request for a new password does not look the user up".
 */
import { LockMode } from '@mikro-orm/core';
import { asciiEmail } from '@tillhook/openapi/rules/fields';
import type { Context, WriteContext } from '../../context.ts';
import { canonicalEmail, isSameMailbox } from '../../kit/email.ts';
import { AppError } from '../../kit/errors.ts';
import { hashToken, newToken } from '../../kit/ids.ts';
import { formatOwnMoment } from '../../kit/locale.ts';
import { rowsOf, rowsOutsideTransaction, run } from '../../platform/database/statement.ts';
import { renderServiceMail, rowsBlock } from '../../platform/mail/layout.ts';
import type { Mail } from '../../platform/mail/mail.entity.ts';
import { type MailContent, type MailRenderers, writeMail } from '../../platform/mail/mails.service.ts';
import { noteAct } from '../audit/audit.service.ts';
import { findPasskeysOf } from '../passkeys/passkeys.service.ts';
import { mailUser } from '../sessions/account-mails.service.ts';
import type { DashboardUser } from '../sessions/dashboard-user.entity.ts';
import { findUserByEmail, replacePassword } from '../sessions/dashboard-users.service.ts';

export const linkLifeMinutes = 30;

interface Values {
  token: string;
  /** The mail goes to the same address in ASCII. */
  email: string;
}

export async function requestPasswordReset(tx: WriteContext, typed: string): Promise<Date> {
  if (!tx.config.mail) {
    throw new AppError('password_reset_off', 'This service sends no mails: ask its operator for a new password');
  }
  const [email, token, now] = [canonicalEmail(typed), newToken(), tx.clock.now()];
  await run(tx)`
    insert into password_reset (token_hash, email, created_at) values (${hashToken(token)}, ${email}, ${now})`;
  const values: Values = { token, email };
  await writeMail(tx, { kind: 'password_reset_link', merchantId: null, recipient: asciiEmail(email), values });
  return endOf(now);
}

export const passwordResetMails: MailRenderers = { password_reset_link: renderLink };

async function renderLink(context: Context, { token, email }: Values, mail: Mail): Promise<MailContent | null> {
  const { recipient, status, createdAt } = mail;
  const user = await findUserByEmail(context, email);
  const isTooLate = status === 'pending' && endOf(createdAt) <= context.clock.now();
  if (!user || !isSameMailbox(user.email, recipient) || isTooLate) return null;
  const subject = 'Set a new password';
  return renderServiceMail({
    subject,
    preheader: `The link works once, for ${linkLifeMinutes} minutes.`,
    blocks: [
      { kind: 'paragraph', text: `Somebody asked for a new password for ${user.email} at ${context.publicUrl}.` },
      { kind: 'button', text: subject, url: `${context.publicUrl}/dashboard/reset-password?token=${token}` },
      rowsBlock({ 'Valid until': formatOwnMoment(endOf(createdAt), user) }),
      {
        kind: 'paragraph',
        text: 'The link works once. If you did not ask for it, do nothing: your password stays as it is.',
      },
    ],
    footer: 'Give this link to nobody: any person who opens it can set your password.',
  });
}

/** Answers before the new password is hashed, because hashing takes much processor time. */
export async function requireLink(context: Context, token: string): Promise<void> {
  const found = await rowsOutsideTransaction(context)`
    select from password_reset where token_hash = ${hashToken(token)} and created_at > ${oldest(context)}`;
  if (found.length === 0) throw invalidLink();
}

export async function resetPasswordByLink(
  tx: WriteContext,
  { token, passwordHash }: { token: string; passwordHash: string },
): Promise<DashboardUser> {
  const [link] = await rowsOf<{ email: string }>(tx)`
    select email from password_reset where token_hash = ${hashToken(token)} and created_at > ${oldest(tx)}`;
  // The user is locked before the link, as by other changes. The second of two calls waits here, and then finds no link.
  const user = link && (await findUserByEmail(tx, link.email, LockMode.PESSIMISTIC_WRITE));
  const used = await run(tx)`delete from password_reset where token_hash = ${hashToken(token)}`;
  if (!user || used === 0) throw invalidLink();
  await replacePassword(tx, user, passwordHash);
  // A person who had the user before may have left a passkey, which no new password ends.
  const passkeys = (await findPasskeysOf(tx, user.id)).map(({ name }) => name).join(', ');
  await mailUser(tx, user, 'password_reset', passkeys ? { 'Passkeys that still work': passkeys } : {});
  noteAct(tx, { merchantId: user.merchant.id, mode: null, by: user, action: 'resetPassword', subject: null });
  return user;
}

function invalidLink(): AppError {
  return new AppError('invalid_link', 'This link was used already, or its time is over: request a new one');
}

function endOf(createdAt: Date): Date {
  return new Date(createdAt.getTime() + linkLifeMinutes * 60_000);
}

function oldest({ clock }: Context): Date {
  return new Date(clock.now().getTime() - linkLifeMinutes * 60_000);
}
