import test, { type ExecutionContext } from 'ava';
import type { Page } from 'playwright-core';
import { barriersOn } from '../support/browser/accessibility.ts';
import { browserForFile } from '../support/browser/browser.ts';
import { openDashboard, signInToDashboard } from '../support/dashboard/dashboard.ts';
import { serverForFile, type TestMerchant } from '../support/server/tillhook.ts';
import { addUser, createMerchantWithUser, password } from '../support/users/users.ts';

const server = serverForFile({ PAYOUT_PROCESSOR: 'manual' });

const openPage = browserForFile();

test.serial(
  'after an operator has typed the amount of a live transfer, a double click settles the transfer once',
  async (t) => {
    const merchant = await server().createMerchant('Grace & Co');
    const transfer = await server().arrange('createLiveTransfer', { merchantId: merchant.id });
    const page = await openOperator(t);
    const dialog = page.getByRole('dialog');
    await page.getByRole('row', { name: transfer.reference }).getByText('NGN 5.00', { exact: true }).waitFor();
    await page.getByRole('link', { name: transfer.reference }).click();
    await dialog.getByText('NGN 5.00', { exact: true }).waitFor();

    await dialog.getByRole('button', { name: 'Show all digits' }).click();
    const question = page.getByRole('dialog', { name: 'Show account number' });
    await question.getByLabel('Password', { exact: true }).fill(password);
    await question.getByRole('button', { name: 'Show number' }).click();
    await dialog.getByText('9876543210').waitFor();
    t.deepEqual(await barriersOn(page), []);

    await dialog.getByRole('button', { name: 'Mark as completed' }).click();
    await dialog.getByLabel('Enter the amount to confirm').fill('6');
    await dialog.getByRole('button', { name: 'Complete transfer' }).click();
    await dialog.getByText('That is not NGN 5.00.').waitFor();
    t.deepEqual(await barriersOn(page), []);
    await dialog.getByLabel('Enter the amount to confirm').fill('5.00');
    await dialog.getByRole('button', { name: 'Complete transfer' }).dblclick();

    await page.getByText('Transfer completed.').waitFor();
    t.is((await merchant.liveClient.transfers.get(transfer.reference)).status, 'completed');
  },
);

test.serial(
  'an operator marks a transfer as failed: the merchant sees the reason and the money is returned',
  async (t) => {
    const merchant = await server().createMerchant('Grace & Co');
    const transfer = await server().arrange('createLiveTransfer', { merchantId: merchant.id });
    const own = await openPage(t);
    await openDashboard(own, server(), { merchant, path: `/live/transfers/${transfer.reference}` });
    await own.getByText('The operator of this service sends it and records here whether it has arrived.').waitFor();
    const page = await openOperator(t, `?transfer=${transfer.id}`);
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Mark as failed' }).click();

    await dialog.getByLabel('Enter the amount to confirm').fill('5');
    await dialog.getByRole('button', { name: 'Fail transfer' }).click();
    await dialog.getByText('Enter a reason.').waitFor();
    await dialog.getByLabel('Reason').fill('The account is closed');
    await dialog.getByRole('button', { name: 'Fail transfer' }).click();

    await page.getByText('Transfer failed').waitFor();
    const failed = await merchant.liveClient.transfers.get(transfer.reference);
    t.like(failed, { status: 'failed', failureReason: 'The account is closed' });
    await own
      .getByText('It could not be sent. The amount and the fee were returned to your Transfer wallet.')
      .waitFor();
  },
);

test.serial(
  'an operator reverses a completed transfer: the merchant sees the reason and the money is returned',
  async (t) => {
    const merchant = await server().createMerchant('Grace & Co');
    const transfer = await server().arrange('createLiveTransfer', { merchantId: merchant.id, status: 'completed' });
    const page = await openOperator(t, `?transfer=${transfer.id}`);
    const dialog = page.getByRole('dialog');
    await dialog.getByText('Completed', { exact: true }).waitFor();
    t.is(await dialog.getByRole('button', { name: /Mark as (failed|completed)/ }).count(), 0);
    await server().database.query('update transfer set sealed_account_number = null where id = $1', [transfer.id]);
    await dialog.getByRole('button', { name: 'Show all digits' }).click();
    const question = page.getByRole('dialog', { name: 'Show account number' });
    await question.getByLabel('Password', { exact: true }).fill(password);
    await question.getByRole('button', { name: 'Show number' }).click();
    await dialog.getByText('The number is no longer stored').waitFor();
    await dialog.getByRole('button', { name: 'Mark as reversed' }).click();
    await dialog.getByLabel('Reason').fill('The bank sent it back');
    await dialog.getByLabel('Enter the amount to confirm').fill('5.00');
    t.deepEqual(await barriersOn(page), []);
    await dialog.getByRole('button', { name: 'Reverse transfer' }).dblclick();

    await page.getByText('Transfer reversed.').waitFor();
    t.is(await balanceOf(merchant), 1000);
    const own = await openPage(t);
    await openDashboard(own, server(), { merchant, path: `/live/transfers/${transfer.reference}` });
    await own.getByText('The bank sent it back').first().waitFor();
    await own.getByText('Reversed', { exact: true }).first().waitFor();
  },
);

test.serial(
  "an operator opens the pages of another merchant, and then the pages of the operator's own merchant",
  async (t) => {
    await server().createMerchant('Grace & Co <script>');
    const page = await openOperator(t, '?tab=merchants');
    await page.getByRole('table', { name: 'Merchants' }).waitFor();

    await page.getByRole('button', { name: 'Open Grace & Co <script>' }).click();

    await page.getByRole('banner').getByText('Grace & Co <script>').waitFor();
    await page.getByText('You are viewing Grace & Co <script> as the operator.').waitFor();
    await page.getByRole('link', { name: 'Back to Merchants' }).click();
    await page.waitForURL('**/live/operator?tab=merchants');
    await page.getByRole('button', { name: 'Back to your own merchant' }).click();
    await page.getByRole('banner').getByText('The service itself').waitFor();
    t.is(await page.getByRole('banner').getByText('Grace & Co <script>').count(), 0);
    t.is(await page.getByText('You are viewing').count(), 0);
  },
);

test.serial("when a user of a merchant opens the operator's page, it says that it is only for operators", async (t) => {
  const { email } = await createMerchantWithUser(server(), 'Ada’s Books');
  const page = await openPage(t);
  await signInToDashboard(page, server(), { email, password, path: '/live/operator' });

  await page.getByRole('heading', { name: 'Only operators can open this page' }).waitFor();
  t.is(await page.getByRole('link', { name: 'Operator' }).count(), 0);
});

async function balanceOf({ liveClient }: TestMerchant): Promise<number | undefined> {
  return (await liveClient.wallets.list()).wallets.find(({ kind }) => kind === 'transfer')?.available;
}

async function openOperator(t: ExecutionContext, search = ''): Promise<Page> {
  const own = await server().createMerchant('The service itself');
  const page = await openPage(t);
  const email = await addUser(server(), own, 'operator');
  await signInToDashboard(page, server(), { email, password, path: `/live/operator${search}` });
  await page.getByRole('heading', { level: 1, name: 'Operator' }).waitFor();
  return page;
}
