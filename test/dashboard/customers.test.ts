import test from 'ava';
import { barriersOn } from '../support/browser/accessibility.ts';
import { browserForFile } from '../support/browser/browser.ts';
import { openDashboard } from '../support/dashboard/dashboard.ts';
import { paidMerchant } from '../support/money/refunds.ts';
import { serverForFile } from '../support/server/tillhook.ts';

const server = serverForFile();
const openPage = browserForFile();

test.serial(
  'a customer is found by a part of the address, and their page has payments, refunds and volume',
  async (t) => {
    const merchant = await paidMerchant(server(), 350_000);
    const { client } = merchant;
    await client.checkout.create({ email: 'Ada@example.com', amount: 9900, reference: 'order-2050', currency: 'USD' });
    await client.testHelpers.completePayment('order-2050');
    await client.checkout.create({ email: 'grace@example.org', amount: 100, reference: 'order-3000' });
    await client.refunds.create('order-1042', { amount: 150_000, reference: 'refund-77' });
    const page = await openPage(t);
    await openDashboard(page, server(), { merchant, path: '/test/customers', role: 'viewer' });
    const rows = page.getByRole('table', { name: 'Customers' }).getByRole('row');

    await rows.filter({ hasText: 'grace@example.org' }).waitFor();
    t.deepEqual((await rows.allInnerTexts()).length, 3);
    t.deepEqual(await barriersOn(page), []);
    await page.getByLabel('Search customers').fill('ADA');
    await rows.filter({ hasText: 'grace@example.org' }).waitFor({ state: 'detached' });
    const ada = rows.filter({ hasText: 'ada@example.com' });
    t.regex((await ada.innerText()).replace(/\s+/g, ' '), /ada@example\.com 2 2 ₦3,500\.00 \+1 ₦1,500\.00/);
    await ada.getByRole('link').click();

    await page.getByRole('heading', { level: 1, name: 'ada@example.com' }).waitFor();
    await page.getByRole('table', { name: 'Refunds' }).getByRole('link', { name: 'refund-77' }).waitFor();
    t.deepEqual(await barriersOn(page), []);
    await page.getByRole('table', { name: 'Payments' }).getByRole('link', { name: 'order-2050' }).click();
    await page.getByRole('link', { name: '1 other payment' }).click();
    await page.getByRole('heading', { level: 1, name: 'ada@example.com' }).waitFor();
    const download = page.waitForEvent('download');
    await page.getByRole('link', { name: 'Customers' }).first().click();
    await page.getByRole('button', { name: 'Export CSV' }).click();
    t.regex((await download).suggestedFilename(), /^customers-test-.*\.csv$/);
  },
);

test.serial('the list of refunds says whose they are, finds one by its reason, and opens its payment', async (t) => {
  const merchant = await paidMerchant(server(), 350_000);
  const { client } = merchant;
  await client.refunds.create('order-1042', { amount: 100_000, reference: 'refund-77', reason: 'Broken handle' });
  await client.refunds.create('order-1042', { amount: 50_000, reference: 'refund-78', reason: 'Late' });
  const page = await openPage(t);
  await openDashboard(page, server(), { merchant, path: '/test/refunds', role: 'support' });
  const rows = page.getByRole('table', { name: 'Refunds' }).getByRole('row');

  await rows.filter({ hasText: 'refund-78' }).waitFor();
  t.deepEqual(await barriersOn(page), []);
  await page.getByLabel('Search refunds').fill('broken');
  await rows.filter({ hasText: 'refund-78' }).waitFor({ state: 'detached' });
  t.regex(
    (await rows.nth(1).innerText()).replace(/\s+/g, ' '),
    /refund-77 .1,000\.00 .* order-1042 ada@example\.com Broken handle/,
  );
  await rows.nth(1).getByRole('link').click();
  await page.waitForURL('**/test/payments/order-1042');
});
