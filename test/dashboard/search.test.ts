import test from 'ava';
import type { Page } from 'playwright-core';
import { barriersOn } from '../support/browser/accessibility.ts';
import { browserForFile } from '../support/browser/browser.ts';
import { openDashboard } from '../support/dashboard/dashboard.ts';
import { paidMerchant } from '../support/money/refunds.ts';
import { serverForFile } from '../support/server/tillhook.ts';

const server = serverForFile();
const openPage = browserForFile();

const field = (page: Page) => page.getByRole('dialog', { name: 'Search' }).getByRole('textbox');
const found = (page: Page, name: string | RegExp) =>
  page.getByRole('dialog', { name: 'Search' }).getByRole('button', { name });

async function choose(page: Page, typed: string, name: string | RegExp): Promise<void> {
  await page.keyboard.press('Control+k');
  await field(page).fill(typed);
  await found(page, name).click();
  await field(page).waitFor({ state: 'detached' });
}

test.serial(
  'the search finds records by a part and by an amount, says how many there are, and finds sections',
  async (t) => {
    const merchant = await server().createMerchant();
    for (let number = 1; number <= 7; number += 1)
      await merchant.client.checkout.create({
        email: 'ada.lovelace@example.com',
        amount: 350_000 + number,
        reference: `order-104${number}`,
        description: 'Enamel mug',
      });
    await merchant.client.products.create({ name: 'Leather bag', price: 1500 });
    await merchant.client.paymentLinks.create({ name: 'Workshop ticket', amount: 500_000 });
    const page = await openPage(t);
    await openDashboard(page, server(), { merchant, path: '/test' });

    await page.keyboard.press('Control+k');
    await field(page).fill('lovelace');
    await page
      .getByRole('group', { name: 'Payments: 5 of 7' })
      .getByRole('button', { name: /^order-1047/ })
      .waitFor();
    await field(page).fill('rder-1043');
    await found(page, /^order-1043.*ada\.lovelace@example\.com/).waitFor();
    t.deepEqual(await barriersOn(page), []);
    await page.keyboard.press('Escape');
    await choose(page, '₦3,500.05', /^order-1045/);
    await page.waitForURL('**/test/payments/order-1045');
    await choose(page, 'lovel', 'ada.lovelace@example.com Customer');
    await page.waitForURL(/\/test\/customers\/[0-9a-f-]{36}$/);
    await page.getByRole('heading', { level: 1, name: 'ada.lovelace@example.com' }).waitFor();
    await choose(page, 'lovelace mug', 'See all 7 payments');
    await page.waitForURL('**/test/payments?search=lovelace+mug');
    t.is(await page.getByLabel('Search payments').inputValue(), 'lovelace mug');
    await page.getByRole('status').filter({ hasText: '1–7 of 7' }).waitFor();
    await choose(page, 'refunds', 'Refunds');
    await page.waitForURL('**/test/refunds');
    await choose(page, 'leather', /^Leather bag/);
    await page.waitForURL('**/test/products?search=Leather+bag');
    await choose(page, 'workshop', /^Workshop ticket ₦5,000\.00, Active, /);
    await page.waitForURL(/\/test\/payment-links\/[0-9a-f-]{36}$/);
    await choose(page, 'audit', 'Audit log Settings');
    await page.waitForURL('**/test/settings?tab=audit');
    await choose(page, 'api key', 'API keys Developers');
    await page.waitForURL('**/test/developers');
    await choose(page, 'idempotency', /^Idempotency/);
    await page.waitForURL('**/docs/**');
  },
);

test.serial(
  'the search keeps keys that are typed before its script is loaded, and its box stays at its place',
  async (t) => {
    const merchant = await paidMerchant(server());
    const page = await openPage(t);
    const late = Promise.withResolvers<void>();
    await page.route('**/assets/search-dialog-*.js', async (route) => {
      await late.promise;
      await route.continue();
    });
    await openDashboard(page, server(), { merchant, path: '/test' });

    await page.keyboard.press('Control+k');
    await page.keyboard.type('ordex');
    await page.keyboard.press('Backspace');
    await page.keyboard.type('r-10');
    late.resolve();
    await page.keyboard.type('42', { delay: 20 });
    await found(page, /^order-1042/).waitFor();
    t.is(await field(page).inputValue(), 'order-1042');

    const top = async () => Math.round((await field(page).boundingBox())?.y ?? 0);
    const before = await top();
    await field(page).fill('nothing-like-this');
    await page.getByText('No results in test mode.').waitFor();
    t.is(await top(), before);
    await field(page).fill('');
    t.is(await top(), before);
  },
);

test.serial('the search does what the role may do: it opens dialogs, switches the mode and signs out', async (t) => {
  const merchant = await paidMerchant(server());
  const page = await openPage(t);
  await openDashboard(page, server(), { merchant, path: '/test/payments/order-1042', role: 'administrator' });
  await page.getByRole('button', { name: 'Refund', exact: true }).waitFor();
  const dialog = async (typed: string, act: string, title: string) => {
    await choose(page, typed, act);
    await page.getByRole('dialog', { name: title }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
  };

  await dialog('refund', 'Refund payment', 'Refund payment');
  await dialog('new link', 'Create a checkout link', 'Create a checkout link');
  await dialog('send', 'Send money', 'Send money');
  await dialog('endpoint', 'Add an endpoint', 'Add an endpoint');
  await choose(page, 'live', 'Switch to live mode');
  await page.waitForURL('**/live/webhooks');
  await choose(page, 'sign out', 'Sign out');
  await page.getByRole('heading', { level: 1, name: 'Sign in to Tillhook' }).waitFor();
  // No assertion is needed: if an act does not open, a wait above fails the test.
  t.pass();
});

test.serial('the search offers a viewer no act that changes anything', async (t) => {
  const merchant = await paidMerchant(server());
  const page = await openPage(t);
  await openDashboard(page, server(), { merchant, path: '/test/payments/order-1042', role: 'viewer' });
  await page.getByText('Your role is viewer').waitFor();

  await page.keyboard.press('Control+k');

  await found(page, 'Sign out').waitFor();
  t.deepEqual(await page.getByRole('group', { name: 'Actions' }).getByRole('button').allInnerTexts(), [
    'Switch to live mode',
    'Sign out',
  ]);
});
