import test from 'ava';
import type { Page, Route } from 'playwright-core';
import { barriersOn } from '../support/browser/accessibility.ts';
import { browserForFile } from '../support/browser/browser.ts';
import {
  endSession,
  openAccount,
  openDashboard,
  openSettings,
  signInToDashboard,
} from '../support/dashboard/dashboard.ts';
import { chipOf, chosenTab, filterBy, openFilter } from '../support/dashboard/lists.ts';
import { eventually } from '../support/eventually.ts';
import { startCheckout } from '../support/money/payments.ts';
import { waitForHeading } from '../support/pages/checkout-page.ts';
import { insertDeliveries, unreachableUrl } from '../support/receivers/deliveries.ts';
import { serverForFile } from '../support/server/tillhook.ts';
import { codeOf } from '../support/users/two-step.ts';
import { createMerchantWithUser, password } from '../support/users/users.ts';

const server = serverForFile();
const openPage = browserForFile();

const merchantName = 'Ada’s Books';

test.serial('a user signs in, reloads the page and signs out', async (t) => {
  const { email } = await createMerchantWithUser(server(), merchantName);
  const page = await openPage(t);
  await signInToDashboard(page, server(), { email, password });
  await waitForHeading(page, 'Home');
  t.is(page.url(), `${server().url}/dashboard/test`);
  await page.reload();
  await waitForHeading(page, 'Home');
  t.true(await page.getByText(merchantName).isVisible());

  await page.getByRole('button', { name: `Account of ${email}` }).click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  await waitForHeading(page, 'Sign in to Tillhook');

  await page.goto(`${server().url}/dashboard/test/payments`);
  await waitForHeading(page, 'Sign in to Tillhook');
});

test.serial(
  'a wrong password is refused with a message, and the right password opens the requested page',
  async (t) => {
    const { email } = await createMerchantWithUser(server(), merchantName);
    const page = await openPage(t);
    await signInToDashboard(page, server(), { email, password: 'wrong', path: '/live/deliveries?status=failed' });
    t.is(await page.getByRole('alert').textContent(), 'Email or password is wrong.');

    await page.getByLabel('Password', { exact: true }).fill(password);
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();

    await waitForHeading(page, 'Deliveries');
    t.is(page.url(), `${server().url}/dashboard/live/deliveries?status=failed`);
    t.is(await chosenTab(page), 'Failed');
  },
);

test.serial(
  'the mode is shown in the URL and on the page, and after switching the mode the user is still on the same page',
  async (t) => {
    const page = await openSignedIn(t, '/test/deliveries');
    const rule = () => page.evaluate<string>('getComputedStyle(document.querySelector("header")).borderTopColor');
    const testRule = await rule();

    await page.getByRole('navigation', { name: 'Mode' }).getByRole('link', { name: 'Live' }).click();

    await page.waitForURL('**/dashboard/live/deliveries');
    t.is(await page.locator('[aria-label="Mode"] [aria-current]').textContent(), 'Live');
    t.not(await rule(), testRule);
    await page.goBack();
    await page.waitForURL('**/dashboard/test/deliveries');
    t.is(await rule(), testRule);
  },
);

test.serial('when the session ends, the page asks for the password in a dialog and then continues', async (t) => {
  const page = await openSignedIn(t, '/test/deliveries?status=failed');
  const field = (await openFilter(page, 'Reference')).getByLabel('Reference');
  await field.fill('order-1042');
  await endSession(page, server());

  await field.press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Your session has ended' });
  await dialog.getByLabel('Password', { exact: true }).fill('wrong');
  await dialog.getByRole('button', { name: 'Sign in', exact: true }).click();
  await dialog.getByText('Email or password is wrong.').waitFor();
  t.deepEqual(await barriersOn(page), []);
  await dialog.getByLabel('Password', { exact: true }).fill(password);
  await dialog.getByRole('button', { name: 'Sign in', exact: true }).click();

  await dialog.waitFor({ state: 'detached' });
  await page.getByRole('heading', { name: 'No deliveries match' }).waitFor();
  t.is(await chipOf(page, 'Reference').textContent(), 'Reference: order-1042');
  await eventually(() => new URL(page.url()).search, '?status=failed&reference=order-1042');
});

