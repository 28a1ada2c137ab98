import test from 'ava';
import type { Page } from 'playwright-core';
import { barriersOn } from '../support/browser/accessibility.ts';
import { browserForFile } from '../support/browser/browser.ts';
import { openAccount, signInNewUser } from '../support/dashboard/dashboard.ts';
import { openFilter } from '../support/dashboard/lists.ts';
import { eventually } from '../support/eventually.ts';
import { waitForHeading } from '../support/pages/checkout-page.ts';
import { serverForFile } from '../support/server/tillhook.ts';
import { createMerchantWithUser } from '../support/users/users.ts';

const server = serverForFile();
const openPage = browserForFile();

const merchantName = 'Ada’s Books';

const inGerman = (at: string, timeZone: string) =>
  new Intl.DateTimeFormat('de-DE', { dateStyle: 'medium', timeStyle: 'medium', timeZone }).format(new Date(at));

/** The text of a `datetime-local` field. Tokyo is nine hours ahead of UTC all year. */
const inTokyo = (at: string, minutesLater: number) =>
  new Date(Date.parse(at) + 9 * 3_600_000 + minutesLater * 60_000).toISOString().slice(0, 16);

const scheme = (page: Page) => page.evaluate<string>('document.documentElement.dataset.mantineColorScheme');

test.serial(
  'the theme follows the user to another browser, and is there before the scripts of the dashboard run',
  async (t) => {
    const { email } = await createMerchantWithUser(server(), merchantName);
    const page = await openPage(t, { isNew: true, colorScheme: 'light' });
    await openAccount(page, server(), { tab: 'profile', email });
    const colourOf = () => page.evaluate<string>('getComputedStyle(document.body).backgroundColor');
    const light = await colourOf();

    await page.getByRole('radio', { name: 'Dark' }).check();
    await page.getByText('Theme saved').waitFor();

    t.is(await scheme(page), 'dark');
    t.not(await colourOf(), light);
    await page.route('**/assets/{start,main}*', (route) => route.fulfill({ contentType: 'text/javascript', body: '' }));
    await page.reload();
    t.is(await scheme(page), 'dark');
    t.not(await colourOf(), light);
    await page.unrouteAll();

    const other = await openPage(t, { isNew: true, colorScheme: 'light' });
    await openAccount(other, server(), { tab: 'profile', email });
    t.is(await scheme(other), 'dark');
    t.true(await other.getByRole('radio', { name: 'Dark' }).isChecked());
    await other.getByRole('radio', { name: 'Same as this device' }).check();
    await other.getByText('Theme saved').waitFor();
    t.is(await scheme(other), 'light');
  },
);

test.serial(
  'a user without a theme keeps the theme that was chosen in the documentation, until the user saves one',
  async (t) => {
    const { email } = await createMerchantWithUser(server(), merchantName);
    const page = await openPage(t, { isNew: true, colorScheme: 'light' });
    const openDocs = () => page.goto(`${server().url}/docs`);
    await openDocs();
    await page.getByRole('button', { name: 'Theme' }).click();
    await page.getByRole('radio', { name: 'Dark' }).check();
    await openAccount(page, server(), { tab: 'profile', email });
    t.is(await scheme(page), 'dark');
    await openDocs();
    t.is(await page.locator('html').getAttribute('data-theme'), 'dark');

    await page.goto(`${server().url}/dashboard/test/account?tab=profile`);
    await page.getByRole('radio', { name: 'Light' }).check();
    await page.getByText('Theme saved').waitFor();
    await page.getByRole('radio', { name: 'Same as this device' }).check();
    await eventually(() => page.evaluate(`localStorage.getItem('tillhook-theme')`), 'auto');
    await openDocs();

    t.is(await page.locator('html').getAttribute('data-theme'), 'auto');
  },
);

