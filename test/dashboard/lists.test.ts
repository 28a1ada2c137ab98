import { setTimeout } from 'node:timers/promises';
import test from 'ava';
import type { Locator } from 'playwright-core';
import { barriersOn } from '../support/browser/accessibility.ts';
import { browserForFile } from '../support/browser/browser.ts';
import { openDashboard } from '../support/dashboard/dashboard.ts';
import { chipOf, chooseTab, chosenTab, openFilter } from '../support/dashboard/lists.ts';
import { startCheckout } from '../support/money/payments.ts';
import { paidMerchant } from '../support/money/refunds.ts';
import { unreachableUrl } from '../support/receivers/deliveries.ts';
import { serverForFile, type TestMerchant } from '../support/server/tillhook.ts';

const server = serverForFile();
const openPage = browserForFile();

const linksOf = (table: Locator) => table.getByRole('link').allTextContents();

/** The payments of the given ages in hours, the oldest first. */
async function paymentsOfAges(merchant: TestMerchant, ages: Record<string, number>): Promise<void> {
  for (const [reference, hours] of Object.entries(ages)) {
    const createdAt = new Date(Date.now() - hours * 3_600_000);
    const id = idAt(createdAt);
    await server().database.query(
      `insert into payment (id, merchant_id, mode, reference, access_code, amount, currency, status, customer_email,
         metadata, attempts, expires_at, created_at, updated_at)
       values ($1, $2, 'test', $3, gen_random_uuid(), 100, 'NGN', 'failed', 'ada@example.com', '{}', 0, now(), $4, $4)`,
      [id, merchant.id, reference, createdAt],
    );
  }
}

/** Lists search for the time of a record by its id. */
function idAt(at: Date): string {
  const hex = at.getTime().toString(16).padStart(12, '0');
  return `${hex.slice(0, 8)}-${hex.slice(8)}-7${crypto.randomUUID().slice(15)}`;
}

test.serial('the search of a list keeps all that is typed, and a link ends a search that has not begun', async (t) => {
  const merchant = await server().createMerchant();
  await paymentsOfAges(merchant, { 'order-1042': 2, 'order-1043': 1 });
  const page = await openPage(t);
  await openDashboard(page, server(), { merchant, path: '/test/payments' });
  await page.getByText('1–2 of 2').waitFor();
  const field = page.getByLabel('Search payments');

  await field.pressSequentially('order-1043', { delay: 120 });
  await page.getByText('1–1 of 1').waitFor();
  t.is(await field.inputValue(), 'order-1043');
  t.is(new URL(page.url()).searchParams.get('search'), 'order-1043');
  await page.getByRole('link', { name: 'Refunds' }).click();
  await page.getByRole('heading', { level: 1, name: 'Refunds' }).waitFor();
  await page.goBack();
  await page.getByText('1–1 of 1').waitFor();
  await field.fill('order-10');
  await page.getByRole('link', { name: 'Payments', exact: true }).click();
  await page.getByText('1–2 of 2').waitFor();
  // A search begins 300 ms after the last letter.
  await setTimeout(500);

  t.is(await field.inputValue(), '');
  t.is(new URL(page.url()).search, '');
});

test.serial(
  'the lists of deliveries, events, products and payment links have a field that finds records',
  async (t) => {
    const merchant = await server().createMerchant();
    const { client } = merchant;
    await client.webhookEndpoints.register({ url: unreachableUrl });
    for (const reference of ['order-1042', 'order-1043']) {
      await startCheckout(merchant, reference);
      await client.test.completePayment(reference);
    }
    for (const name of ['Enamel mug', 'Leather bag']) {
      await client.products.create({ name, price: 1500 });
      await client.paymentLinks.create({ name, amount: 1500 });
    }
    const page = await openPage(t);
    await openDashboard(page, server(), { merchant, path: '/test' });
    const finds = async (list: string, typed: string) => {
      await page.getByRole('link', { name: list, exact: true }).click();
      await page.getByText('1–2 of 2').waitFor();
      const field = page.getByLabel(`Search ${list.toLowerCase()}`);
      await field.fill(typed);
      await page.getByText('1–1 of 1').waitFor();
      const rows = await page.getByRole('table').getByRole('row').allTextContents();
      t.deepEqual(await barriersOn(page), [], list);
      await field.fill('nothing');
      await page.getByText(`No ${list.toLowerCase()} match`).waitFor();
      return rows.slice(1).map((row) => /order-104\d|Enamel mug|Leather bag/.exec(row)?.[0]);
    };

    t.deepEqual(await finds('Deliveries', 'der-1042'), ['order-1042']);
    t.deepEqual(await finds('Events', 'der-1043'), ['order-1043']);
    t.deepEqual(await finds('Products', 'leath'), ['Leather bag']);
    t.deepEqual(await finds('Payment links', 'MUG'), ['Enamel mug']);
  },
);

