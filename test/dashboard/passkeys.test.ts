import test, { type ExecutionContext } from 'ava';
import type { Page } from 'playwright-core';
import { browserForFile } from '../support/browser/browser.ts';
import { addAuthenticator } from '../support/browser/virtual-authenticator.ts';
import { openDashboard, signInToDashboard } from '../support/dashboard/dashboard.ts';
import { eventually } from '../support/eventually.ts';
import { waitForHeading } from '../support/pages/checkout-page.ts';
import { serverForFile } from '../support/server/tillhook.ts';
import { invite } from '../support/users/team.ts';
import { emailOf } from '../support/users/two-step.ts';
import { createMerchantWithUser, password } from '../support/users/users.ts';

const server = serverForFile();
const openPage = browserForFile();

async function openAccount(t: ExecutionContext, options: Parameters<typeof addAuthenticator>[1] = {}) {
  const page = await openPage(t, { isNew: true });
  const merchant = await server().createMerchant('Ada’s Books');
  await openDashboard(page, server(), { merchant, path: '/test/account' });
  const authenticator = await addAuthenticator(page, options);
  return { page, merchant, authenticator, email: await emailOf(server(), merchant) };
}

async function addPasskey(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Add a passkey' }).click();
  const dialog = page.getByRole('dialog', { name: 'Add a passkey' });
  await dialog.getByLabel('Password', { exact: true }).fill(password);
  await dialog.getByRole('button', { name: 'Continue' }).click();
}

const rows = (page: Page) => page.getByRole('table', { name: 'Your passkeys' }).getByRole('row');

async function signOut(page: Page): Promise<void> {
  await page.context().clearCookies();
  await page.goto(`${server().url}/dashboard/sign-in`);
  await waitForHeading(page, 'Sign in to Tillhook');
}

/** The button is then the only way to a passkey. */
const offerNoneInFields = 'PublicKeyCredential.isConditionalMediationAvailable = async () => false';

const pressPasskey = (page: Page) => page.getByRole('button', { name: 'Sign in with a passkey' }).click();

test.serial('a user adds a passkey, renames it, signs in with it alone, and removes it', async (t) => {
  const { page, authenticator } = await openAccount(t);
  await page.addInitScript(offerNoneInFields);
  await addPasskey(page);
  await page.getByText(/^You can now sign in with the passkey “Chrome.* on Linux”/).waitFor();
  t.is((await authenticator.credentials()).length, 1);

  await page.getByRole('button', { name: /^Rename the passkey/ }).click();
  await page.getByRole('dialog').getByLabel('Name').fill('My work laptop');
  await page.getByRole('dialog').getByRole('button', { name: 'Rename' }).click();
  await rows(page).getByText('My work laptop').waitFor();

  await signOut(page);
  await pressPasskey(page);
  await waitForHeading(page, 'Home');
  await page.goto(`${server().url}/dashboard/test/account`);
  t.false((await rows(page).nth(1).textContent())?.includes('Never'));

  await page.getByRole('button', { name: 'Remove the passkey My work laptop' }).click();
  await page.getByRole('button', { name: 'Remove passkey' }).click();
  await page.getByText('No passkeys yet.').waitFor();
  await signOut(page);
  await pressPasskey(page);
  await page.getByText('This passkey is not accepted.').waitFor();
});

test.serial('the browser offers the passkey in the field for the email, without a click', async (t) => {
  const { page } = await openAccount(t);
  await addPasskey(page);
  await rows(page).first().waitFor();

  await signOut(page);

  await waitForHeading(page, 'Home');
  // No assertion is needed: if the page does not show this, the wait above fails the test.
  t.pass();
});

test.serial('a user who types the password signs in while the browser waits for a passkey', async (t) => {
  const { page, authenticator, email } = await openAccount(t);
  await addPasskey(page);
  await rows(page).first().waitFor();
  await authenticator.clear();
  await authenticator.setPresence(false);
  await page.context().clearCookies();

  await signInToDashboard(page, server(), { email, password });

  await waitForHeading(page, 'Home');
  // No assertion is needed: if the page does not show this, the wait above fails the test.
  t.pass();
});

