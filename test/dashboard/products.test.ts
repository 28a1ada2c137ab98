/** Products of the storefront in the dashboard. */
import test from 'ava';
import type { Page } from 'playwright-core';
import { barriersOn } from '../support/browser/accessibility.ts';
import { browserForFile } from '../support/browser/browser.ts';
import { openDashboard } from '../support/dashboard/dashboard.ts';
import { insertProducts } from '../support/money/products.ts';
import { serverForFile } from '../support/server/tillhook.ts';

const server = serverForFile();
const openPage = browserForFile();

test.serial('a product is added with its picture, changed, archived and brought back', async (t) => {
  const merchant = await server().createMerchant();
  const offered = async () => (await merchant.client.storefront.listProducts()).products;
  const page = await openPage(t);
  await openDashboard(page, server(), { merchant, path: '/test/products' });
  const picture = await page.locator('link[rel=icon]').evaluate((link: { href: string }) => link.href);
  await page.getByRole('heading', { name: 'There is no product yet' }).waitFor();

  await page.getByRole('button', { name: 'Add a product' }).click();
  const adding = page.getByRole('dialog', { name: 'Add a product' });
  await adding.getByRole('button', { name: 'Add it' }).click();
  await adding.getByText('Type what it is called.').waitFor();
  await adding.getByLabel('Name').fill('كوب <b>Mug</b> ☕');
  await adding.getByLabel('Price').fill('4500');
  await adding.getByLabel('Description').fill('Holds 0.3 l');
  await adding.getByLabel('How many are left').fill('12');
  await adding.getByLabel('Address of a picture').fill(picture);
  await adding.getByText('It costs ₦4,500.00.').waitFor();
  await adding.locator(`img[src="${picture}"]`).waitFor();
  t.deepEqual(await barriersOn(page), []);
  await adding.getByRole('button', { name: 'Add it' }).dblclick();
  await page.getByText('كوب <b>Mug</b> ☕').waitFor();
  const [product, ...others] = await offered();
  const added = { name: 'كوب <b>Mug</b> ☕', description: 'Holds 0.3 l', price: 450_000, stock: 12, imageUrl: picture };
  t.like(product, added);
  t.deepEqual(others, []);

  await page.getByRole('button', { name: /^Edit/ }).click();
  const editing = page.getByRole('dialog', { name: 'Edit the product' });
  t.is(await editing.getByLabel('Price').inputValue(), '4500.00');
  await editing.getByLabel('Price').fill('5,000.00');
  await editing.getByLabel('How many are left').fill('');
  await editing.getByLabel('Address of a picture').fill('');
  await editing.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('cell', { name: '₦5,000.00' }).waitFor();
  t.like((await offered())[0], { price: 500_000, stock: null, imageUrl: null });

  const archivings = await loseArchiving(page);
  await page.getByRole('button', { name: /^Archive/ }).click();
  const archiving = page.getByRole('dialog', { name: 'Archive this product?' });
  await archiving.getByRole('button', { name: 'Archive' }).click();
  await page.getByRole('cell', { name: 'archived' }).waitFor();
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  t.deepEqual(archivings, ['DELETE', 'DELETE'], 'the repeated call archives too, and does not restore the product');
  await page.locator('button[aria-label^="Bring back"]:focus').waitFor();
  t.deepEqual(await offered(), []);
  // The row is drawn again when the filtered list arrives, so a click before that is lost.
  const filtered = page.waitForResponse(/products\?.*isActive=false/);
  await page.getByLabel('Status').selectOption('archived');
  await filtered;
  await page.getByText('1–1 of 1').waitFor();
  await page.getByRole('button', { name: /^Bring back/ }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Bring back' }).click();

  await page.getByRole('heading', { name: 'No product is archived' }).waitFor();
  t.is((await offered()).length, 1);
});

test.serial('a refusal is shown and typed text stays; a viewer can change nothing', async (t) => {
  const merchant = await server().createMerchant();
  await insertProducts(server(), merchant, 1_000);
  const page = await openPage(t, { viewport: { width: 320, height: 640 } });
  await openDashboard(page, server(), { merchant, path: '/test/products' });

  await page.getByRole('button', { name: 'Add a product' }).click();
  const dialog = page.getByRole('dialog', { name: 'Add a product' });
  await dialog.getByLabel('Name').fill('Tin mug');
  await dialog.getByLabel('Price').fill('1');
  await dialog.getByLabel('Address of a picture').fill('http://shop.example.com/mug.webp');
  await dialog.getByText('Only pictures of https addresses are shown here.').waitFor();
  await dialog.getByRole('button', { name: 'Add it' }).click();
  await dialog.getByRole('alert').getByText('at most 1,000 active products').waitFor();
  t.is(await dialog.getByLabel('Name').inputValue(), 'Tin mug');
  t.deepEqual(await barriersOn(page), []);

  await openDashboard(page, server(), { merchant, path: '/test/products', role: 'viewer' });
  await page.getByText('1–25 of 1,000').waitFor();
  t.is(await page.getByRole('button', { name: /Add|Edit|Archive/ }).count(), 0);
  t.true(await page.locator('html').evaluate(({ scrollWidth }: { scrollWidth: number }) => scrollWidth <= 320));
});

/**
 * Loses the first answer, but only after the list shows the product as archived, as it does when the user comes back to
 * the tab.
 */
async function loseArchiving(page: Page): Promise<string[]> {
  const asked: string[] = [];
  await page.route('**/storefront/products/*', async (route) => {
    asked.push(route.request().method());
    if (asked.length > 1) return route.fallback();
    await route.fetch();
    await page.evaluate(`const { now } = Date;
      Date.now = () => now() + 10_000;
      document.dispatchEvent(new Event('visibilitychange', { bubbles: true }))`);
    await page.getByRole('cell', { name: 'archived' }).waitFor();
    await route.abort();
  });
  return asked;
}
