import test from 'ava';
import type { Page } from 'playwright-core';
import { barriersOn } from '../support/browser/accessibility.ts';
import { browserForFile } from '../support/browser/browser.ts';
import { openDashboard } from '../support/dashboard/dashboard.ts';
import { dashboardPages } from '../support/dashboard/dashboard-pages.ts';
import { serverForFile, type TestServer } from '../support/server/tillhook.ts';

const withoutProcessors = serverForFile();
const withPayments = serverForFile({
  STRIPE_SECRET_KEY: 'sk_test_setup',
  STRIPE_WEBHOOK_SECRET: 'whsec_setup',
  RATE_LIMITS: 'live:100000/10',
});
const openPage = browserForFile();

/** Pages that need no record. The page of the operator is for operators only. */
const livePages = dashboardPages.filter((path) => !path.includes('$') && path !== 'operator');

const listOn = (page: Page, name: string) => page.getByRole('region', { name });
const notSetUp = 'Live payments are not set up';
const unfinished = 'Live mode is not completely set up';

test.serial(
  'every live page says that live payments are not set up, and its form cannot be filled in in vain',
  async (t) => {
    const merchant = await withoutProcessors().createMerchant();
    const page = await openPage(t);
    await openDashboard(page, withoutProcessors(), { merchant, path: '/test/payments' });
    await page.getByRole('button', { name: 'Create a checkout link' }).and(page.locator(':enabled')).waitFor();
    t.is(await listOn(page, notSetUp).count(), 0);

    for (const path of livePages) {
      await page.goto(`${withoutProcessors().url}/dashboard/live/${path}`);
      await listOn(page, notSetUp).getByText('1 of 5 done').waitFor();
      t.is(await page.getByRole('button', { name: 'Hide this list' }).count(), 0, path);
    }

    for (const [path, name, why] of [
      ['payments', 'Create a checkout link', notSetUp],
      ['payment-links', 'Create a payment link', notSetUp],
      ['transfers', 'Send money', 'Live transfers are not set up'],
    ] as const) {
      await page.goto(`${withoutProcessors().url}/dashboard/live/${path}`);
      const button = page.getByRole('button', { name });
      await button.and(page.locator(':disabled')).waitFor();
      t.is(await descriptionOf(page, name), why);
      t.deepEqual(await barriersOn(page), [], path);
      // The search opens the form on every page.
      await page.keyboard.press('Control+k');
      await page.getByRole('dialog').getByRole('textbox').fill(name);
      await page.getByRole('dialog').getByText(name).first().click();
      const dialog = page.getByRole('dialog', { name });
      await dialog.getByRole('note').getByText(why).waitFor();
      await dialog.locator('[type=submit]:disabled').waitFor();
      t.deepEqual(await barriersOn(page), [], `the dialog of ${path}`);
      await page.keyboard.press('Escape');
    }

    await page.getByRole('button', { name: 'Show less' }).click();
    await page.getByRole('listitem').filter({ hasText: 'Payment processor' }).waitFor({ state: 'detached' });
    await page.reload();
    await page.getByRole('button', { name: 'Show the list' }).click();
    await page.getByRole('listitem').filter({ hasText: 'Payment processor' }).waitFor();
  },
);

test.serial('each role reads which need it can meet, and who meets the others', async (t) => {
  const merchant = await withoutProcessors().createMerchant();
  const role = (named: string) => `A user with the role ${named} can do this.`;
  const operators = 'Only the operator of this service can set it up.';
  for (const [user, processor, contact, endpoint] of [
    ['administrator', operators, 'Add it in Settings', 'Add a live endpoint'],
    ['developer', operators, role('administrator'), 'Add a live endpoint'],
    ['support', operators, role('administrator'), role('administrator or developer')],
    ['viewer', operators, role('administrator'), role('administrator or developer')],
    ['operator', 'How to set it up on the server', role('administrator'), role('administrator or developer')],
  ] as const) {
    const page = await openPage(t);
    await openDashboard(page, withoutProcessors(), { merchant, path: '/live/events', role: user });
    const list = listOn(page, notSetUp);
    const item = (name: string) => list.getByRole('listitem').filter({ hasText: name });
    await item('Payment processor').getByText(processor).waitFor();
    await item('Contact for your customers').getByText(contact).waitFor();
    await item('Live endpoint').getByText(endpoint).waitFor();
    t.is(await item('Live API key').getByRole('img', { name: 'Done' }).count(), 1, user);
    t.deepEqual(await barriersOn(page), [], user);
  }
});