test.serial(
  'while the service is unreachable the page says that, and it retries when the user clicks a button, or automatically on a page that updates itself',
  async (t) => {
    const page = await openSignedIn(t, '/test/deliveries');
    const named = page.getByText('The service is unavailable');
    await page.route('**/api/v1/**', (route) => route.abort());
    await page.reload();
    await named.waitFor();
    t.deepEqual(await barriersOn(page), []);

    await page.unrouteAll();
    await page.route('**/api/v1/webhook-deliveries?*', (route) => route.abort());
    await page.getByRole('button', { name: 'Try again' }).click();
    await waitForHeading(page, 'Deliveries');
    await named.waitFor();
    const { promise: firstRoute, resolve: hold } = Promise.withResolvers<Route>();
    await page.route('**/api/v1/webhook-deliveries?*', (route) => hold(route));
    const held = await firstRoute;
    t.is(await page.locator('main [aria-busy=true]').count(), 0, 'a call without a click does not hide the failure');
    await held.abort();
    await page.unrouteAll();

    await page.getByRole('heading', { name: 'No deliveries yet' }).waitFor();
  },
);

async function openSignedIn(t: Parameters<typeof openPage>[0], path: string): Promise<Page> {
  const { email } = await createMerchantWithUser(server(), merchantName);
  const page = await openPage(t);
  await signInToDashboard(page, server(), { email, password, path });
  await page.getByRole('heading', { level: 1, name: /^(?!Sign in)/ }).waitFor();
  return page;
}

test.serial(
  'sign-in asks for an authenticator code or a recovery code after the password, even when a session has expired',
  async (t) => {
    const { email } = await createMerchantWithUser(server(), 'Ada’s Books');
    const { secret, recoveryCodes } = await server().arrange('turnTwoStepOn', { email });
    const [first = '', second = ''] = recoveryCodes;
    const page = await openPage(t);
    const enter = async (code: string) => {
      await page.getByLabel('Code').fill(code);
      await page.getByRole('button', { name: 'Continue' }).click();
    };

    await signInToDashboard(page, server(), { email, password, path: '/test/payments?status=failed' });
    await enter('000000');
    await page.getByText('This code is wrong or was already used.').waitFor();
    t.deepEqual(await barriersOn(page), []);
    await enter(codeOf(secret));
    await waitForHeading(page, 'Payments');

    const field = (await openFilter(page, 'Email')).getByLabel('Email');
    await field.fill('grace@example.com');
    await endSessionOf(email);
    await field.press('Enter');
    const dialog = page.getByRole('dialog', { name: 'Your session has ended' });
    await dialog.getByLabel('Password', { exact: true }).fill(password);
    await dialog.getByRole('button', { name: 'Sign in', exact: true }).click();
    await dialog.getByLabel('Code').fill(first);
    t.deepEqual(await barriersOn(page), []);
    await dialog.getByRole('button', { name: 'Sign in', exact: true }).click();
    await dialog.waitFor({ state: 'detached' });
    await page.getByRole('heading', { name: 'No payments match' }).waitFor();
    t.is(await chipOf(page, 'Email').textContent(), 'Email: grace@example.com');

    await page.context().clearCookies();
    await signInToDashboard(page, server(), { email, password });
    await enter(first);
    await page.getByText('This code is wrong or was already used.').waitFor();
    await enter(second);
    await waitForHeading(page, 'Home');
  },
);

test.serial(
  'the menu of the user opens their account, and links without a mode and to earlier addresses lead there too',
  async (t) => {
    const { email } = await createMerchantWithUser(server(), merchantName);
    const page = await openPage(t);
    await signInToDashboard(page, server(), { email, password, path: '/account?tab=sessions' });
    await waitForHeading(page, 'Your account');
    t.is(page.url(), `${server().url}/dashboard/test/account?tab=sessions`);

    for (const [earlier, present] of [
      ['/settings', '/test/settings'],
      ['/test/settings?tab=sign-in', '/test/account?tab=sign-in'],
      ['/live/settings?tab=sessions', '/live/account?tab=sessions'],
    ]) {
      await page.goto(`${server().url}/dashboard${earlier}`);
      await page.waitForURL(`${server().url}/dashboard${present}`);
    }
    await page.getByRole('button', { name: `Account of ${email}` }).click();
    await page.getByRole('menuitem', { name: 'Your account' }).click();
    await page.waitForURL(`${server().url}/dashboard/live/account`);
    await page.getByRole('heading', { name: 'Two-step sign-in' }).waitFor();
  },
);

async function endSessionOf(email: string): Promise<void> {
  await server().database.query(
    'delete from dashboard_session using dashboard_user where dashboard_user.id = user_id and email = $1',
    [email],
  );
}

