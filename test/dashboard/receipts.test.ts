import test from 'ava';
import { browserForFile } from '../support/browser/browser.ts';
import { openDashboard, signInToDashboard } from '../support/dashboard/dashboard.ts';
import { eventually } from '../support/eventually.ts';
import { serverForFile } from '../support/server/tillhook.ts';
import { createMerchantWithUser, password } from '../support/users/users.ts';

const server = serverForFile({ ROLE: 'api', SEED_DEMO: 'true' });
const openPage = browserForFile();
const path = '/test/settings?tab=receipts';

test.serial('an administrator switches receipts on, and the next paid payment has one', async (t) => {
  const { client, id, email } = await createMerchantWithUser(server(), 'Ada’s Books');
  const page = await openPage(t);
  await signInToDashboard(page, server(), { email, password, path });
  const form = page.getByRole('main').locator('form');
  const sends = form.getByRole('checkbox', { name: 'Send emails to customers' });
  t.false(await sends.isChecked());
  t.is(await page.getByRole('link', { name: 'its mailbox' }).getAttribute('href'), '/mails');

  await form.getByLabel('Reply-to email').fill('help');
  await sends.check();
  await form.getByRole('button', { name: 'Save' }).click();
  await form.getByText('Enter an email address such as ada@example.com.').waitFor();
  t.true(await sends.isChecked());
  await form.getByLabel('Reply-to email').fill(' help@shop.example.com ');
  await form.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Saved. Customers get emails.').waitFor();

  t.is(await form.getByLabel('Reply-to email').inputValue(), 'help@shop.example.com');
  await page.getByRole('main').locator('dd').getByText('help@shop.example.com').waitFor();
  const { data } = await client.checkout.create({ email: 'grace@example.com', amount: 500 });
  await client.testHelpers.completePayment(data.reference);
  const recipients = () => server().database.query('select recipient from mail where merchant_id = $1', [id]);
  t.deepEqual(await eventually(recipients, [{ recipient: 'grace@example.com' }]), [{ recipient: 'grace@example.com' }]);
});

test.serial('a new checkout link asks whether to send a receipt, only where receipts are on', async (t) => {
  const { id, email } = await createMerchantWithUser(server(), 'Ada’s Books');
  const page = await openPage(t);
  await signInToDashboard(page, server(), { email, password, path: '/test/payments' });
  const dialog = page.getByRole('dialog', { name: 'Create a checkout link' });
  const choice = dialog.getByRole('checkbox', { name: 'Send a receipt' });
  const open = () => page.getByRole('button', { name: 'Create a checkout link' }).first().click();
  const settings = page.waitForResponse('**/api/v1/dashboard/settings');
  await open();
  await (await settings).finished();
  await dialog.getByLabel('Amount').fill('5');
  t.is(await choice.count(), 0);
  await server().database.query('update merchant set send_receipts = true where id = $1', [id]);
  await page.reload();

  for (const isWanted of [true, false]) {
    await open();
    await dialog.getByLabel('Amount').fill('5');
    await dialog.getByLabel('Customer’s email').fill('grace@example.com');
    t.true(await choice.isChecked());
    await choice.setChecked(isWanted);
    await dialog.getByRole('button', { name: 'Create link' }).click();
    await page.getByRole('dialog', { name: 'Send this link' }).waitFor();
    await page.keyboard.press('Escape');
  }

  const made = 'select receipt from payment where merchant_id = $1 order by created_at';
  t.deepEqual(await server().database.query(made, [id]), [{ receipt: true }, { receipt: false }]);
});

test.serial('a viewer reads the settings of receipts and cannot change them', async (t) => {
  const page = await openPage(t);

  await openDashboard(page, server(), { merchant: await server().createMerchant(), path, role: 'viewer' });

  await page.getByText('Your role is viewer', { exact: false }).waitFor();
  t.true(await page.getByRole('checkbox', { name: 'Send emails to customers' }).isDisabled());
  t.is(await page.getByRole('button', { name: 'Save' }).count(), 0);
});

test.serial(
  'the preview shows the mail with its own styles, in the chosen language, without a breach of the policy',
  async (t) => {
    const { email } = await createMerchantWithUser(server(), 'Ada’s Books');
    const page = await openPage(t);
    const breaches: string[] = [];
    page.on('console', (message) => message.text().includes('Security Policy') && breaches.push(message.text()));
    await signInToDashboard(page, server(), { email, password, path });
    const mail = page.frameLocator('iframe');
    await mail.getByText('Thank you for your payment').waitFor();
    const frame = await (await page.$('iframe'))?.contentFrame();
    t.is(await frame?.evaluate('getComputedStyle(document.querySelector("h1")).fontSize'), '22px');

    await page.getByLabel('Language', { exact: true }).selectOption('Arabic');

    await mail.getByText('شكرًا لك على الدفع').waitFor();
    t.is(await mail.locator('html').getAttribute('dir'), 'rtl');
    t.deepEqual(breaches, []);
  },
);