test.serial('the tabs of a list show the payments that were refunded, and those that need a review', async (t) => {
  const merchant = await paidMerchant(server(), 1000);
  await startCheckout(merchant, 'order-1043');
  await merchant.client.refunds.create('order-1042', { amount: 1 });
  const { reference } = await server().arrange('createPaymentUnderReview', { merchantId: merchant.id });
  const page = await openPage(t);
  await openDashboard(page, server(), { merchant, path: '/test/payments' });
  const table = page.getByRole('table', { name: 'Payments' });
  await page.getByText('1–3 of 3').waitFor();
  t.is(await chosenTab(page), 'All');

  await chooseTab(page, 'Refunded');
  await page.getByText('1–1 of 1').waitFor();
  t.deepEqual(await linksOf(table), ['order-1042']);
  t.is(new URL(page.url()).search, '?status=refunded');
  await chooseTab(page, 'Needs review');
  await table.getByRole('link', { name: reference }).waitFor();
  t.deepEqual(await linksOf(table), [reference]);
  t.is(await chosenTab(page), 'Needs review');
  t.deepEqual(await barriersOn(page), []);
  await page.goBack();
  await table.getByRole('link', { name: 'order-1042' }).waitFor();
  t.is(await chosenTab(page), 'Refunded');
});

test.serial('a period has the days of the time zone of the user, and stays a name in the URL', async (t) => {
  const merchant = await server().createMerchant();
  await paymentsOfAges(merchant, { 'order-month': 24 * 45, 'order-days': 24 * 4, 'order-now': 0 });
  const page = await openPage(t);
  await openDashboard(page, server(), { merchant, path: '/test/payments' });
  const table = page.getByRole('table', { name: 'Payments' });
  await page.getByText('1–3 of 3').waitFor();
  const chip = page.getByRole('search').getByRole('button', { name: 'Created', exact: true });
  t.true(await chip.isVisible());

  const asked = page.waitForRequest(/payments\?.*from=/);
  await (await openFilter(page, 'Created')).getByLabel('Last 7 days').click();
  const from = new URL((await asked).url()).searchParams.get('from') ?? '';
  await page.getByText('1–2 of 2').waitFor();
  t.deepEqual(await linksOf(table), ['order-now', 'order-days']);
  t.is(new URL(page.url()).search, '?period=last_7_days');
  t.is(await chipOf(page, 'Created').textContent(), 'Created: Last 7 days');
  const midnight = await page.evaluate(
    (day) => new Date(new Date(Date.now() - day * 6).setHours(0, 0, 0, 0)).toISOString(),
    86_400_000,
  );
  t.is(from, midnight);

  await page.getByRole('search').getByRole('button', { name: 'Filter', exact: true }).click();
  await page.getByRole('menuitem', { name: 'Amount' }).waitFor();
  t.deepEqual(await barriersOn(page), []);
  await page.keyboard.press('Escape');
  await (await openFilter(page, 'Created')).getByLabel('Yesterday').click();
  await page.getByRole('heading', { name: 'No payments match' }).waitFor();
  await page.getByRole('button', { name: 'Remove filter Created' }).click();
  await page.getByText('1–3 of 3').waitFor();
  t.is(new URL(page.url()).search, '');
  t.is(await page.evaluate('document.activeElement.textContent'), 'Filter');
  t.true(await chip.isVisible());
});

test.serial('the arrow keys choose a period without closing its editor, and Escape returns to the chip', async (t) => {
  const merchant = await server().createMerchant();
  await startCheckout(merchant, 'order-1042');
  const page = await openPage(t);
  await openDashboard(page, server(), { merchant, path: '/test/payments?period=today' });

  await chipOf(page, 'Created').press('Enter');
  const editor = page.getByRole('dialog', { name: 'Created' });
  await editor.getByLabel('Today').focus();
  await page.keyboard.press('ArrowDown');
  await page.waitForURL('**/payments?period=yesterday');
  t.true(await editor.isVisible());
  t.deepEqual(await barriersOn(page), []);
  await page.keyboard.press('Escape');

  await editor.waitFor({ state: 'detached' });
  t.is(await page.evaluate('document.activeElement.textContent'), 'Created: Yesterday');
});

test.serial('a list is sorted by the time of creation in both orders, and the Back button returns', async (t) => {
  const merchant = await server().createMerchant();
  for (const reference of ['order-1', 'order-2']) await startCheckout(merchant, reference);
  const page = await openPage(t);
  await openDashboard(page, server(), { merchant, path: '/test/payments' });
  const table = page.getByRole('table', { name: 'Payments' });
  const header = table.getByRole('columnheader', { name: 'Created' });
  await table.getByRole('link').first().waitFor();
  t.is(await header.getAttribute('aria-sort'), 'descending');
  t.is(await table.getByRole('columnheader').getByRole('button').count(), 1);

  await header.getByRole('button').click();
  await page.waitForURL('**/payments?order=asc');
  await table.locator('tbody tr:first-child').getByText('order-1').waitFor();
  t.deepEqual(await linksOf(table), ['order-1', 'order-2']);
  t.is(await header.getAttribute('aria-sort'), 'ascending');

  await page.goBack();
  await table.locator('tbody tr:first-child').getByText('order-2').waitFor();
});