test.serial(
  'the search opens a page by name, a payment by reference or email, and a delivery by id, with only the keyboard',
  async (t) => {
    const merchant = await server().createMerchant();
    const { id: webhookId } = await merchant.client.webhookEndpoints.register({ url: unreachableUrl });
    const [delivery = ''] = await insertDeliveries(server(), merchant, { webhookId });
    await startCheckout(merchant, 'order-1042');
    await merchant.client.checkout.create({ email: 'grace@example.com', amount: 100, reference: 'order-1043' });
    const page = await openPage(t);
    await openDashboard(page, server(), { merchant, path: '/test' });
    const search = page.getByRole('textbox', { name: 'Search' });
    const goTo = async (keys: string, typed: string, shown: string | RegExp) => {
      await page.keyboard.press(keys);
      await search.fill(typed);
      await page.getByRole('dialog').getByRole('button', { name: shown }).waitFor();
      await page.keyboard.press('Enter');
      await search.waitFor({ state: 'detached' });
    };

    await goTo('Control+k', 'balan', 'Balances');
    await page.waitForURL('**/test/balances');
    await goTo('Meta+k', 'order-1042', /^order-1042.*ada@example.com/);
    await page.waitForURL('**/test/payments/order-1042');
    await goTo('Control+k', 'grace@example.com', /^order-1043.*grace@example.com/);
    await page.waitForURL('**/test/payments/order-1043');
    await page.keyboard.press('Control+k');
    await search.fill('order-1042');
    await page.keyboard.press('Enter');
    await page.waitForURL('**/test/payments/order-1042');
    await goTo('Meta+k', ` ${delivery.toUpperCase()} `, 'Delivery of checkout.success');
    await page.waitForURL(`**/test/deliveries/${delivery}`);

    await page.keyboard.press('Control+k');
    await search.fill('order-1044');
    await page.getByText('No results in test mode.').waitFor();
    t.deepEqual(await barriersOn(page), []);
    await page.route('**/api/v1/dashboard/search?*', (route) => route.abort());
    await search.fill('order-1045');
    await page.getByText('The service is unavailable. Close this and try again.').waitFor();
    await page.keyboard.press('Escape');
    await search.waitFor({ state: 'detached' });
  },
);

test.serial(
  "when the merchant's name is changed, customers and the header show the new name, and the page says why the currency cannot change",
  async (t) => {
    const page = await openPage(t);
    await openSettings(page, server());
    await page.getByText('It cannot be changed, because').waitFor();

    await page.getByLabel('Name', { exact: true }).fill('كتب آدا 📚 <script>');
    await page.getByRole('button', { name: 'Save', exact: true }).click();

    await page.getByRole('banner').getByText('كتب آدا 📚 <script>').waitFor();
    await page.reload();
    t.is(await page.getByLabel('Name', { exact: true }).inputValue(), 'كتب آدا 📚 <script>');
  },
);

test.serial(
  'a user turns two-step sign-in on, renews the recovery codes, needs a code to create a key, and turns it off',
  async (t) => {
    const page = await openPage(t);
    await openAccount(page, server());
    const dialog = page.getByRole('dialog');
    await page.getByRole('button', { name: 'Turn on' }).click();
    await dialog.getByLabel('Password', { exact: true }).fill('wrong');
    await dialog.getByRole('button', { name: 'Continue' }).click();
    await dialog.getByText('Wrong password.').waitFor();
    await dialog.getByLabel('Password', { exact: true }).fill(password);
    await dialog.getByRole('button', { name: 'Continue' }).click();
    await dialog.getByRole('img', { name: 'QR code of the secret' }).waitFor();
    const secret = ((await dialog.locator('code').textContent()) ?? '').replaceAll(' ', '');
    await dialog.getByLabel('Six-digit code from the app').fill(codeOf(secret));
    await dialog.getByRole('button', { name: 'Turn on' }).click();
    const codes = ((await dialog.locator('pre').textContent()) ?? '').split('\n');
    t.is(codes.length, 10);
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      dialog.getByRole('link', { name: 'Download as text' }).click(),
    ]);
    t.is(download.suggestedFilename(), 'tillhook-recovery-codes.txt');
    await dialog.getByRole('button', { name: 'Done' }).click();
    await page.getByRole('button', { name: 'Move to another phone' }).waitFor();

    await page.getByRole('button', { name: 'Create new recovery codes' }).click();
    await dialog.getByLabel('Password', { exact: true }).fill(password);
    await dialog.getByLabel('Code').fill('000000');
    await dialog.getByRole('button', { name: 'Create new codes' }).click();
    await dialog.getByText('This code is wrong').waitFor();
    await dialog.getByLabel('Code').fill(codeOf(secret, { ahead: 1 }));
    await dialog.getByRole('button', { name: 'Create new codes' }).click();
    const [fresh = '', second = ''] = ((await dialog.locator('pre').textContent()) ?? '').split('\n');
    t.false(codes.includes(fresh));
    await dialog.getByRole('button', { name: 'Done' }).click();
    await dialog.getByText('They cannot be shown again.').waitFor();
    await dialog.getByRole('button', { name: 'Copy the recovery codes' }).click();
    await dialog.getByRole('button', { name: 'Done' }).click();

    await page.goto(`${server().url}/dashboard/test/developers`);
    await page.getByRole('button', { name: 'Create API key', exact: true }).click();
    await dialog.getByLabel('Code').fill(second);
    await dialog.getByRole('button', { name: 'Create key' }).click();
    await dialog.getByRole('button', { name: 'Copy the key' }).click();
    await dialog.getByRole('button', { name: 'Done' }).click();

    await page.goBack();
    await page.getByRole('button', { name: 'Turn off' }).click();
    await dialog.getByLabel('Password', { exact: true }).fill(password);
    await dialog.getByLabel('Code').fill(fresh);
    await dialog.getByRole('button', { name: 'Turn off' }).click();
    await page.getByRole('button', { name: 'Turn on' }).waitFor();
  },
);

