/** What holds on every page of the dashboard: the sign-in, the mode, and the end of a session. */
import test from 'ava';
import type { Page, Route } from 'playwright-core';
import { barriersOn } from '../support/browser/accessibility.ts';
import { browserForFile } from '../support/browser/browser.ts';
import { endSession, refuse, signInToDashboard } from '../support/dashboard/dashboard.ts';
import { eventually } from '../support/eventually.ts';
import { waitForHeading } from '../support/pages/checkout-page.ts';
import { serverForFile } from '../support/server/tillhook.ts';
import { addUser, createMerchantWithUser, password } from '../support/users/users.ts';

const server = serverForFile();
const openPage = browserForFile();
const merchantName = 'Ada’s Books';

test.serial('a user signs in, reloads and signs out', async (t) => {
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

test.serial('a wrong password gives a message, and the right one leads to the requested page', async (t) => {
  const { email } = await createMerchantWithUser(server(), merchantName);
  const page = await openPage(t);
  await signInToDashboard(page, server(), { email, password: 'wrong', path: '/live/deliveries?status=failed' });
  t.is(await page.getByRole('alert').textContent(), 'Email or password is wrong.');

  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();

  await waitForHeading(page, 'Deliveries');
  t.is(page.url(), `${server().url}/dashboard/live/deliveries?status=failed`);
  t.is(await page.getByLabel('Status').inputValue(), 'failed');
});

test.serial('after the sign-in a forged link does not lead to another site', async (t) => {
  const { email } = await createMerchantWithUser(server(), merchantName);
  const page = await openPage(t);
  await signInToDashboard(page, server(), { email, password, path: '/sign-in?from=//example.com/test' });

  await waitForHeading(page, 'Home');
  t.is(page.url(), `${server().url}/dashboard/test`);
});

test.serial('the mode is in the address and on the page, and switching it keeps the page', async (t) => {
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
});

test.serial('when the session ends, the page asks for the password in a dialog and then continues', async (t) => {
  const page = await openSignedIn(t, '/test/deliveries');
  await endSession(page, server());

  await page.getByLabel('Reference').fill('order-1042');
  const dialog = page.getByRole('dialog', { name: 'Your session has ended' });
  await dialog.getByLabel('Password', { exact: true }).fill('wrong');
  await dialog.getByRole('button', { name: 'Sign in', exact: true }).click();
  await dialog.getByText('Email or password is wrong.').waitFor();
  t.deepEqual(await barriersOn(page), []);
  await dialog.getByLabel('Password', { exact: true }).fill(password);
  await dialog.getByRole('button', { name: 'Sign in', exact: true }).click();

  await dialog.waitFor({ state: 'detached' });
  await page.getByRole('heading', { name: 'No delivery matches' }).waitFor();
  t.is(await page.getByLabel('Reference').inputValue(), 'order-1042');
  await eventually(() => new URL(page.url()).search, '?reference=order-1042');
});

test.serial('an operator who signs in again sees the same merchant; a failed sign-out gives a message', async (t) => {
  await server().createMerchant('Grace & Co');
  const email = await addUser(server(), await server().createMerchant('The service itself'), 'operator');
  const page = await openPage(t);
  await signInToDashboard(page, server(), { email, password, path: '/test/operator?tab=merchants' });
  await page.getByRole('button', { name: 'Open Grace & Co' }).click();
  const watched = page.getByRole('banner').getByText('Grace & Co');
  await watched.waitFor();
  await endSession(page, server());
  await page.getByRole('link', { name: 'Deliveries' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Password', { exact: true }).fill(password);
  await dialog.getByRole('button', { name: 'Sign in', exact: true }).click();
  await page.getByRole('heading', { name: 'Nothing was sent yet' }).waitFor();
  t.true(await watched.isVisible());

  await page.route('**/api/v1/dashboard/session', (route) =>
    route.request().method() === 'DELETE' ? refuse(route, { status: 500, code: 'internal_error' }) : route.continue(),
  );
  await page.getByRole('button', { name: `Account of ${email}` }).click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  await dialog.getByRole('alert').getByText('The service failed').waitFor();
  t.deepEqual(await barriersOn(page), []);
  await page.unrouteAll();
  await dialog.getByRole('button', { name: 'Try again' }).click();
  await waitForHeading(page, 'Sign in to Tillhook');
  await signInToDashboard(page, server(), { email, password });
  await page.getByRole('banner').getByText('The service itself').waitFor();
});

test.serial('an unknown address gives a message, and invalid filters in an address are ignored', async (t) => {
  const page = await openSignedIn(t, '/test/nowhere');
  await waitForHeading(page, 'There is no such page');
  t.deepEqual(await barriersOn(page), []);
  await page.goto(`${server().url}/dashboard/neither/payments`);
  await waitForHeading(page, 'There is no such page');
  t.deepEqual(await barriersOn(page), []);

  await page.goto(`${server().url}/dashboard/test/deliveries?status=lost&page=-1&from=soon&webhookId=x&event[]=y`);

  await page.getByRole('heading', { name: 'Nothing was sent yet' }).waitFor();
  t.is(await page.getByLabel('Status').inputValue(), '');
});

test.serial(
  'the page says that the service cannot be reached, and calls again: by a button, and by itself on a live page',
  async (t) => {
    const page = await openSignedIn(t, '/test/deliveries');
    const named = page.getByText('The service cannot be reached');
    await page.route('**/api/v1/**', (route) => route.abort());
    await page.reload();
    await named.waitFor();
    t.deepEqual(await barriersOn(page), []);

    await page.unrouteAll();
    await page.route('**/api/v1/webhook-deliveries?*', (route) => route.abort());
    await page.getByRole('button', { name: 'Try again' }).click();
    await waitForHeading(page, 'Deliveries');
    await named.waitFor();
    const { promise: asked, resolve: hold } = Promise.withResolvers<Route>();
    await page.route('**/api/v1/webhook-deliveries?*', (route) => hold(route));
    const held = await asked;
    t.is(await page.locator('main [aria-busy=true]').count(), 0, 'a call without a click does not hide the failure');
    await held.abort();
    await page.unrouteAll();

    await page.getByRole('heading', { name: 'Nothing was sent yet' }).waitFor();
  },
);

for (const path of ['/sign-in', '/test/deliveries']) {
  test.serial(`${path} meets WCAG 2.2 AA, light and dark, and is 320 pixels narrow`, async (t) => {
    const page = path === '/sign-in' ? await openPage(t) : await openSignedIn(t, path);
    await page.goto(`${server().url}/dashboard${path}`);
    await page.getByRole('heading', { level: 1 }).waitFor();
    t.deepEqual(await barriersOn(page), []);

    await page.setViewportSize({ width: 320, height: 640 });

    await eventually(() => page.evaluate<number>('document.documentElement.scrollWidth'), 320);
    t.deepEqual(await barriersOn(page), []);
  });
}

/** Opens this page for a signed-in user. */
async function openSignedIn(t: Parameters<typeof openPage>[0], path: string): Promise<Page> {
  const { email } = await createMerchantWithUser(server(), merchantName);
  const page = await openPage(t);
  await signInToDashboard(page, server(), { email, password, path });
  await page.getByRole('heading', { level: 1, name: /^(?!Sign in)/ }).waitFor();
  return page;
}