test.serial('the user chooses the columns of a list, and the browser keeps the choice', async (t) => {
  const merchant = await server().createMerchant();
  await startCheckout(merchant, 'order-1042');
  const page = await openPage(t);
  await openDashboard(page, server(), { merchant, path: '/test/payments' });
  const titles = () => page.getByRole('columnheader').allTextContents();
  await page.getByRole('button', { name: 'Columns' }).click();
  t.deepEqual(await titles(), ['Reference', 'Amount', 'Status', 'Customer', 'Description', 'Method', 'Created']);

  const chooser = page.getByRole('dialog', { name: 'Columns' });
  await chooser.getByLabel('Method').uncheck();
  await chooser.getByLabel('Completed').check();
  t.deepEqual(await barriersOn(page), []);
  const chosen = ['Reference', 'Amount', 'Status', 'Customer', 'Description', 'Completed', 'Created'];
  t.deepEqual(await titles(), chosen);

  await page.reload();
  await page.getByRole('link', { name: 'order-1042' }).waitFor();
  t.deepEqual(await titles(), chosen);
});

test.serial(
  'a long text is cut off in its line, and shown whole below the pointer; a click there opens the record',
  async (t) => {
    const merchant = await server().createMerchant();
    const description = 'كتاب عن تاريخ المدن القديمة في شمال أفريقيا وصحراءها الكبرى مع خرائط كثيرة وصور ملونة';
    const { data } = await merchant.client.checkout.create({ email: 'ada@example.com', amount: 1, description });
    await merchant.client.checkout.create({ email: 'ada@example.com', amount: 1, description: 'Cup' });
    const page = await openPage(t);
    await page.setViewportSize({ width: 1280, height: 800 });
    await openDashboard(page, server(), { merchant, path: '/test/payments' });
    const row = page.getByRole('row', { name: data.reference });
    const link = row.getByRole('link');
    await link.waitFor();

    t.true((await row.boundingBox().then((box) => box?.height ?? 99)) < 40);
    t.true(await link.evaluate((element) => element.getBoundingClientRect().height < 24 && element.offsetWidth > 0));
    const place = await row.getByText(description).boundingBox();
    await page.mouse.move((place?.x ?? 0) + 10, (place?.y ?? 0) + 5);
    t.is(await link.getAttribute('title'), description);
    const short = await page.getByText('Cup').boundingBox();
    await page.mouse.move((short?.x ?? 0) + 5, (short?.y ?? 0) + 5);
    t.is(await page.getByRole('link', { name: /^ref_/ }).first().getAttribute('title'), '');
    t.is(
      Math.round(short?.x ?? 0),
      Math.round(place?.x ?? 1),
      'the text from right to left is aligned with its column',
    );
    await page.mouse.click((place?.x ?? 0) + 10, (place?.y ?? 0) + 5);
    await page.waitForURL(`**/payments/${data.reference}`);
  },
);

test.serial('the keys j and k walk through the rows, and Enter opens one', async (t) => {
  const merchant = await server().createMerchant();
  for (const reference of ['order-1', 'order-2', 'order-3']) await startCheckout(merchant, reference);
  const page = await openPage(t);
  await openDashboard(page, server(), { merchant, path: '/test/payments' });
  await page.getByRole('link', { name: 'order-1' }).waitFor();
  const focused = () => page.evaluate('document.activeElement.textContent');

  await page.keyboard.type('jjjj');
  t.is(await focused(), 'order-1');
  await page.keyboard.type('k');
  t.is(await focused(), 'order-2');
  await page.keyboard.press('Enter');

  await page.waitForURL('**/payments/order-2');
});

test.serial('a list without records has no filters, and its button; on a phone a payment has two lines', async (t) => {
  const merchant = await server().createMerchant();
  const page = await openPage(t);
  await page.setViewportSize({ width: 390, height: 844 });
  await openDashboard(page, server(), { merchant, path: '/test/payments' });
  await page.getByRole('heading', { name: 'No payments yet' }).waitFor();
  t.is(await page.getByRole('button', { name: 'Create a checkout link' }).count(), 1);
  t.is(await page.getByRole('search').count(), 0);
  t.is(await page.getByRole('navigation', { name: 'Status' }).count(), 0);

  await startCheckout(merchant, 'order-1042');
  await page.reload();
  const row = page.getByRole('row', { name: /order-1042/ });
  await row.waitFor();
  t.regex((await row.innerText()).replaceAll(/\s+/g, ' '), /₦.* Pending .*@example.com (now|\d+ seconds ago)/);
  t.true((await row.boundingBox().then((box) => box?.height ?? 99)) < 70);
  t.is(await page.getByRole('button', { name: 'Export CSV' }).count(), 0);
  await page.getByRole('button', { name: 'More' }).click();
  await page.getByRole('menuitem', { name: 'Export CSV' }).waitFor();
  t.deepEqual(await barriersOn(page), []);
  await page.keyboard.press('Escape');
  await row.click();
  await page.waitForURL('**/payments/order-1042');
});
