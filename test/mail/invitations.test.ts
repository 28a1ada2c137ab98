import { withFreshEntityManager } from '@tillhook/server/src/context.ts';
import { sendMails } from '@tillhook/server/src/platform/mail/send-mails.job.ts';
import { createMailSender } from '@tillhook/server/src/platform/mail/smtp.ts';
import { mailRenderers } from '@tillhook/server/src/start/mail-kinds.ts';
import test from 'ava';
import { linkIn, type MailServer, startMailServer } from '../support/mail/mail-server.ts';
import { ownServerForFile, startServer, type TestMerchant } from '../support/server/tillhook.ts';
import { type SignedIn, signIn } from '../support/users/session.ts';
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

test.serial(
  'inviteMember 201 and resendInvitation 200 have the link only where the service sends no mails',
  async (t) => {
    const linksOf = async ({ call }: SignedIn) => {
      const json = { email: newEmail(), role: 'viewer' };
      const { id, link } = await (await call('/api/v1/dashboard/team-invitations', { method: 'POST', json })).json();
      const resent = await call(`/api/v1/dashboard/team-invitations/${id}/resend`, { method: 'POST' });
      return [link, (await resent.json()).link];
    };
    const quiet = await startServer(t, { SEED_DEMO: 'false' });

    t.deepEqual(await linksOf(await signIn(server())), [null, null]);
    const shown = await linksOf(await signIn(quiet));
    t.deepEqual(
      shown.map((link) => link.replace(/[\w-]+$/, '')),
      Array(2).fill(`${quiet.url}/dashboard/invitation?token=`),
    );
  },
);
