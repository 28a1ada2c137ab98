/** The dashboard sends money exactly once, also when answers are lost. */
import test from 'ava';
import type { Page } from 'playwright-core';
import { barriersOn } from '../support/browser/accessibility.ts';
import { browserForFile } from '../support/browser/browser.ts';
import { loseAnswers, openDashboard, refuse } from '../support/dashboard/dashboard.ts';
import { balancesOf, chargeFee, fundedMerchant, recipient, waitForTransfer } from '../support/money/transfers.ts';
import { serverForFile, type TestMerchant } from '../support/server/tillhook.ts';

const server = serverForFile();
const openPage = browserForFile();

/** Opens the dialog and fills it in, without sending. */
async function fillIn(
  page: Page,
  { amount, accountNumber = '0123456789' }: { amount: string; accountNumber?: string },
) {
  await page.getByRole('button', { name: 'Send money' }).click();
  const dialog = page.getByRole('dialog', { name: 'Send money' });
  await dialog.getByLabel('Amount').fill(amount);
  await dialog.getByLabel('Recipient’s name').fill('Grace Hopper');
  await dialog.getByLabel('Account number or IBAN').fill(accountNumber);
  await dialog.getByLabel('Bank code').fill('058');
  return dialog;
}

const references = async ({ client }: TestMerchant) =>
  (await client.transfers.list()).transfers.map(({ reference }) => reference);

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

test.serial('a refusal is shown beside its field, and typed text stays', async (t) => {
  const merchant = await fundedMerchant(server(), 100_000);
  const page = await openPage(t);
  await openDashboard(page, server(), { merchant, path: '/test/transfers' });

  await page.route(/\/api\/v1\/wallets(\?|$)/, (route) => refuse(route, { status: 403, code: 'role_not_allowed' }));
  const dialog = await fillIn(page, { amount: '5,50' });
  await dialog.getByText('Your role may not do this').waitFor();
  t.is(await dialog.getByText('wallet has').count(), 0, 'a balance that could not be read is not shown as 0');
  await page.unrouteAll();
  await dialog.getByRole('button', { name: 'Try again' }).click();
  await dialog.getByText('Your Transfer wallet has ₦1,000.00').waitFor();

  await dialog.getByRole('button', { name: 'Send it' }).click();
  await dialog.getByText('Type an amount such as 5000.00.').waitFor();
  await dialog.getByLabel('Amount').fill('1,000.01');
  await dialog.getByText('That is ₦0.01 more than it has.').waitFor();
  await dialog.getByRole('button', { name: 'Send it' }).click();

  await dialog.getByText('Your Transfer wallet holds too little.').waitFor();
  t.is(await dialog.getByText(/Top it up|more than it has|refused this/).count(), 1, 'the refusal is shown once');
  const [balances] = await Promise.all([
    page.waitForEvent('popup'),
    dialog.getByRole('link', { name: 'Balances' }).click(),
  ]);
  await balances.waitForURL('**/test/balances');
  await merchant.client.testHelpers.fundWallet({ amount: 1 });
  await page.evaluate(`document.dispatchEvent(new Event('visibilitychange', { bubbles: true }))`);
  await dialog.getByText('Your Transfer wallet holds too little.').waitFor({ state: 'detached' });
  t.is(await dialog.getByLabel('Recipient’s name').inputValue(), 'Grace Hopper');
  t.deepEqual(await references(merchant), []);
});

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
