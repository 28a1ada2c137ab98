/** Wallets, their statements, and money that is moved between them or sent to others. */
import test from 'ava';
import { barriersOn } from '../support/browser/accessibility.ts';
import { browserForFile } from '../support/browser/browser.ts';
import { loseAnswers, openDashboard } from '../support/dashboard/dashboard.ts';
import { fillIn, references } from '../support/dashboard/send-money.ts';
import {
  balancesOf,
  chargeFee,
  creditCollection,
  fundedMerchant,
  recipient,
  waitForTransfer,
} from '../support/money/transfers.ts';
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

test.serial('the dialog shows balance and fee, and two clicks send the money once', async (t) => {
  const merchant = await fundedMerchant(server(), 1_000_000);
  await chargeFee(server(), merchant, 2_500);
  const page = await openPage(t);
  await openDashboard(page, server(), { merchant, path: '/test/transfers' });
  await page.getByRole('heading', { name: 'No money was sent yet' }).waitFor();

  const dialog = await fillIn(page, { amount: '5,000' });
  const words = dialog.getByRole('status');
  await words.getByText('Your Transfer wallet has ₦10,000.00, and a transfer costs ₦25.00.').waitFor();
  await words
    .getByText(
      'You send ₦5,000.00 to Grace Hopper, to the account that ends in 6789. ₦5,025.00 with the fee will leave the wallet, and ₦4,975.00 will stay.',
    )
    .waitFor();
  await dialog.getByRole('button', { name: 'Send it' }).dblclick();

  await page.getByRole('heading', { level: 1, name: 'Transfer', exact: true }).waitFor();
  const [reference = '', ...others] = await references(merchant);
  t.deepEqual(others, []);
  t.is(page.url(), `${server().url}/dashboard/test/transfers/${reference}`);
  await waitForTransfer('completed', merchant, reference);
  t.is((await balancesOf(server(), merchant)).transfer, 497_500);
  const entries = page.getByRole('table', { name: 'Ledger entries' });
  await entries.getByRole('row', { name: /^Transfer .*-₦5,000\.00/ }).waitFor();
  await entries.getByRole('row', { name: /^Fee .*-₦25\.00/ }).waitFor();
  await page.getByRole('table', { name: 'Events' }).getByText('transfer.success').waitFor();
  await page.getByText('The recipient’s bank has taken the money.').waitFor();
});

test.serial(
  'if a proxy answers in place of the service, the transfer is sent once, by an automatic repeat or by the button',
  async (t) => {
    const merchant = await fundedMerchant(server(), 1_000_000);
    const page = await openPage(t);
    await openDashboard(page, server(), { merchant, path: '/test/transfers' });
    const keys = await loseAnswers(page, { method: 'POST', path: '/api/v1/transfers', times: 3, withPage: true });

    const dialog = await fillIn(page, { amount: '1000' });
    await dialog.getByRole('button', { name: 'Send it' }).click();
    await dialog.getByText('Whether it has happened is not known.').waitFor();
    t.true(await dialog.getByLabel('Amount').isDisabled());
    t.deepEqual(await barriersOn(page), []);
    await dialog.getByRole('button', { name: 'Try again' }).click();

    await page.getByRole('heading', { level: 1, name: 'Transfer', exact: true }).waitFor();
    t.is((await references(merchant)).length, 1);
    t.is(keys.length, 4);
    t.is(new Set(keys).size, 1);
  },
);

test.serial('a viewer can read transfers but not send one, and sees none of another merchant', async (t) => {
  const [merchant, other] = [await fundedMerchant(server()), await fundedMerchant(server())];
  await merchant.client.transfers.create({ reference: 'payout-77', amount: 500, recipient: recipient() });
  await other.client.transfers.create({ reference: 'payout-88', amount: 500, recipient: recipient() });
  const page = await openPage(t);
  await openDashboard(page, server(), { merchant, path: '/test/transfers?reference=payout-77', role: 'viewer' });

  await page.getByRole('link', { name: 'payout-77' }).waitFor();
  t.is(await page.getByRole('button', { name: 'Send money' }).count(), 0);
  await page.getByText('Your role is viewer').waitFor();
  t.deepEqual(await barriersOn(page), []);
  // The first of the transfers in the place of the last of very many.
  await page.route(/\/transfers\?.*offset=99975/, async (route) => {
    const response = await route.fetch({ url: route.request().url().replace('99975', '0') });
    await route.fulfill({ response, json: { ...(await response.json()), total: 200_000 } });
  });
  await page.goto(`${server().url}/dashboard/test/transfers?page=4000`);
  await page.getByText('of 200,000. A list ends here: filter it by time').waitFor();
  t.true(await page.getByRole('button', { name: 'Next' }).isDisabled());
  await page.goto(`${server().url}/dashboard/test/transfers/payout-88`);

  await page.getByText('There is no such thing here').waitFor();
});
