import test from 'ava';
import type { Page } from 'playwright-core';
import { barriersOn } from '../support/browser/accessibility.ts';
import { browserForFile } from '../support/browser/browser.ts';
import { refuse } from '../support/dashboard/dashboard.ts';
import { chipOf, chooseTab, chosenTab, filterBy, openFilter } from '../support/dashboard/lists.ts';
import { startCheckout } from '../support/money/payments.ts';
import { serverForFile } from '../support/server/tillhook.ts';
import { type SignedIn, signIn } from '../support/users/session.ts';

const server = serverForFile();
const openPage = browserForFile();

async function openPayments(page: Page) {
  const merchant = await server().createMerchant();
  for (const reference of ['order-1', 'order-2']) await startCheckout(merchant, reference);
  await merchant.client.payments.cancel('order-2');
  const user = await signIn(server(), merchant);
  await openAs(page, user);
  return user;
}

async function openAs(page: Page, { cookie }: SignedIn): Promise<void> {
  const [name = '', value = ''] = cookie.split('=');
  await page.context().addCookies([{ name, value, url: server().url }]);
  await page.goto(`${server().url}/dashboard/test/payments`);
  await page.getByText('1–2 of 2').waitFor();
}

async function saveAs(page: Page, name: string): Promise<void> {
  await page.getByRole('button', { name: 'Save view' }).click();
  await nameIt(page, name, 'Save');
}

async function nameIt(page: Page, name: string, act: 'Save' | 'Rename'): Promise<void> {
  const dialog = page.getByRole('dialog', { name: `${act} view` });
  await dialog.getByLabel('Name').fill(name);
  await dialog.getByRole('button', { name: `${act} view` }).click();
  await dialog.waitFor({ state: 'detached' });
}

async function choose(page: Page, act: 'Rename view' | 'Delete view'): Promise<void> {
  await page.getByRole('button', { name: 'View', exact: true }).click();
  await page.getByRole('menuitem', { name: act }).click();
}

const queryIn = (page: Page) => Object.fromEntries(new URL(page.url()).searchParams);
const tabsOn = (page: Page) => page.getByRole('navigation', { name: 'Status' }).getByRole('link').allTextContents();
const titlesOn = (page: Page) => page.getByRole('columnheader').allTextContents();

test.serial(
  'a list is saved as a view with its filters, period, order and columns, and is a tab in another browser',
  async (t) => {
    const page = await openPage(t);
    const user = await openPayments(page);
    t.is(await page.getByRole('button', { name: 'Save view' }).count(), 0, 'nothing is chosen');
    await chooseTab(page, 'Expired');
    await page.getByText('1–1 of 1').waitFor();
    t.is(await page.getByRole('button', { name: 'Save view' }).count(), 0, 'the tab exists');
    await (await openFilter(page, 'Created')).getByLabel('Today').click();
    await page.getByRole('columnheader', { name: 'Created' }).getByRole('button').click();
    await page.getByRole('button', { name: 'Columns' }).click();
    await page.getByRole('dialog', { name: 'Columns' }).getByLabel('Method').uncheck();
    await page.keyboard.press('Escape');

    await page.getByRole('button', { name: 'Save view' }).click();
    const dialog = page.getByRole('dialog', { name: 'Save view' });
    await dialog.getByLabel('Name').waitFor();
    t.deepEqual(await barriersOn(page), []);
    await dialog.getByRole('button', { name: 'Save view' }).click();
    await dialog.getByText('Enter a name.').waitFor();
    await nameIt(page, ' Cancelled today ', 'Save');

    const view = { status: 'expired', period: 'today', order: 'asc', columns: 'customer.description' };
    t.deepEqual(queryIn(page), view);
    t.is(await chosenTab(page), 'Cancelled today');
    t.deepEqual(await barriersOn(page), []);
    const other = await openPage(t, { isNew: true });
    await openAs(other, user);
    await chooseTab(other, 'Cancelled today');
    await other.getByText('1–1 of 1').waitFor();
    t.deepEqual(queryIn(other), view);
    await openAs(other, await signIn(server(), user.merchant));
    t.false((await tabsOn(other)).includes('Cancelled today'), 'a colleague has other views');

    await chooseTab(page, 'All');
    await page.getByText('1–2 of 2').waitFor();
    t.deepEqual(queryIn(page), {}, 'the filters of a view end with it');
    await page.getByRole('button', { name: 'Columns' }).click();
    await page.getByRole('dialog', { name: 'Columns' }).getByLabel('Method').check();
    await page.keyboard.press('Escape');
    await chooseTab(page, 'Cancelled today');
    await page.getByText('1–1 of 1').waitFor();
    t.deepEqual(queryIn(page), view);
    t.deepEqual(await titlesOn(page), ['Reference', 'Amount', 'Status', 'Customer', 'Description', 'Created']);
  },
);

