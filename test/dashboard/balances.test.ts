/** Wallets, their statements, and moving money between them. */
import test from 'ava';
import type { Route } from 'playwright-core';
import { barriersOn } from '../support/browser/accessibility.ts';
import { browserForFile } from '../support/browser/browser.ts';
import { loseAnswers, openDashboard } from '../support/dashboard/dashboard.ts';
import { balancesOf, creditCollection, fundedMerchant, recipient } from '../support/money/transfers.ts';
import { serverForFile } from '../support/server/tillhook.ts';

const server = serverForFile();
const openPage = browserForFile();

test.serial('a top-up whose answers are lost moves the money once', async (t) => {
  const merchant = await server().createMerchant();
  await creditCollection(server(), merchant, 1_000_000);
  const page = await openPage(t);
  await openDashboard(page, server(), { merchant, path: '/test/balances' });
  const keys = await loseAnswers(page, { method: 'POST', path: '/api/v1/wallets/transfer/top-ups', times: 3 });

  await page.getByRole('button', { name: 'Top up the Transfer wallet' }).click();
  const dialog = page.getByRole('dialog', { name: 'Top up the Transfer wallet' });
  await dialog.getByLabel('Amount').fill('2,500.50');
  await dialog
    .getByText('You move ₦2,500.50: ₦7,499.50 will stay there, and the Transfer wallet will have ₦2,500.50.')
    .waitFor();
  await dialog.getByRole('button', { name: 'Move it' }).dblclick();
  await dialog.getByText('Whether it has happened is not known.').waitFor();
  t.deepEqual(await barriersOn(page), []);
  await dialog.getByRole('button', { name: 'Close' }).last().click();
  await page.getByRole('button', { name: 'Top up the Transfer wallet' }).click();
  t.is(await dialog.getByLabel('Amount').inputValue(), '2,500.50');
  await dialog.getByRole('button', { name: 'Try again' }).click();

  await dialog.waitFor({ state: 'detached' });
  t.is(keys.length, 4);
  t.is(new Set(keys).size, 1);
  t.like(await balancesOf(server(), merchant), { collection: 749_950, transfer: 250_050 });
  await page.getByRole('link', { name: /Transfer wallet · NGN ₦2,500\.50/ }).waitFor();
});

test.serial('a second top-up with the same reference is refused, and the next one has a new reference', async (t) => {
  const merchant = await server().createMerchant();
  await creditCollection(server(), merchant, 1_000_000);
  const page = await openPage(t);
  await openDashboard(page, server(), { merchant, path: '/test/balances' });
  // The service carries the first request out. The page gets the answer to a second one with another idempotency key.
  const twice = async (route: Route) => {
    await route.fetch();
    await route.continue({
      headers: { ...route.request().headers(), 'idempotency-key': 'another-key-of-this-top-up' },
    });
  };
  await page.route('**/api/v1/wallets/transfer/top-ups', twice, { times: 1 });

  await page.getByRole('button', { name: 'Top up the Transfer wallet' }).click();
  const dialog = page.getByRole('dialog', { name: 'Top up the Transfer wallet' });
  await dialog.getByLabel('Amount').fill('2,500');
  await dialog.getByRole('button', { name: 'Move it' }).click();
  await dialog.getByText('This top-up was made already').waitFor();
  t.is(await dialog.getByLabel('Amount').inputValue(), '');
  await dialog.getByLabel('Amount').fill('20,000');
  await dialog.getByText(/^Your Collection wallet has ₦7,500\.00\. That is ₦12,500\.00 less/).waitFor();
  await dialog.getByRole('button', { name: 'Move it' }).click();
  await dialog.getByText('Your Collection wallet holds too little.').waitFor();
  await dialog.getByText('Your Collection wallet has ₦7,500.00.', { exact: true }).waitFor();
  t.is(await dialog.getByText('The service refused this').count(), 0);
  await dialog.getByLabel('Amount').fill('100');
  await dialog.getByRole('button', { name: 'Move it' }).click();

  await dialog.waitFor({ state: 'detached' });
  t.like(await balancesOf(server(), merchant), { collection: 740_000, transfer: 260_000 });
});

test.serial('two clicks add test money once, and the statement shows how it is spent', async (t) => {
  const merchant = await fundedMerchant(server(), 100);
  const page = await openPage(t);
  await openDashboard(page, server(), { merchant, path: '/test/balances?kind=transfer&page=0' });

  await page.getByRole('button', { name: 'Add test money' }).click();
  const dialog = page.getByRole('dialog', { name: 'Add test money' });
  await dialog.getByLabel('Amount').fill('9');
  await dialog.getByText('₦9.00 of test money will be added').waitFor();
  await dialog.getByRole('button', { name: 'Add it' }).dblclick();
  await dialog.waitFor({ state: 'detached' });
  t.is((await balancesOf(server(), merchant)).transfer, 1_000);
  await merchant.client.transfers.create({ reference: 'payout-77', amount: 400, recipient: recipient() });

  const statement = page.getByRole('table', { name: 'Transfer wallet' });
  await statement.getByRole('row', { name: /Transfer payout-77 -₦4\.00 ₦6\.00/ }).waitFor();
  await statement.getByRole('row', { name: /Test money .*\+₦9\.00 ₦10\.00/ }).waitFor();
  await page.getByLabel('Reference').fill('payout-77');
  await page.getByText('1–1 of 1').waitFor();
  await statement.getByRole('link', { name: 'payout-77' }).click();

  await page.getByRole('heading', { level: 1, name: 'Transfer', exact: true }).waitFor();
  await page.goBack();
  t.is(await page.getByLabel('Reference').inputValue(), 'payout-77');
});

test.serial('in live mode no test money is offered, and a viewer moves nothing', async (t) => {
  const merchant = await server().createMerchant();
  const page = await openPage(t, { viewport: { width: 320, height: 640 } });
  await openDashboard(page, server(), { merchant, path: '/live/balances', role: 'viewer' });

  await page.getByRole('heading', { name: 'Nothing has moved yet' }).waitFor();
  t.is(await page.getByRole('button', { name: /Top up|test money/ }).count(), 0);
  t.true(await page.locator('html').evaluate(({ scrollWidth }: { scrollWidth: number }) => scrollWidth <= 320));
  t.deepEqual(await barriersOn(page), []);
});
