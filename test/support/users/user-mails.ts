/** A service whose jobs a test runs by hand, and the mails that arrive at its mail server. */
import { withFreshEntityManager } from '@tillhook/server/src/context.ts';
import type { Role } from '@tillhook/server/src/kit/permissions.ts';
import { writeNotifications } from '@tillhook/server/src/people/notifications/write-notifications.job.ts';
import { Mail } from '@tillhook/server/src/platform/mail/mail.entity.ts';
import { contentOf, type MailContent } from '@tillhook/server/src/platform/mail/mails.service.ts';
import { sendMails } from '@tillhook/server/src/platform/mail/send-mails.job.ts';
import { createMailSender } from '@tillhook/server/src/platform/mail/smtp.ts';
import { mailRenderers } from '@tillhook/server/src/start/mail-kinds.ts';
import { reportEndpoints } from '@tillhook/server/src/webhooks/endpoints/report-endpoints.job.ts';
import test from 'ava';
import { startMailServer } from '../mail/mail-server.ts';
import { ownServerForFile } from '../server/tillhook.ts';
import { addUser } from './users.ts';

const mails = await startMailServer();
export const server = ownServerForFile({
  MAIL_URL: mails.url,
  MAIL_FROM: 'Example Pay <pay@example.com>',
  ROLE: 'api',
  DELIVERY_DIRECT: 'on',
  DELIVERY_RETRY_DELAYS_MS: '3600000',
});
test.after.always(() => mails[Symbol.asyncDispose]());

export const own = () => withFreshEntityManager(server().context);

export async function runJobs(): Promise<void> {
  await reportEndpoints(own());
  await writeNotifications(own());
  const sender = createMailSender({ url: mails.url, from: { name: 'Example Pay', address: 'pay@example.com' } });
  await sendMails(own(), { sender, renderers: mailRenderers }).finally(() => sender.close());
}

export async function merchantWithUser(role?: Role) {
  const merchant = await server().createMerchant();
  return { merchant, email: await addUser(server(), merchant, role) };
}

export const sourcesTo = (email: string) =>
  mails.received.filter(({ recipient }) => recipient === email).map(({ source }) => source);

export const subjectsTo = (email: string) => sourcesTo(email).map((source) => /^Subject: (.*)\r$/m.exec(source)?.[1]);

/** The newest mail that was sent to the address. */
export async function mailTo(email: string): Promise<MailContent> {
  const [mail] = await own().em.find(Mail, { recipient: email, status: 'sent' }, { orderBy: { id: 'desc' }, limit: 1 });
  const content = mail && (await contentOf(own(), mailRenderers, mail));
  if (!content) throw new Error(`No mail was sent to ${email}.`);
  return content;
}