test.serial('an authenticator that cannot verify its user adds no passkey, and the page says why', async (t) => {
  const { page } = await openAccount(t, { canVerify: false });
  await addPasskey(page);

  await page
    .getByRole('dialog')
    .getByText(/No passkey was used|cannot ask for a finger/)
    .waitFor();
  await page.keyboard.press('Escape');
  t.true(await page.getByText('No passkeys yet.').isVisible());
});

test.serial('an authenticator whose user fails the check opens no session', async (t) => {
  const { page, authenticator } = await openAccount(t);
  await addPasskey(page);
  await rows(page).first().waitFor();
  await authenticator.setVerified(false);

  await signOut(page);
  await pressPasskey(page);

  await page.getByText('No passkey was used. Try again, or sign in another way.').waitFor();
  // No assertion is needed: if the page does not show this, the wait above fails the test.
  t.pass();
});

test.serial('a copy of a passkey is refused, and the page says so', async (t) => {
  const { page, authenticator } = await openAccount(t);
  await addPasskey(page);
  await rows(page).first().waitFor();
  const [credential] = await authenticator.credentials();
  if (!credential) return t.fail('The authenticator has no passkey.');
  await signOut(page);
  await waitForHeading(page, 'Home');
  await authenticator.clear();
  await authenticator.addCredential({ ...credential, signCount: 0 });
  await page.addInitScript(offerNoneInFields);

  await signOut(page);
  await pressPasskey(page);

  await page.getByText(/an attacker may have a copy of it/).waitFor();
  // No assertion is needed: if the page does not show this, the wait above fails the test.
  t.pass();
});

test.serial('another browser has no passkey, and its user signs in by password', async (t) => {
  const { email } = await createMerchantWithUser(server(), 'Ada’s Books');
  const page = await openPage(t, { isNew: true });
  const authenticator = await addAuthenticator(page);
  await page.goto(`${server().url}/dashboard/sign-in`);
  await pressPasskey(page);
  await page.getByText('No passkey was used. Try again, or sign in another way.').waitFor();

  await signInToDashboard(page, server(), { email, password });

  await waitForHeading(page, 'Home');
  t.is((await authenticator.credentials()).length, 0);
});

test.serial('a user without a password proves by passkey, and sets a password', async (t) => {
  const { page, email } = await openAccount(t);
  await addPasskey(page);
  await rows(page).first().waitFor();
  await server().database.query('update dashboard_user set password_hash = null where email = $1', [email]);
  await page.reload();

  await page
    .getByRole('button', { name: /^Remove the passkey/ })
    .first()
    .click();
  await page.getByRole('button', { name: 'Remove passkey' }).click();
  await page
    .getByRole('dialog')
    .getByText(/your only way to sign in/)
    .waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('textbox', { name: 'New password', exact: true }).fill('a password that comes later');
  await page.getByRole('button', { name: 'Change password' }).click();

  await page.getByText('Your password was changed').waitFor();
  const hash = async () =>
    (
      await server().database.query<{ has: boolean }>(
        'select password_hash is not null as has from dashboard_user where email = $1',
        [email],
      )
    )[0]?.has;
  t.true(await eventually(hash, true));
});

test.serial('an invited person accepts with a passkey and without a password, and signs in with it', async (t) => {
  const { link, email } = await invite(server(), await server().createMerchant('Ada’s Books'));
  const page = await openPage(t, { isNew: true });
  await page.addInitScript(offerNoneInFields);
  await addAuthenticator(page);
  await page.goto(link);
  const accept = () => page.getByRole('button', { name: 'Accept with a passkey' }).click();
  await accept();
  await page.getByText('Enter your name first.').waitFor();

  await page.getByLabel('Your name').fill('Grace Eze');
  await accept();

  await waitForHeading(page, 'Home');
  await signOut(page);
  await pressPasskey(page);
  await waitForHeading(page, 'Home');
  await page.getByRole('button', { name: `Account of ${email}` }).waitFor();
  // No assertion is needed: if the page does not show this, the wait above fails the test.
  t.pass();
});
