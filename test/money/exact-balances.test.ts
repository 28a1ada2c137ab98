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

const max = Number.MAX_SAFE_INTEGER;
const server = serverWithContext(usualSettings);

/** The breaches in the ledger, without those that this file causes by posting credits without payments. */
const breaches = async () =>
  (await ledgerBreaches(server())).filter((each) => !each.endsWith(`has ${max}, not nothing`));

async function statementOf({ testKey: key }: TestMerchant, kind: string, columns: string[]) {
  const path = `/api/v1/wallets/${kind}/entries?currency=NGN`;
  const text = await (await server().request(path, { key, headers: { accept: 'text/csv' } })).text();
  const [names = [], ...lines] = text
    .trimEnd()
    .split('\r\n')
    .map((line) => line.split(','));
  return lines.map((line) => columns.map((name) => line[names.indexOf(name)]));
}

test.serial(
  'a payment that raises a balance above the largest safe integer is posted exactly, and JSON answers show the largest safe integer',
  async (t) => {
    const merchant = await server().createMerchant();
    await creditCollection(server(), merchant, max);
    const { reference } = await startCheckout(merchant);

    const payment = await merchant.client.test.completePayment(reference);

    t.is(payment.status, 'completed');
    const { entries } = await merchant.client.wallets.listEntries('collection');
    t.like(entries[0], { amount: 500_000, balance: max });
    t.is((await merchant.client.wallets.list()).wallets[0]?.available, max);
    const columns = ['amount', 'balance', 'balanceDecimal'];
    t.deepEqual(await statementOf(merchant, 'collection', columns), [
      ['500000', '9007199255240991', '90071992552409.91'],
      [String(max), String(max), '90071992547409.91'],
    ]);
    t.deepEqual(await breaches(), []);
  },
);

test.serial('a reversal that raises a balance above the largest safe integer returns the money exactly', async (t) => {
  const merchant = await server().createMerchant();
  const { client } = merchant;
  const fund = (amount: number) => server().arrange('fundTestWallet', { merchantId: merchant.id, amount });
  await fund(1000);
  await client.transfers.create({ reference: 'payout-1', amount: 700, recipient: recipient('0000000003') });
  await waitForTransfer('completed', merchant, 'payout-1');
  await fund(max - 300);

  await makeTransfersDue(server(), merchant);
  await waitForTransfer('reversed', merchant, 'payout-1');

  t.deepEqual((await statementOf(merchant, 'transfer', ['type', 'balance']))[0], [
    'transfer_reversal',
    String(BigInt(max) + 700n),
  ]);
  t.is((await client.wallets.list()).wallets[1]?.available, max);
  t.deepEqual(await breaches(), []);
});

test.serial('a top-up above the largest safe integer is refused, and no money moves', async (t) => {
  const merchant = await server().createMerchant();
  await creditCollection(server(), merchant, 10);
  await server().arrange('fundTestWallet', { merchantId: merchant.id, amount: max - 1 });

  const attempt = merchant.client.wallets.topUp({ amount: 2 });

  t.like(await t.throwsAsync(attempt, { instanceOf: ValidationError }), {
    code: 'invalid_parameter',
    param: 'amount',
    message: 'amount would bring an account past 9007199254740991, the most that JSON can say',
  });
  t.like((await merchant.client.wallets.list()).wallets, { 0: { available: 10 }, 1: { available: max - 1 } });
  t.is((await merchant.client.wallets.topUp({ amount: 1 })).available, max);
});

test.serial(
  'if the reserved refunds would exceed the largest safe integer, a refund that the processor reports is posted, and a refund that the merchant requests is refused',
  async (t) => {
    const merchant = await server().createMerchant();
    await creditCollection(server(), merchant, max);
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
      const moves = [{ from: 'collection', to: 'refund_reserved', amount: BigInt(max), type: 'refund' }] as const;
      await post(context, { owner, kind: 'refund_reserve', sourceId: newId(), reference: null, moves });
      await t.throwsAsync(reserveRefund(context, refund(newId())), { code: 'invalid_parameter' });
      t.true(await reserveRefundIfFunded(context, refund(newId())));
    });

    t.is(await reserved(), String(BigInt(max) + 2n));
  },
);