test.serial('a view is renamed and deleted, and Undo brings it back', async (t) => {
  const page = await openPage(t);
  await openPayments(page);
  await filterBy(page, 'Reference', 'order-2');
  await page.getByText('1–1 of 1').waitFor();
  await saveAs(page, 'Second');

  await choose(page, 'Rename view');
  await nameIt(page, 'الثاني', 'Rename');
  await page.getByRole('link', { name: 'الثاني' }).waitFor();
  t.false((await tabsOn(page)).includes('Second'));
  t.is(await chosenTab(page), 'الثاني');
  await choose(page, 'Delete view');
  await page.getByText('is deleted').waitFor();
  t.false((await tabsOn(page)).includes('الثاني'));
  t.is(await chipOf(page, 'Reference').textContent(), 'Reference: order-2', 'the filter stays');
  await page.getByRole('button', { name: 'Undo' }).click();

  await page.getByRole('link', { name: 'الثاني' }).waitFor();
  t.is(await chosenTab(page), 'الثاني');
});

test.serial(
  'a view with the same name is replaced, a changed view is saved again, and views of another window stay',
  async (t) => {
    const page = await openPage(t);
    const user = await openPayments(page);
    await filterBy(page, 'Reference', 'order-2');
    await saveAs(page, 'Mine');
    const path = '/api/v1/dashboard/preferences';
    const elsewhere = { list: 'deliveries', name: 'Mine', query: 'status=failed' };
    const { views } = await (await user.call(path)).json();
    await user.call(path, { method: 'PATCH', json: { views: [...views, elsewhere] } });

    await filterBy(page, 'Reference', 'order-1');
    t.is(await chosenTab(page), 'All', 'the list is another one now');
    await page.getByRole('button', { name: 'Save view' }).click();
    await page.getByRole('dialog').getByLabel('Name').fill('Mine');
    await page.getByText('This replaces your view with the same name.').waitFor();
    await nameIt(page, 'Mine', 'Save');

    t.is(await chosenTab(page), 'Mine');
    const saved = (await (await user.call(path)).json()).views as { list: string; query: string }[];
    t.deepEqual(
      saved.map(({ list, query }) => [list, query]),
      [
        ['payments', 'columns=customer.description.method&reference=order-1'],
        ['deliveries', 'status=failed'],
      ],
    );
    await page.getByRole('link', { name: 'Deliveries' }).click();
    await page.getByRole('heading', { name: 'No deliveries yet' }).waitFor();
    t.is(await page.getByRole('navigation', { name: 'Status' }).count(), 0, 'an empty list has no views');
  },
);

test.serial('a view with a filter that the list no longer has can be opened and deleted', async (t) => {
  const page = await openPage(t);
  const user = await openPayments(page);
  const views = [{ list: 'payments', name: 'Old', query: 'colour=red&reference=order-2&status=lost' }];
  await user.call('/api/v1/dashboard/preferences', { method: 'PATCH', json: { views } });
  await page.reload();

  await chooseTab(page, 'Old');
  await page.getByText('1–1 of 1').waitFor();
  t.is(await chosenTab(page), 'Old');
  await choose(page, 'Delete view');

  await page.getByText('is deleted').waitFor();
  t.false((await tabsOn(page)).includes('Old'));
});

test.serial('a refused view keeps its name in the dialog, and the list works without views', async (t) => {
  const page = await openPage(t);
  const user = await openPayments(page);
  const full = Array.from({ length: 30 }, (_, at) => ({ list: 'events', name: `View ${at}`, query: '' }));
  await user.call('/api/v1/dashboard/preferences', { method: 'PATCH', json: { views: full } });
  await filterBy(page, 'Reference', 'order-2');

  await page.getByRole('button', { name: 'Save view' }).click();
  const dialog = page.getByRole('dialog', { name: 'Save view' });
  await dialog.getByLabel('Name').fill('One more');
  await dialog.getByRole('button', { name: 'Save view' }).click();
  await dialog.getByText('You have 30 views, the maximum. Delete one first.').waitFor();
  t.is(await dialog.getByLabel('Name').inputValue(), 'One more');
  await page.keyboard.press('Escape');
  await page.route('**/dashboard/preferences', (route) => refuse(route, { status: 403, code: 'permission_denied' }));
  await page.reload();

  await page.getByText('1–1 of 1').waitFor();
});