test.serial(
  'the list of live mode ticks what a merchant does, can be hidden, and is gone when nothing is missing',
  async (t) => {
    const merchant = await withPayments().createMerchant();
    const page = await openPage(t);
    await openDashboard(page, withPayments(), { merchant, path: '/live/payments' });
    const list = listOn(page, unfinished);
    await list.getByText('2 of 5 done').waitFor();
    await page.getByRole('button', { name: 'Create a checkout link' }).and(page.locator(':enabled')).waitFor();
    t.deepEqual(await barriersOn(page), []);

    await list.getByRole('link', { name: 'Add it in Settings' }).click();
    await page.getByRole('heading', { level: 1, name: 'Settings' }).waitFor();
    await page.getByLabel('Support email').fill('help@example.com');
    await page.getByRole('button', { name: 'Save', exact: true }).first().click();
    await list.getByText('3 of 5 done').waitFor();
    await list.getByRole('link', { name: 'Add a live endpoint' }).click();
    await page.getByRole('heading', { level: 1, name: 'Webhooks' }).waitFor();

    await list.getByRole('button', { name: 'Hide this list' }).click();
    await list.waitFor({ state: 'detached' });
    await page.reload();
    await page.getByRole('heading', { name: 'No endpoints yet' }).waitFor();
    t.is(await list.count(), 0);
    await page.evaluate('localStorage.clear()');
    await page.reload();
    await list.waitFor();
    await merchant.liveClient.webhookEndpoints.register({ url: 'https://example.com/hooks' });
    await page.reload();
    await page.getByRole('link', { name: 'example.com/hooks' }).waitFor();
    await listIsGone(
      page,
      withPayments(),
      livePages.filter((path) => path !== 'transfers' && path !== 'balances'),
    );

    await page.goto(`${withPayments().url}/dashboard/live/transfers`);
    await listOn(page, 'Live transfers are not set up').waitFor();
    t.is(await page.getByRole('listitem').filter({ hasText: 'Payout processor' }).count(), 0, 'the list is folded');
    await page.getByRole('button', { name: 'Send money' }).and(page.locator(':disabled')).waitFor();
  },
);

test.serial(
  'live mode with everything shows no list on any page, also if the service fails to say what is missing',
  async (t) => {
    const merchant = await withPayments().createMerchant();
    const page = await openPage(t);
    await page.route('**/dashboard/live-setup', async (route) => {
      const response = await route.fetch();
      const { needs } = await response.json();
      await route.fulfill({ response, json: { needs: needs.map((need: object) => ({ ...need, isMet: true })) } });
    });
    await openDashboard(page, withPayments(), { merchant, path: '/live' });
    await listIsGone(page, withPayments(), livePages);
    await page.unroute('**/dashboard/live-setup');
    await page.route('**/dashboard/live-setup', (route) => route.fulfill({ status: 404, json: {} }));
    await listIsGone(page, withPayments(), ['payments']);
    await page.getByRole('button', { name: 'Create a checkout link' }).and(page.locator(':enabled')).waitFor();
    // No assertion is needed: each wait above fails the test if its page is not as expected.
    t.pass();
  },
);

async function listIsGone(page: Page, { url }: TestServer, paths: readonly string[]): Promise<void> {
  for (const path of paths) {
    const [answer] = await Promise.all([
      page.waitForResponse('**/dashboard/live-setup'),
      page.goto(`${url}/dashboard/live/${path}`),
    ]);
    await answer.finished();
    await page.getByRole('heading', { level: 1 }).waitFor();
    // A frame after the answer, React has shown a list if there is one.
    await page.evaluate('new Promise((done) => requestAnimationFrame(() => setTimeout(done, 50)))');
    const count = await page.getByRole('region', { name: /^Live .+ set up$/ }).count();
    if (count > 0) throw new Error(`/live/${path} shows a list`);
  }
}

async function descriptionOf(page: Page, name: string): Promise<string | null> {
  const id = await page.getByRole('button', { name }).getAttribute('aria-describedby');
  return page.locator(`[id="${id}"]`).textContent();
}
