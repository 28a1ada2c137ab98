/** Settings: the business, the sign-in of the user, the sessions, and the audit log. */
import test, { type ExecutionContext } from 'ava';
import type { Page } from 'playwright-core';
import { browserForFile } from '../support/browser/browser.ts';
import { signInToDashboard } from '../support/dashboard/dashboard.ts';
import { serverForFile } from '../support/server/tillhook.ts';
import { codeOf } from '../support/users/two-step.ts';
import { createMerchantWithUser, password } from '../support/users/users.ts';

const server = serverForFile();

const openPage = browserForFile();

const name = 'Ada’s Books';

test.serial(
  'a new name is shown to customers and in the header, and the page says why the currency cannot change',
  async (t) => {
    const page = await openSettings(t);
    await page.getByText('It cannot change, because').waitFor();

    await page.getByLabel('Name', { exact: true }).fill('كتب آدا 📚 <script>');
    await page.getByRole('button', { name: 'Save' }).click();

    await page.getByRole('banner').getByText('كتب آدا 📚 <script>').waitFor();
    await page.reload();
    t.is(await page.getByLabel('Name', { exact: true }).inputValue(), 'كتب آدا 📚 <script>');
  },
);

test.serial('terms, help and the name on statements are saved, and a mistake is shown beside its field', async (t) => {
  const page = await openSettings(t);
  await page.getByLabel('Address of your terms').fill('http://shop.example.com/terms');
  await page.getByLabel('Name on statements').fill('ADA');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Must begin with https://.').waitFor();
  await page.getByText('Must have 5 to 22 Latin letters').waitFor();

  await page.getByLabel('Address of your terms').fill('https://shop.example.com/terms');
  await page.getByLabel('Email for customers').fill('help@shop.example.com');
  await page.getByLabel('Name on statements').fill('ADAS BOOKS');
  await page.getByRole('button', { name: 'Save' }).click();

  await page.getByText('The settings are saved.').waitFor();
  await page.reload();
  t.is(await page.getByLabel('Address of your terms').inputValue(), 'https://shop.example.com/terms');
  t.is(await page.getByLabel('Email for customers').inputValue(), 'help@shop.example.com');
  t.is(await page.getByLabel('Name on statements').inputValue(), 'ADAS BOOKS');
});

test.serial(
  'two-step sign-in is turned on, gets new recovery codes, is needed to create a key, and is turned off',
  async (t) => {
    const page = await openSettings(t, { tab: 'sign-in' });
    const dialog = page.getByRole('dialog');
    await page.getByRole('button', { name: 'Turn it on' }).click();
    await dialog.getByLabel('Password', { exact: true }).fill('wrong');
    await dialog.getByRole('button', { name: 'Continue' }).click();
    await dialog.getByText('That password is wrong.').waitFor();
    await dialog.getByLabel('Password', { exact: true }).fill(password);
    await dialog.getByRole('button', { name: 'Continue' }).click();
    await dialog.getByRole('img', { name: 'The secret as a picture' }).waitFor();
    const secret = ((await dialog.locator('code').textContent()) ?? '').replaceAll(' ', '');
    await dialog.getByLabel('The six digits').fill(codeOf(secret));
    await dialog.getByRole('button', { name: 'Turn it on' }).click();
    const codes = ((await dialog.locator('pre').textContent()) ?? '').split('\n');
    t.is(codes.length, 10);
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      dialog.getByRole('link', { name: 'Download as text' }).click(),
    ]);
    t.is(download.suggestedFilename(), 'tillhook-recovery-codes.txt');
    await dialog.getByRole('button', { name: 'Done' }).click();
    await page.getByRole('button', { name: 'Move it to another phone' }).waitFor();

    await page.getByRole('button', { name: 'Make new recovery codes' }).click();
    await dialog.getByLabel('Password', { exact: true }).fill(password);
    await dialog.getByLabel('Code').fill('000000');
    await dialog.getByRole('button', { name: 'Make new ones' }).click();
    await dialog.getByText('That code is wrong').waitFor();
    await dialog.getByLabel('Code').fill(codeOf(secret, { ahead: 1 }));
    await dialog.getByRole('button', { name: 'Make new ones' }).click();
    const [fresh = '', second = ''] = ((await dialog.locator('pre').textContent()) ?? '').split('\n');
    t.false(codes.includes(fresh));
    await dialog.getByRole('button', { name: 'Done' }).click();
    await dialog.getByText('Copy them now, or close without them and make new ones when you need them.').waitFor();
    await dialog.getByRole('button', { name: 'Copy the recovery codes' }).click();
    await dialog.getByRole('button', { name: 'Done' }).click();

    await page.goto(`${server().url}/dashboard/test/developers`);
    await page.getByRole('button', { name: 'Create a key', exact: true }).click();
    await dialog.getByLabel('Code').fill(second);
    await dialog.getByRole('button', { name: 'Create the key' }).click();
    await dialog.getByRole('button', { name: 'Copy the key' }).click();
    await dialog.getByRole('button', { name: 'Done' }).click();

    await page.goBack();
    await page.getByRole('button', { name: 'Turn it off' }).click();
    await dialog.getByLabel('Password', { exact: true }).fill(password);
    await dialog.getByLabel('Code').fill(fresh);
    await dialog.getByRole('button', { name: 'Turn it off' }).click();
    await page.getByRole('button', { name: 'Turn it on' }).waitFor();
  },
);

