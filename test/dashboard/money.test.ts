import test from 'ava';
import { barriersOn } from '../support/browser/accessibility.ts';
import { browserForFile } from '../support/browser/browser.ts';
import { loseAnswers, openDashboard } from '../support/dashboard/dashboard.ts';
import { chipOf, chooseTab, filterBy, openFilter } from '../support/dashboard/lists.ts';
import { fillIn, references } from '../support/dashboard/send-money.ts';
import { paidMerchant } from '../support/money/refunds.ts';
import {
  balancesOf,
  chargeFee,
  creditCollection,
  fundedMerchant,
  recipient,
  waitForTransfer,
} from '../support/money/transfers.ts';
import { startReceiver } from '../support/receivers/receiver.ts';
import { serverForFile } from '../support/server/tillhook.ts';

const server = serverForFile();
const openPage = browserForFile();

test.serial(
  'a merchant creates a checkout link, a customer pays in test mode, and the merchant sends the webhooks again',
  async (t) => {
    const receiver = await startReceiver();
    t.teardown(() => receiver.stop());
    const merchant = await server().createMerchant();
    await merchant.client.webhookEndpoints.register({ url: receiver.url });
    const page = await openPage(t);
    await openDashboard(page, server(), { merchant, path: '/test/payments' });
    await page.getByRole('heading', { name: 'No payments yet' }).waitFor();

    await page.getByRole('button', { name: 'Create a checkout link' }).click();
    const dialog = page.getByRole('dialog', { name: 'Create a checkout link' });
    await dialog.getByLabel('Amount').fill('1999');
    await dialog.getByLabel('Currency').selectOption('JPY');
    await dialog.getByLabel('Customer’s email').fill('ada@example.com');
    await dialog.getByLabel('Description').fill('Two tickets <script>');
    await dialog
      .getByText(
        'The customer pays JP¥1,999. The link works for 24 hours, and for up to 15 minutes longer after a decline.',
      )
      .waitFor();
    await dialog.getByRole('button', { name: 'Create link' }).dblclick();

    const made = page.getByRole('dialog', { name: 'Send this link' });
    t.true((await made.getByRole('code').textContent())?.startsWith(`${server().url}/checkout/`));
    t.is((await merchant.client.payments.list()).total, 1);
    await made.getByRole('link', { name: 'View payment' }).click();

    await page.getByText('Two tickets <script>').waitFor();
    await page
      .getByText('Nothing was sent yet. Your endpoints receive a webhook when the payment completes, fails or expires.')
      .waitFor();
    await page.getByRole('button', { name: 'Complete payment' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Complete payment' }).click();
    await page.getByText('Payment completed').waitFor();
    await page.getByText('Attempt 1 with Visa •••• 4242 was accepted').waitFor();
    await page.getByRole('button', { name: '1 webhook delivered' }).click();
    await page.getByRole('link', { name: /^checkout\.success was delivered to/ }).waitFor();
    await page.getByText('Visa •••• 4242').first().waitFor();
    await page.getByRole('button', { name: 'Resend webhooks' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Resend' }).dblclick();

    await page.getByRole('link', { name: /^checkout\.success was delivered to .*\(resent\)$/ }).waitFor();
    await page.getByRole('button', { name: '2 webhooks delivered' }).waitFor();
    await receiver.waitFor(2);
    t.is((await merchant.client.deliveries.list()).total, 2);
  },
);

test.serial('a test payment under review shows how much came, and the merchant decides about it', async (t) => {
  const merchant = await server().createMerchant();
  const { data } = await merchant.client.checkout.create({ email: 'ada@example.com', amount: 500_000 });
  const page = await openPage(t);
  await openDashboard(page, server(), { merchant, path: `/test/payments/${data.reference}` });
  await page.getByRole('button', { name: 'Complete payment' }).waitFor();
  await merchant.client.test.receiveBankTransfer(data.reference, { amount: 450_000 });

  await page.getByText('This payment is under review').waitFor();
  await page.getByText('₦4,500.00 of ₦5,000.00 arrived.').waitFor();
  await page.getByText('A bank transfer of ₦4,500.00 arrived').waitFor();
  await page.getByText('₦5,000.00 was requested').waitFor();
  t.is(await page.getByRole('button', { name: /^(Complete|Fail) payment$/ }).count(), 0);
  await page.getByRole('button', { name: 'Accept payment' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Accept payment' }).click();
  await page.getByText('Payment completed').waitFor();
  t.is(await page.getByText('This payment is under review').count(), 0);
  t.like(await merchant.client.payments.get(data.reference), { status: 'completed', reviewReason: null });
});

test.serial(
  'a test payment under review is refused, and a review of a payment that was paid twice is closed',
  async (t) => {
    const merchant = await server().createMerchant();
    const { client } = merchant;
    const create = async () =>
      (await client.checkout.create({ email: 'ada@example.com', amount: 500_000 })).data.reference;
    const [refused, twice] = [await create(), await create()];
    const page = await openPage(t);
    await openDashboard(page, server(), { merchant, path: `/test/payments/${refused}` });
    await client.test.receiveBankTransfer(refused, { amount: 450_000 });
    await page.getByText('In test mode, an administrator or a developer of your team decides.').waitFor();
    await page.getByRole('button', { name: 'Refuse payment' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Refuse payment' }).click();
    await page.getByText('Payment failed').waitFor();
    for (const bankReference of ['first', 'second'])
      await client.test.receiveBankTransfer(twice, { amount: 500_000, bankReference });
    await page.goto(`${server().url}/dashboard/test/payments/${twice}`);
    await page.getByText('The payment was already completed').waitFor();
    await page.getByRole('button', { name: 'Close review' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Close review' }).click();

    await page.getByText('The customer paid more than once').waitFor({ state: 'hidden' });
    t.like(await client.payments.get(refused), {
      status: 'failed',
      failureCode: 'amount_mismatch',
      reviewReason: null,
    });
    t.like(await client.payments.get(twice), { status: 'completed', reviewReason: null });
  },
);

test.serial(
  'payments are filtered by status, email, reference and amount, and the URL of the page contains the filters',
  async (t) => {
    const merchant = await server().createMerchant();
    const { checkout, testHelpers } = merchant.client;
    await checkout.create({ email: 'ada@example.com', amount: 500_000, reference: 'order-1042' });
    await checkout.create({ email: 'grace@example.com', amount: 700_000, reference: 'order-1043' });
    await checkout.create({ email: 'grace@example.com', amount: 7_000, currency: 'JPY', reference: 'order-1044' });
    await testHelpers.completePayment('order-1043');
    const page = await openPage(t);
    await openDashboard(page, server(), { merchant, path: '/test/payments?status=neither&minAmount=x&page=9' });
    const table = page.getByRole('table', { name: 'Payments' });
    const shows = async (...expected: string[]) => {
      // Until the filtered list arrives, the page shows the earlier list, which may have the same length.
      await table.getByRole('link', { name: expected[0] ?? '' }).waitFor();
      await page.getByText(`1–${expected.length} of ${expected.length}`).waitFor();
      t.deepEqual(await table.getByRole('link').allTextContents(), expected);
    };
    await page.getByRole('heading', { name: 'This page is empty' }).waitFor();
    await page.getByRole('button', { name: 'Go to first page' }).click();
    await shows('order-1044', 'order-1043', 'order-1042');

    await filterBy(page, 'Amount', '6,000', 'Amount from (NGN)');
    await shows('order-1043');
    t.is(new URL(page.url()).searchParams.get('minAmount'), '600000');
    await (await openFilter(page, 'Currency')).getByLabel('Currency').selectOption('JPY');
    await shows('order-1044');
    t.is(await chipOf(page, 'Amount').textContent(), 'Amount: JP¥6,000 or more');
    t.is(new URL(page.url()).search, '?minAmount=6000&currency=JPY');
    await page.getByRole('dialog').getByLabel('Currency').selectOption('NGN');
    await shows('order-1043');
    await page.keyboard.press('Escape');
    const amount = await openFilter(page, 'Amount');
    await amount.getByLabel('Amount from').fill('lots');
    await amount.getByRole('button', { name: 'Apply' }).click();
    await amount.getByText('Enter an amount such as 5000.00').waitFor();
    await amount.getByLabel('Amount from').fill('6,000');
    await amount.getByLabel('Amount to').fill('5000');
    await amount.getByText('The minimum is higher than the maximum.').waitFor();
    t.deepEqual(await barriersOn(page), []);
    await page.keyboard.press('Escape');
    await page.goto(`${server().url}/dashboard/test/payments?minAmount=600000&maxAmount=500000`);
    await page.getByText('“Amount from” is higher than “Amount to”. Change or clear the filters above.').waitFor();
    await page.getByRole('button', { name: 'Clear filters' }).click();
    await filterBy(page, 'Reference', 'order-104');
    await page.getByText('Enter the full reference to find it.').waitFor();
    await page.getByRole('button', { name: 'Remove filter Reference' }).click();
    await filterBy(page, 'Email', 'ADA@example.com');
    await shows('order-1042');
    await page.reload();
    await shows('order-1042');
    t.is(await chipOf(page, 'Email').textContent(), 'Email: ADA@example.com');
    await page.getByRole('button', { name: 'Clear filters' }).click();
    await shows('order-1044', 'order-1043', 'order-1042');
    t.is(
      await table.locator('[data-fresh]').count(),
      0,
      'a record that an earlier filter left out is not marked as new',
    );
    await chooseTab(page, 'Failed');

    await page.getByRole('heading', { name: 'No payments match' }).waitFor();
  },
);

const paidPath = '/test/payments/order-1042';

test.serial('a payment is refunded in two parts, and its page shows the result of each refund', async (t) => {
  const receiver = await startReceiver();
  t.teardown(() => receiver.stop());
  const merchant = await paidMerchant(server(), 500_000);
  await merchant.client.webhookEndpoints.register({ url: receiver.url });
  const page = await openPage(t);
  await openDashboard(page, server(), { merchant, path: paidPath });
  const dialog = page.getByRole('dialog', { name: 'Refund payment' });
  const table = page.getByRole('table', { name: 'Refunds' });

  await page.getByRole('button', { name: 'Refund', exact: true }).click();
  t.is(await dialog.getByLabel('Amount').inputValue(), '5000.00');
  await dialog.getByText('₦5,000.00 can be refunded.').waitFor();
  await dialog.getByLabel('Amount').fill('5,000.01');
  await dialog.getByRole('button', { name: /^Refund/ }).click();
  await dialog.getByText('Only ₦5,000.00 can still be refunded.').waitFor();
  await dialog.getByLabel('Amount').fill('2,000');
  await dialog.getByLabel('Reason').fill('One ticket was returned');
  await dialog.getByText('₦2,000.00 is taken from it at once').waitFor();
  await dialog.getByRole('button', { name: /^Refund/ }).dblclick();

  await table.getByRole('row', { name: /₦2,000\.00 Completed One ticket was returned/ }).waitFor();
  await page.getByRole('definition').getByText('₦2,000.00 of ₦5,000.00').waitFor();
  await page.getByText('Partially refunded: ₦2,000.00', { exact: true }).waitFor();
  await page.getByText('Refund of ₦2,000.00 completed').waitFor();
  await page.getByRole('button', { name: '1 webhook delivered' }).click();
  await page.getByRole('link', { name: /^refund\.success was delivered to/ }).waitFor();

  await page.getByRole('button', { name: 'Refund', exact: true }).click();
  t.is(await dialog.getByLabel('Amount').inputValue(), '3000.00');
  await dialog.getByRole('button', { name: /^Refund/ }).click();

  await table.getByRole('row', { name: /₦3,000\.00 Completed/ }).waitFor();
  await page.getByRole('definition').getByText('₦5,000.00 of ₦5,000.00').waitFor();
  t.is(await page.getByRole('button', { name: 'Refund', exact: true }).count(), 0);
  const { refunds } = await merchant.client.refunds.list();
  t.deepEqual(
    refunds.map(({ amount, reason, origin }) => ({ amount, reason, origin })),
    [
      { amount: 300_000, reason: null, origin: 'dashboard' },
      { amount: 200_000, reason: 'One ticket was returned', origin: 'dashboard' },
    ],
  );

  await page.getByRole('link', { name: 'refund.success', exact: true }).first().click();
  await page.getByRole('link', { name: refunds[1]?.reference ?? '' }).click();
  await page.waitForURL(`**${paidPath}`);
  await page.goto(`${server().url}/dashboard/test/payments`);
  await page.getByRole('row', { name: 'order-1042' }).getByText('Refunded', { exact: true }).waitFor();
  await page.goto(`${server().url}/dashboard/test/balances`);
  await page.getByRole('link', { name: refunds[0]?.reference ?? '' }).click();
  await page.waitForURL(`**${paidPath}`);
});

test.serial('a top-up moves the money once, although the responses to its requests are lost', async (t) => {
  const merchant = await server().createMerchant();
  await creditCollection(server(), merchant, 1_000_000);
  const page = await openPage(t);
  await openDashboard(page, server(), { merchant, path: '/test/balances' });
  const keys = await loseAnswers(page, { method: 'POST', path: '/api/v1/wallets/transfer/top-ups', times: 3 });

  await page.getByRole('button', { name: 'Top up Transfer wallet' }).click();
  const dialog = page.getByRole('dialog', { name: 'Top up Transfer wallet' });
  await dialog.getByLabel('Amount').fill('2,500.50');
  await dialog
    .getByText('After moving ₦2,500.50, ₦7,499.50 stays there and the Transfer wallet has ₦2,500.50.')
    .waitFor();
  await dialog.getByRole('button', { name: /^Move/ }).dblclick();
  await dialog.getByText('We do not know whether this was done.').waitFor();
  t.deepEqual(await barriersOn(page), []);
  await dialog.getByRole('button', { name: 'Close' }).last().click();
  await page.getByRole('button', { name: 'Top up Transfer wallet' }).click();
  t.is(await dialog.getByLabel('Amount').inputValue(), '2,500.50');
  await dialog.getByRole('button', { name: 'Try again' }).click();

  await dialog.waitFor({ state: 'detached' });
  t.is(keys.length, 4);
  t.is(new Set(keys).size, 1);
  t.like(await balancesOf(server(), merchant), { collection: 749_950, transfer: 250_050 });
  await page.getByRole('link', { name: /Transfer wallet · NGN ₦2,500\.50/ }).waitFor();
});

test.serial(
  'a double click adds test money once, and the wallet statement shows the transfers that spend the money',
  async (t) => {
    const merchant = await fundedMerchant(server(), 100);
    const page = await openPage(t);
    await openDashboard(page, server(), { merchant, path: '/test/balances?kind=transfer&page=0' });

    await page.getByRole('button', { name: 'Add test money' }).click();
    const dialog = page.getByRole('dialog', { name: 'Add test money' });
    await dialog.getByLabel('Amount').fill('9');
    await dialog.getByText('₦9.00 of test money will be added').waitFor();
    await dialog.getByRole('button', { name: /^Add/ }).dblclick();
    await dialog.waitFor({ state: 'detached' });
    t.is((await balancesOf(server(), merchant)).transfer, 1_000);
    await merchant.client.transfers.create({ reference: 'payout-77', amount: 400, recipient: recipient() });

    const statement = page.getByRole('table', { name: 'Transfer wallet' });
    await statement.getByRole('row', { name: /Transfer payout-77 -₦4\.00 ₦6\.00/ }).waitFor();
    await statement.getByRole('row', { name: /Test money .*\+₦9\.00 ₦10\.00/ }).waitFor();
    await filterBy(page, 'Reference', 'payout-77');
    await page.getByText('1–1 of 1').waitFor();
    await statement.getByRole('link', { name: 'payout-77' }).click();

    await page.getByRole('heading', { level: 1, name: '₦4.00 NGN to Grace Hopper', exact: true }).waitFor();
    await page.goBack();
    t.is(await chipOf(page, 'Reference').textContent(), 'Reference: payout-77');
  },
);

test.serial('the transfer dialog shows the balance and the fee, and a double click sends the money once', async (t) => {
  const merchant = await fundedMerchant(server(), 1_000_000);
  await chargeFee(server(), merchant, 2_500);
  const page = await openPage(t);
  await openDashboard(page, server(), { merchant, path: '/test/transfers' });
  await page.getByRole('heading', { name: 'No transfers yet' }).waitFor();

  const dialog = await fillIn(page, { amount: '5,000' });
  const words = dialog.getByRole('status');
  await words.getByText('Your Transfer wallet has ₦10,000.00, and a transfer costs ₦25.00.').waitFor();
  await words
    .getByText(
      'You send ₦5,000.00 to Grace Hopper, to the account that ends in 6789. ₦5,025.00 with the fee will leave the wallet, and ₦4,975.00 will stay.',
    )
    .waitFor();
  await dialog.getByRole('button', { name: 'Review' }).dblclick();
  await dialog.getByText('Check the transfer').waitFor();
  t.deepEqual(await references(merchant), [], 'the second click of a double click sends nothing');
  await dialog.getByRole('button', { name: 'Back' }).click();
  t.is(await dialog.getByLabel('Amount').inputValue(), '5,000');
  await dialog.getByRole('button', { name: 'Review' }).click();
  t.deepEqual(await barriersOn(page), []);
  await dialog.getByRole('button', { name: 'Send ₦5,000.00 to Grace Hopper' }).dblclick();

  await page.getByRole('heading', { level: 1, name: '₦5,000.00 NGN to Grace Hopper', exact: true }).waitFor();
  const [reference = '', ...others] = await references(merchant);
  t.deepEqual(others, []);
  t.is(page.url(), `${server().url}/dashboard/test/transfers/${reference}`);
  await waitForTransfer('completed', merchant, reference);
  t.is((await balancesOf(server(), merchant)).transfer, 497_500);
  const entries = page.getByRole('table', { name: 'Ledger entries' });
  await entries.getByRole('row', { name: /^Transfer .*-₦5,000\.00/ }).waitFor();
  await entries.getByRole('row', { name: /^Fee .*-₦25\.00/ }).waitFor();
  await page.getByRole('link', { name: 'transfer.success', exact: true }).waitFor();
  await page.getByText('Transfer completed').waitFor();
  await page.getByText('The recipient’s bank accepted the money.').waitFor();
});

test.serial(
  'a viewer can read transfers but not create a transfer, and sees no transfers of other merchants',
  async (t) => {
    const [merchant, other] = [await fundedMerchant(server()), await fundedMerchant(server())];
    await merchant.client.transfers.create({ reference: 'payout-77', amount: 500, recipient: recipient() });
    await other.client.transfers.create({ reference: 'payout-88', amount: 500, recipient: recipient() });
    const page = await openPage(t);
    await openDashboard(page, server(), { merchant, path: '/test/transfers?reference=payout-77', role: 'viewer' });

    await page.getByRole('link', { name: 'payout-77' }).waitFor();
    t.is(await page.getByRole('button', { name: 'Send money' }).count(), 0);
    await page.getByText('Your role is viewer').waitFor();
    t.deepEqual(await barriersOn(page), []);
    await page.route(/\/transfers\?.*offset=99975/, async (route) => {
      const response = await route.fetch({ url: route.request().url().replace('99975', '0') });
      await route.fulfill({ response, json: { ...(await response.json()), total: 200_000 } });
    });
    await page.goto(`${server().url}/dashboard/test/transfers?page=4000`);
    await page.getByText('of 200,000. This is the end of the list.').waitFor();
    t.true(await page.getByRole('button', { name: 'Next' }).isDisabled());
    await page.goto(`${server().url}/dashboard/test/transfers/payout-88`);

    await page.getByText('Not found', { exact: true }).waitFor();
  },
);
