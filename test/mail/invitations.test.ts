import { withFreshEntityManager } from '@tillhook/server/src/context.ts';
import { sendMails } from '@tillhook/server/src/platform/mail/send-mails.job.ts';
import { createMailSender } from '@tillhook/server/src/platform/mail/smtp.ts';
import { mailRenderers } from '@tillhook/server/src/start/mail-kinds.ts';
import test from 'ava';
import { linkIn, type MailServer, startMailServer } from '../support/mail/mail-server.ts';
import { ownServerForFile, type TestMerchant } from '../support/server/tillhook.ts';
import { signIn } from '../support/users/session.ts';
import { invite, newEmail } from '../support/users/team.ts';

const mails: MailServer = await startMailServer();
/** Runs no job by itself. */
const server = ownServerForFile({ MAIL_URL: mails.url, MAIL_FROM: 'Example Pay <pay@example.com>', ROLE: 'api' });
test.after.always(() => mails[Symbol.asyncDispose]());

async function send(): Promise<void> {
  const context = withFreshEntityManager(server().context);
  const sender = createMailSender({ url: mails.url, from: { name: 'Example Pay', address: 'pay@example.com' } });
  await sendMails(context, { sender, renderers: mailRenderers }).finally(() => sender.close());
}

const mailsTo = (email: string) => mails.received.filter(({ recipient }) => recipient === email);

const change = async (merchant: TestMerchant, path: string, method: string) =>
  (await signIn(server(), merchant)).call(`/api/v1/dashboard/team-invitations/${path}`, { method });

test.serial('an invitation is mailed with its link, the merchant, the role and the person who invites', async (t) => {
  const merchant = await server().createMerchant('Ada’s <b>Books</b>');
  const email = newEmail();

  const { link, token } = await invite(server(), merchant, { email, role: 'support' });
  const [{ sealed_values: sealed = '' } = {}] = await server().database.query<{ sealed_values: string }>(
    'select sealed_values from mail where recipient = $1',
    [email],
  );
  await send();

  const [mail] = mailsTo(email);
  t.is(linkIn(mail?.source ?? '').href, link);
  t.regex(mail?.source ?? '', /Support: checkouts/);
  t.regex(mail?.source ?? '', /Valid until: \d.* UTC/);
  t.false(sealed.includes(token));
  t.is(mailsTo(email).length, 1);
});

test.serial('the mail of an invitation that was revoked or replaced before it was sent is dropped', async (t) => {
  const merchant = await server().createMerchant();
  const [revoked, renewed] = [newEmail(), newEmail()];
  const { id } = await invite(server(), merchant, { email: revoked });
  await change(merchant, id, 'DELETE');
  const { id: again, link } = await invite(server(), merchant, { email: renewed });
  await change(merchant, `${again}/resend`, 'POST');

  await send();

  t.deepEqual(mailsTo(revoked), []);
  t.is(mailsTo(renewed).length, 1);
  t.not(linkIn(mailsTo(renewed)[0]?.source ?? '').href, link);
});