test.serial(
  'dates, filters and numbers follow the time zone and the language of the user, and the time zone is named beside them',
  async (t) => {
    const { email, client } = await createMerchantWithUser(server(), merchantName);
    await client.checkout.create({ email: 'grace@example.com', amount: 123_456, reference: 'order-1042' });
    const { createdAt } = await client.payments.get('order-1042');
    const [tokyo, utc] = ['Asia/Tokyo', 'UTC'].map((timeZone) => inGerman(createdAt, timeZone));
    const page = await openPage(t);
    await openAccount(page, server(), { tab: 'profile', email });
    await page.getByLabel('Time zone', { exact: true }).selectOption('Asia/Tokyo');
    await page.getByLabel('Language', { exact: true }).selectOption('de-DE');
    await page.getByText(/Example:.*GMT\+9.*1\.234\.567,89/).waitFor();

    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText('Language and time zone saved.').waitFor();
    await page.getByRole('link', { name: 'Payments' }).click();

    const created = page.getByRole('row', { name: /order-1042/ }).locator('time');
    await created.waitFor();
    t.is(await created.getAttribute('title'), `\u2068${tokyo} GMT+9\u2069 (Tokyo time), \u2068${utc}\u2069 UTC`);
    t.regex((await created.textContent()) ?? '', /^(vor \d+ Sek|jetzt)/);
    t.true(await page.getByText('1.234,56').first().isVisible());
    const editor = await openFilter(page, 'Created');
    await editor.getByLabel('Custom range').check();
    const from = editor.getByLabel('From (Tokyo time)');
    await from.fill(inTokyo(createdAt, -1));
    await editor.getByRole('button', { name: 'Apply' }).click();
    await page.waitForURL(/\?from=/);
    const wanted = new URL(page.url()).searchParams.get('from') ?? '';
    t.is(new Date(Date.parse(wanted) + 9 * 3_600_000).toISOString().slice(0, 16), inTokyo(createdAt, -1));
    await created.waitFor();
    await openFilter(page, 'Created');
    t.is(await from.inputValue(), inTokyo(createdAt, -1));
    await from.fill(inTokyo(createdAt, 1));
    await editor.getByRole('button', { name: 'Apply' }).click();
    await created.waitFor({ state: 'detached' });
    await page.goto(`${server().url}/dashboard/test/payments/order-1042`);
    await page.getByText(`${tokyo} GMT+9`).first().waitFor();
    t.deepEqual(await barriersOn(page), []);
  },
);

test.serial('a user gives their name, and the menu shows it; a name with a line break is refused', async (t) => {
  const page = await openPage(t);
  await openAccount(page, server(), { tab: 'profile' });

  await page.getByLabel('Your name').fill('آدا \u202eevil');
  await page.getByRole('button', { name: 'Save name' }).click();
  await page.getByText('Must be one line').waitFor();
  await page.getByLabel('Your name').fill('آدا أوبي');
  await page.getByRole('button', { name: 'Save name' }).click();

  await page.getByText('Name saved.').waitFor();
  await page.reload();
  t.is(await page.getByLabel('Your name').inputValue(), 'آدا أوبي');
  await page.getByRole('button', { name: /^Account of/ }).click();
  await page.getByRole('menu').getByText('آدا أوبي').waitFor();
});

test.serial(
  'the key ? lists the shortcuts, which open pages, are not read from fields, and can be switched off',
  async (t) => {
    const { page } = await signInNewUser(await openPage(t), server(), '/test/account?tab=profile');
    const help = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
    await page.getByLabel('Your name').fill('ada@');
    await page.keyboard.type('?gt');
    t.is(await page.getByLabel('Your name').inputValue(), 'ada@?gt');
    t.is(await help.count(), 0);

    await page.getByRole('heading', { level: 1 }).focus();
    await page.keyboard.press('?');
    await help.getByRole('row', { name: 'g then t Open Transfers' }).waitFor();
    t.deepEqual(await barriersOn(page), []);
    await page.keyboard.type('gt');
    await page.keyboard.press('Escape');
    await help.waitFor({ state: 'detached' });
    t.is(new URL(page.url()).pathname, '/dashboard/test/account', 'an open dialog keeps the page');
    await page.keyboard.type('gt');
    await waitForHeading(page, 'Transfers');

    await page.keyboard.press('?');
    await help.getByLabel('Letter shortcuts').uncheck();
    await page.keyboard.press('Escape');
    await help.waitFor({ state: 'detached' });
    await page.keyboard.type('gp?');
    await page.getByRole('button', { name: /^Account of/ }).click();
    await page.getByRole('menuitem', { name: 'Keyboard shortcuts' }).click();
    await help.waitFor();
    t.is(new URL(page.url()).pathname, '/dashboard/test/transfers');
  },
);
