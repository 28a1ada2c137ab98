import { ValidationError } from '@tillhook/sdk';
import { withFreshEntityManager } from '@tillhook/server/src/context.ts';
import { newId } from '@tillhook/server/src/kit/ids.ts';
import { post } from '@tillhook/server/src/money/wallets/post.ts';
import { reserveRefund, reserveRefundIfFunded } from '@tillhook/server/src/money/wallets/wallets.service.ts';
import { inTransaction } from '@tillhook/server/src/platform/database/transaction.ts';
import test from 'ava';
import { ledgerBreaches } from '../support/money/ledger.ts';
import { startCheckout } from '../support/money/payments.ts';
import { creditCollection, makeTransfersDue, recipient, waitForTransfer } from '../support/money/transfers.ts';
import { serverWithContext, type TestMerchant, usualSettings } from '../support/server/tillhook.ts';

/** The highest number of JSON. */
const most = Number.MAX_SAFE_INTEGER;
const server = serverWithContext(usualSettings);

/** What the check of the ledger finds, without the credits of this file, which have no payments. */
const breaches = async () =>
  (await ledgerBreaches(server())).filter((each) => !each.endsWith(`has ${most}, not nothing`));

/** The lines of a statement as CSV, newest first, with the columns that are asked for. */
async function statementOf({ testKey: key }: TestMerchant, kind: string, wanted: string[]) {
  const path = `/api/v1/wallets/${kind}/entries?currency=NGN`;
  const text = await (await server().request(path, { key, headers: { accept: 'text/csv' } })).text();
  const [names = [], ...lines] = text
    .trimEnd()
    .split('\r\n')
    .map((line) => line.split(','));
  return lines.map((line) => wanted.map((name) => line[names.indexOf(name)]));
}

test.serial(
  'a payment is posted exactly past the highest number of JSON, and JSON answers with that number',
  async (t) => {
    const merchant = await server().createMerchant();
    await creditCollection(server(), merchant, most);
    const { reference } = await startCheckout(merchant);

    const payment = await merchant.client.test.completePayment(reference);

    t.is(payment.status, 'completed');
    const { entries } = await merchant.client.wallets.listEntries('collection');
    t.like(entries[0], { amount: 500_000, balance: most });
    t.is((await merchant.client.wallets.list()).wallets[0]?.available, most);
    const columns = ['amount', 'balance', 'balanceDecimal'];
    t.deepEqual(await statementOf(merchant, 'collection', columns), [
      ['500000', '9007199255240991', '90071992552409.91'],
      [String(most), String(most), '90071992547409.91'],
    ]);
    t.deepEqual(await breaches(), []);
  },
);

test.serial('the money of a transfer comes back exactly past the highest number of JSON', async (t) => {
  const merchant = await server().createMerchant();
  const { client } = merchant;
  const fund = (amount: number) => server().arrange('fundTestWallet', { merchantId: merchant.id, amount });
  await fund(1000);
  await client.transfers.create({ reference: 'payout-1', amount: 700, recipient: recipient('0000000003') });
  await waitForTransfer('completed', merchant, 'payout-1');
  await fund(most - 300);

  await makeTransfersDue(server(), merchant);
  await waitForTransfer('reversed', merchant, 'payout-1');

  t.deepEqual((await statementOf(merchant, 'transfer', ['type', 'balance']))[0], [
    'transfer_reversal',
    String(BigInt(most) + 700n),
  ]);
  t.is((await client.wallets.list()).wallets[1]?.available, most);
  t.deepEqual(await breaches(), []);
});

test.serial('a top-up past the highest number of JSON is refused, and no money moves', async (t) => {
  const merchant = await server().createMerchant();
  await creditCollection(server(), merchant, 10);
  await server().arrange('fundTestWallet', { merchantId: merchant.id, amount: most - 1 });

  const attempt = merchant.client.wallets.topUp({ amount: 2 });

  t.like(await t.throwsAsync(attempt, { instanceOf: ValidationError }), {
    code: 'invalid_parameter',
    param: 'amount',
    message: 'amount would bring an account past 9007199254740991, the most that JSON can say',
  });
  t.like((await merchant.client.wallets.list()).wallets, { 0: { available: 10 }, 1: { available: most - 1 } });
  t.is((await merchant.client.wallets.topUp({ amount: 1 })).available, most);
});

test.serial(
  'a refund at the processor is posted whatever is reserved, and one that is asked for is refused',
  async (t) => {
    const merchant = await server().createMerchant();
    await creditCollection(server(), merchant, most);
    await creditCollection(server(), merchant, 10);
    const owner = { merchantId: merchant.id, mode: 'test', currency: 'NGN' } as const;
    const refund = (id: string) => ({ ...owner, id, reference: 'order-1', amount: 2n });
    const reserved = async () => {
      const rows = await server().database.query<{ balance: string }>(
        `select balance from ledger_account where merchant_id = $1 and kind = 'refund_reserved'`,
        [merchant.id],
      );
      return rows[0]?.balance;
    };

    await inTransaction(withFreshEntityManager(server().context), async (context) => {
      const moves = [{ from: 'collection', to: 'refund_reserved', amount: BigInt(most), type: 'refund' }] as const;
      await post(context, { owner, kind: 'refund_reserve', sourceId: newId(), reference: null, moves });
      await t.throwsAsync(reserveRefund(context, refund(newId())), { code: 'invalid_parameter' });
      t.true(await reserveRefundIfFunded(context, refund(newId())));
    });

    t.is(await reserved(), String(BigInt(most) + 2n));
  },
);
