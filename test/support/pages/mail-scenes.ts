import { withFreshEntityManager } from '@tillhook/server/src/context.ts';
import { maxShown } from '@tillhook/server/src/pages/mails/mails.page.ts';
import { unsubscribeUrl } from '@tillhook/server/src/people/notifications/unsubscribe.service.ts';
import { inTransaction } from '@tillhook/server/src/platform/database/transaction.ts';
import { renderMail } from '@tillhook/server/src/platform/mail/layout.ts';
import { writeMail } from '@tillhook/server/src/platform/mail/mails.service.ts';
import type { Page } from 'playwright-core';
import { sampleKind } from '../mail/sample-kind.ts';
import type { OwnServer, ServerWithContext } from '../server/tillhook.ts';
import { addUser } from '../users/users.ts';
import { waitForHeading } from './checkout-page.ts';
import type { Scenes } from './scene.ts';

const subject = 'Your password was changed';

export const mailScenes: Scenes = {
  'a mailbox without mails': openMailbox,
  'a full mailbox': async (page, server) => {
    await addMails(server, [...Array(maxShown - 2).fill(subject), 'An API key was created', 'An API key was rolled']);
    await openMailbox(page, server);
  },
  'a mail in the mailbox': async (page, server) => {
    await addMails(server, [subject]);
    await openMailbox(page, server);
    await page.getByRole('link', { name: subject }).first().click();
    await waitForHeading(page, subject);
    await page.frameLocator('iframe').getByRole('link').waitFor();
  },
  'the page that stops mails': openUnsubscribe,
  'the page after mails were stopped': async (page, server) => {
    await openUnsubscribe(page, server);
    await page.getByRole('button', { name: 'Stop these mails' }).click();
    await waitForHeading(page, 'Mails stopped');
  },
  'a wrong link to stop mails': async (page, { url }) => {
    await page.goto(`${url}/mails/unsubscribe?token=nonsense`);
    await waitForHeading(page, 'This link is not valid');
  },
};

async function openUnsubscribe(page: Page, server: OwnServer): Promise<void> {
  const { context, database, createMerchant } = server;
  const email = await addUser(server, await createMerchant());
  const [user] = await database.query<{ id: string }>('select id from dashboard_user where email = $1', [email]);
  await page.goto(unsubscribeUrl(context, user?.id ?? '', 'endpoint_failing'));
  await waitForHeading(page, 'Stop mails');
}

async function openMailbox(page: Page, { url }: OwnServer): Promise<void> {
  await page.goto(`${url}/mails`);
  await waitForHeading(page, 'Mails');
}

/** Writes the mails in one transaction, the last subject last. Returns the ids in this order. */
export async function addMails(
  { context, database }: ServerWithContext,
  subjects: readonly string[],
  recipient = 'ada@example.com',
): Promise<string[]> {
  await inTransaction(withFreshEntityManager(context), async (tx) => {
    for (const each of subjects) {
      const content = renderMail({
        subject: each,
        preheader: 'Every other session of this user has ended.',
        language: 'en',
        direction: 'ltr',
        brand: null,
        blocks: [
          { kind: 'heading', text: each },
          { kind: 'paragraph', text: 'Every other session of this user has ended.' },
          { kind: 'rows', rows: [{ label: 'User', value: recipient }] },
          { kind: 'button', text: 'Open your account', url: `${tx.publicUrl}/dashboard/account` },
        ],
        footer: 'You get this mail because it is about the security of your account.',
      });
      await writeMail(tx, { kind: sampleKind, merchantId: null, recipient, values: { content } });
    }
  });
  const written = await database.query('select id from mail order by id desc limit $1', [subjects.length]);
  return written.map(({ id }) => String(id)).reverse();
}