test.serial('a new password ends the other sessions, and a short one is refused without a call', async (t) => {
  const { email } = await createMerchantWithUser(server(), name);
  const other = await openPage(t);
  await signInToDashboard(other, server(), { email, password });
  await other.getByRole('heading', { level: 1, name: 'Home' }).waitFor();
  const page = await openSettings(t, { tab: 'sign-in', email });

  await page.getByLabel('Present password', { exact: true }).fill(password);
  await page.getByLabel('New password', { exact: true }).fill('short');
  await page.getByRole('button', { name: 'Change the password' }).click();
  await page.getByText('It has 5 characters').waitFor();
  await page.getByLabel('New password', { exact: true }).fill('another long password');
  await page.getByRole('button', { name: 'Change the password' }).click();

  await page.getByText('Your password is changed.').waitFor();
  await other.reload();
  await other.getByRole('heading', { level: 1, name: 'Sign in to Tillhook' }).waitFor();
  await signInToDashboard(other, server(), { email, password });
  t.regex((await other.getByRole('alert').textContent()) ?? '', /password/);
  await signInToDashboard(other, server(), { email, password: 'another long password' });
  await other.getByRole('heading', { level: 1, name: 'Home' }).waitFor();
});

test.serial('a user ends another session, and the audit log shows it in words and can be filtered', async (t) => {
  const { email } = await createMerchantWithUser(server(), name);
  const other = await openPage(t);
  await signInToDashboard(other, server(), { email, password });
  await other.getByRole('heading', { level: 1, name: 'Home' }).waitFor();
  const page = await openSettings(t, { tab: 'sessions', email });
  await page.getByText('this one').first().waitFor();
  t.is(await page.getByText('this one').count(), 1);

  await page.getByRole('button', { name: 'End the session in Chrome' }).click();

  await page.getByRole('button', { name: 'End the session in' }).waitFor({ state: 'detached' });
  await other.reload();
  await other.getByRole('heading', { level: 1, name: 'Sign in to Tillhook' }).waitFor();
  await page.getByRole('tab', { name: 'Audit log' }).click();
  await page.getByRole('row', { name: /Ended a session/ }).waitFor();
  await page.getByLabel('What').selectOption('Signed in');
  await page.getByRole('row', { name: /Ended a session/ }).waitFor({ state: 'detached' });
  t.is(new URL(page.url()).search, '?tab=audit&action=signIn');
  await page.getByLabel('Who').fill('nobody here');
  await page.getByText('No entry matches').waitFor();
  await page.getByLabel('Who').fill(email.slice(4, 16).toUpperCase());
  const signedIn = page.getByRole('row', { name: new RegExp(`Signed in.*${email}.*Chrome`, 'i') });
  await signedIn.first().waitFor();
  t.is(await signedIn.count(), 2);
});

async function openSettings(t: ExecutionContext, { tab = '', email = '' } = {}): Promise<Page> {
  const page = await openPage(t);
  const who = email || (await createMerchantWithUser(server(), name)).email;
  await signInToDashboard(page, server(), { email: who, password, path: `/test/settings${tab && `?tab=${tab}`}` });
  await page.getByRole('heading', { level: 1, name: 'Settings' }).waitFor();
  await page.getByRole('heading', { level: 2 }).first().waitFor();
  return page;
}
