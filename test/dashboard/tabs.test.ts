/** Two tabs of one browser in two modes, and the way back and forward in one of them. */
import test from 'ava';
import type { Page } from 'playwright-core';
import { browserForFile } from '../support/browser.ts';
import { openDashboard } from '../support/dashboard.ts';
import { insertProducts } from '../support/products.ts';
import { serverForFile } from '../support/tillhook.ts';

const server = serverForFile();
const openPage = browserForFile();

test.serial('two tabs in two modes act each in its own, whichever acted last', async (t) => {
  const { client, liveClient, ...merchant } = await server().createMerchant();
  const testTab = await openPage(t);
  await openDashboard(testTab, server(), { merchant: { client, liveClient, ...merchant }, path: '/test/products' });
  const liveTab = await testTab.context().newPage();
  await liveTab.goto(`${server().url}/dashboard/live/products`);
  await liveTab.getByRole('heading', { name: 'There is no product yet' }).waitFor();

  await addProduct(testTab, 'Test mug');
  await addProduct(liveTab, 'Live mug');
  await addProduct(testTab, 'Test cup');
  await liveTab.reload();
  await liveTab.getByRole('cell', { name: 'Live mug', exact: true }).waitFor();
  await testTab.reload();
  await testTab.getByRole('cell', { name: 'Test cup', exact: true }).waitFor();

  t.deepEqual(await productsIn(testTab), ['Test cup', 'Test mug']);
  t.deepEqual(await productsIn(liveTab), ['Live mug']);
  t.deepEqual(namesOf(await client.storefront.listProducts()), ['Test cup', 'Test mug']);
  t.deepEqual(namesOf(await liveClient.storefront.listProducts()), ['Live mug']);
  t.is(await modeOf(testTab), 'Test');
  t.is(await modeOf(liveTab), 'Live');
});

test.serial('back and forward keep filters and page', async (t) => {
  const merchant = await server().createMerchant();
  await insertProducts(server(), merchant, 30);
  const page = await openPage(t);
  await openDashboard(page, server(), { merchant, path: '/test/products' });
  const older = page.getByRole('button', { name: 'Older' });
  await page.getByText('1–25 of 30').waitFor();
  await page.getByLabel('Status').selectOption('active');
  await page.waitForURL('**/products?status=active');
  await older.click();
  await page.getByText('26–30 of 30').waitFor();
  await page.getByRole('link', { name: 'Payments' }).click();
  await page.getByLabel('Reference').fill('order-1042');
  await page.waitForURL('**/payments?reference=order-1042');

  await page.goBack();
  await page.getByText('26–30 of 30').waitFor();
  t.is(await page.getByLabel('Status').inputValue(), 'active');
  await page.goBack();
  await page.getByText('1–25 of 30').waitFor();
  t.is(await page.getByLabel('Status').inputValue(), 'active');
  await page.goForward();
  await page.getByText('26–30 of 30').waitFor();
  await page.goForward();
  await page.getByRole('heading', { name: 'No payment matches' }).waitFor();
  t.is(await page.getByLabel('Reference').inputValue(), 'order-1042');
});

async function addProduct(page: Page, name: string): Promise<void> {
  await page.getByRole('button', { name: 'Add a product' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Name').fill(name);
  await dialog.getByLabel('Price').fill('1');
  await dialog.getByRole('button', { name: 'Add it' }).click();
  await page.getByRole('cell', { name, exact: true }).waitFor();
}

const productsIn = (page: Page) => page.locator('td[data-title=Product]').allInnerTexts();

const modeOf = (page: Page) => page.locator('[aria-label="Mode"] [aria-current]').innerText();

const namesOf = ({ products }: { products: { name: string }[] }) => products.map(({ name }) => name);