test.serial(
  "a new password ends the user's other sessions, and a short password is refused without a request",
  async (t) => {
    const { email } = await createMerchantWithUser(server(), merchantName);
    const other = await openPage(t);
    await signInToDashboard(other, server(), { email, password });
    await other.getByRole('heading', { level: 1, name: 'Home' }).waitFor();
    const page = await openPage(t);
    await openAccount(page, server(), { email });

    await page.getByLabel('Current password', { exact: true }).fill(password);
    await page.getByLabel('New password', { exact: true }).fill('short');
    await page.getByRole('button', { name: 'Change password' }).click();
    await page.getByText('5 of at least 12 characters').waitFor();
    await page.getByLabel('New password', { exact: true }).fill('another long password');
    await page.getByRole('button', { name: 'Change password' }).click();

    await page.getByText('Your password was changed.').waitFor();
    await other.reload();
    await other.getByRole('heading', { level: 1, name: 'Sign in to Tillhook' }).waitFor();
    await signInToDashboard(other, server(), { email, password });
    t.regex((await other.getByRole('alert').textContent()) ?? '', /password/);
    await signInToDashboard(other, server(), { email, password: 'another long password' });
    await other.getByRole('heading', { level: 1, name: 'Home' }).waitFor();
  },
);

test.serial('a user ends another session, and the audit log shows this action and can be filtered', async (t) => {
  const { email } = await createMerchantWithUser(server(), merchantName);
  const other = await openPage(t);
  await signInToDashboard(other, server(), { email, password });
  await other.getByRole('heading', { level: 1, name: 'Home' }).waitFor();
  const page = await openPage(t);
  await openAccount(page, server(), { tab: 'sessions', email });
  await page.getByText('This session').first().waitFor();
  t.is(await page.getByText('This session').count(), 1);

  await page.getByRole('button', { name: 'End the session in Chrome' }).click();

  await page.getByRole('button', { name: 'End the session in' }).waitFor({ state: 'detached' });
  await other.reload();
  await other.getByRole('heading', { level: 1, name: 'Sign in to Tillhook' }).waitFor();
  await page.goto(`${server().url}/dashboard/test/settings?tab=audit`);
  await page.getByRole('row', { name: /Ended a session/ }).waitFor();
  await (await openFilter(page, 'Action')).getByLabel('Action').selectOption('Signed in');
  await page.getByRole('row', { name: /Ended a session/ }).waitFor({ state: 'detached' });
  t.is(new URL(page.url()).search, '?tab=audit&action=signIn');
  await page.keyboard.press('Escape');
  await filterBy(page, 'User', 'nobody here');
  await page.getByText('No entries match').waitFor();
  await filterBy(page, 'User', email.slice(4, 16).toUpperCase());
  const signedIn = page.getByRole('row', { name: new RegExp(`Signed in.*${email}.*Chrome`, 'i') });
  await signedIn.first().waitFor();
  t.is(await signedIn.count(), 2);
});

test.serial('a user ends all their other sessions', async (t) => {
  const { email } = await createMerchantWithUser(server(), merchantName);
  for (const _ of [1, 2]) await server().arrange('openSession', { email });
  const page = await openPage(t);
  await openAccount(page, server(), { tab: 'sessions', email });
  const others = page.getByRole('button', { name: 'End the session in' });
  await others.nth(1).waitFor();
  t.is(await others.count(), 2);

  await page.getByRole('button', { name: 'End all other sessions' }).click();

  await page.getByText('You were signed out everywhere else.').waitFor();
  await page.getByRole('button', { name: 'End all other sessions' }).waitFor({ state: 'detached' });
  t.is(await page.getByText('This session').count(), 1);
});
