import test from 'ava';
import { barriersOn } from '../support/browser/accessibility.ts';
import { browserForFile } from '../support/browser/browser.ts';
import { openDashboard } from '../support/dashboard/dashboard.ts';
import { waitForHeading } from '../support/pages/checkout-page.ts';
import { unreachableUrl } from '../support/receivers/deliveries.ts';
import { serverForFile } from '../support/server/tillhook.ts';
import { signIn } from '../support/users/session.ts';
import { chosenPassword, invite, newEmail } from '../support/users/team.ts';

const server = serverForFile();
/** Sends no mails. */
const quiet = serverForFile({ SEED_DEMO: 'false' });
/** Keeps its mails in a mailbox. */
const demo = serverForFile({ SEED_DEMO: 'true' });
const openPage = browserForFile();
test.serial(
  'an administrator of a service without mails invites a person by a link, and the person accepts and is signed in with the role',
  async (t) => {
    const merchant = await quiet().createMerchant('Ada’s Books');
    const page = await openPage(t);
    const email = newEmail();
    await openDashboard(page, quiet(), { merchant, path: '/test/settings?tab=team' });

    await page.getByRole('button', { name: 'Invite a user' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Email').fill('grace');
    await dialog.getByRole('button', { name: 'Invite' }).click();
    await dialog.getByText('Enter an email address such as').waitFor();
    await dialog.getByLabel('Email').fill(email);
    await dialog.getByRole('radio', { name: 'Support' }).check();
    await dialog.getByRole('button', { name: 'Invite' }).click();
    const link = (await page.getByText('/dashboard/invitation?token=').textContent()) ?? '';
    t.deepEqual(await barriersOn(page), []);

    const other = await openPage(t);
    await other.goto(link);
    await waitForHeading(other, 'Join Ada’s Books');
    t.is(other.url(), `${quiet().url}/dashboard/invitation`);
    t.deepEqual(await barriersOn(other), []);
    await other.getByLabel('Your name').fill('Grace Eze');
    await other.getByLabel('Password', { exact: true }).fill('short');
    await other.getByRole('button', { name: 'Accept invitation' }).click();
    await other.getByText('5 of at least 12 characters.').waitFor();
    await other.getByLabel('Password', { exact: true }).fill(chosenPassword);
    await other.getByRole('button', { name: 'Accept invitation' }).click();
    await waitForHeading(other, 'Home');
    await other.getByRole('button', { name: `Account of ${email}` }).click();
    await other.getByText('Checkouts, refunds and resends').waitFor();

    await other.goto(link);
    await waitForHeading(other, 'This invitation does not work');
    await other.getByText('This invitation was accepted already.').waitFor();
    t.deepEqual(await barriersOn(other), []);
  },
);

test.serial(
  'an administrator changes the role of a user, sets the limit of refunds and removes the user',
  async (t) => {
    const merchant = await server().createMerchant('Ada’s Books');
    const page = await openPage(t);
    const sam = await signIn(server(), merchant, 'support');
    await invite(server(), merchant, { email: 'zoe-with-a-rather-long-address-of-many-letters@example.com' });
    await openDashboard(page, server(), { merchant, path: '/test/settings?tab=team' });
    await page.getByText('Pending invitations').waitFor();
    t.deepEqual(await barriersOn(page), []);

    await page.getByRole('button', { name: `Change role of ${sam.email}` }).click();
    await page.getByRole('dialog').getByRole('radio', { name: 'Viewer' }).check();
    await page.getByRole('dialog').getByRole('button', { name: 'Change role' }).click();
    await page.getByRole('row', { name: sam.email }).getByText('Viewer').waitFor();

    await page.getByLabel('Limit in NGN').fill('500.25');
    await page.getByRole('button', { name: 'Save limit' }).click();
    await page.getByText('Limit saved').waitFor();
    const [kept] = await server().database.query('select support_refund_limit from merchant where id = $1', [
      merchant.id,
    ]);
    t.deepEqual(kept, { support_refund_limit: '50025' });

    await page.getByRole('button', { name: `Remove ${sam.email}` }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
    await page.getByRole('row', { name: sam.email }).waitFor({ state: 'detached' });
    t.is((await sam.call('/api/v1/payments')).status, 401);
  },
);

test.serial(
  'a resent invitation of a service without mails shows its new link, and a revoked invitation leaves the list',
  async (t) => {
    const merchant = await quiet().createMerchant('Ada’s Books');
    const { email, link } = await invite(quiet(), merchant);
    const page = await openPage(t);
    await openDashboard(page, quiet(), { merchant, path: '/test/settings?tab=team' });

    await page.getByRole('button', { name: `Resend to ${email}` }).click();
    const renewed = await page.getByText('/dashboard/invitation?token=').textContent();
    t.not(renewed, link);
    await page.getByRole('button', { name: 'Done' }).click();
    await page.getByRole('button', { name: 'Close without copying' }).click();
    await page.getByRole('button', { name: `Revoke the invitation of ${email}` }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click();
    await page.getByText('None.').waitFor();

    await page.goto(renewed ?? '');
    await page.getByText('This invitation was revoked.').waitFor();
  },
);

test.serial('where the service sends mails, only the mail has the link of an invitation', async (t) => {
  const merchant = await server().createMerchant('Ada’s Books');
  const page = await openPage(t);
  const email = newEmail();
  await openDashboard(page, server(), { merchant, path: '/test/settings?tab=team' });
  await page.getByRole('button', { name: 'Invite a user' }).click();
  await page.getByRole('dialog').getByLabel('Email').fill(email);
  await page.getByRole('dialog').getByRole('button', { name: 'Invite' }).click();

  await page.getByText(`An email with a link is on its way to ${email}.`).waitFor();
  t.deepEqual(await barriersOn(page), []);
  t.is(await page.getByText('/dashboard/invitation?token=').count(), 0);
  await page.getByRole('button', { name: 'Done' }).click();
  await page.getByRole('button', { name: `Resend to ${email}` }).click();
  await page.getByText(`An email with a link is on its way to ${email}.`).waitFor();
});

test.serial('a demo says that the mail of an invitation is in its mailbox, and not that it was sent', async (t) => {
  const merchant = await demo().createMerchant('Ada’s Books');
  const page = await openPage(t);
  const { email } = await invite(demo(), merchant);
  await openDashboard(page, demo(), { merchant, path: '/test/settings?tab=team' });

  await page.getByRole('button', { name: `Resend to ${email}` }).click();

  await page.getByText(`The email with the link for ${email} is in its mailbox.`).waitFor();
  t.is(await page.getByText('on its way').count(), 0);
});

test.serial('the last administrator keeps the role, and the dialog says why', async (t) => {
  const merchant = await server().createMerchant('Ada’s Books');
  const page = await openPage(t);
  await openDashboard(page, server(), { merchant, path: '/test/settings?tab=team' });

  await page.getByRole('button', { name: 'Change role of' }).click();
  await page.getByRole('dialog').getByRole('radio', { name: 'Viewer' }).check();
  await page.getByRole('dialog').getByRole('button', { name: 'Change role' }).click();
  await page.getByRole('dialog').getByText('This is the last administrator').waitFor();
  // No assertion is needed: if the page does not show this, the wait above fails the test.
  t.pass();
});

test.serial(
  'a user with the role support sees refunds and resends, but no keys, secrets or transfers, and cannot change the team',
  async (t) => {
    const merchant = await server().createMerchant('Ada’s Books');
    await merchant.client.webhookEndpoints.register({ url: unreachableUrl });
    await merchant.client.checkout.create({ email: 'ada@example.com', amount: 500, reference: 'order-1' });
    await merchant.client.testHelpers.completePayment('order-1');
    const page = await openPage(t);
    await openDashboard(page, server(), { merchant, path: '/test/payments/order-1', role: 'support' });
    await page.getByRole('button', { name: 'Refund' }).waitFor();
    await page.getByRole('button', { name: 'Resend webhooks' }).waitFor();

    await page.goto(`${server().url}/dashboard/test/transfers`);
    await page.getByText('To send money, ask a colleague with the role administrator.').waitFor();
    await page.goto(`${server().url}/dashboard/test/developers`);
    await page.getByText('Your role can view them, but not create, roll or revoke them.').waitFor();
    await page.goto(`${server().url}/dashboard/test/settings?tab=team`);
    await page.getByText('To change it, ask a colleague with the role administrator.').waitFor();
    t.is(await page.getByRole('button', { name: /Invite|Remove|Change role|Save/ }).count(), 0);
  },
);
