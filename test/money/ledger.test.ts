import { withFreshEntityManager } from '@tillhook/server/src/context.ts';
import { newId } from '@tillhook/server/src/kit/ids.ts';
import { creditMissingPayments } from '@tillhook/server/src/money/payments/credit-missing-payments.job.ts';
import { post } from '@tillhook/server/src/money/wallets/post.ts';
import { creditCollection } from '@tillhook/server/src/money/wallets/wallets.service.ts';
import { inTransaction } from '@tillhook/server/src/platform/database/transaction.ts';
import test from 'ava';
import { insertPayment } from '../support/database/empty-database.ts';
import { ledgerBreaches } from '../support/money/ledger.ts';
import { startCheckout } from '../support/money/payments.ts';
import { fundedMerchant, recipient } from '../support/money/transfers.ts';
import { serverWithContext, usualSettings } from '../support/server/tillhook.ts';

const server = serverWithContext(usualSettings);

test.afterEach.always('the ledger keeps its invariants', async (t) => {
  t.deepEqual(await ledgerBreaches(server()), []);
});

test.serial('the same payment cannot be credited twice', async (t) => {
  const merchant = await server().createMerchant();
  const { reference } = await startCheckout(merchant);
  const { id, amount } = await merchant.client.testHelpers.completePayment(reference);
  const owner = { merchantId: merchant.id, mode: 'test', currency: 'NGN' } as const;
  const payment = { ...owner, id, reference, amount: BigInt(amount) };
  const credit = () =>
    inTransaction(withFreshEntityManager(server().context), (context) => creditCollection(context, payment));

  await t.throwsAsync(credit, { message: /ledger_transaction_source_unique/ });

  t.is((await merchant.client.wallets.list()).wallets[0]?.available, 500_000);
});

test.serial('a transfer that is repeated with its Idempotency-Key reserves money once', async (t) => {
  const { testKey, client } = await fundedMerchant(server(), 1000);
  const body = JSON.stringify({ reference: 'payout-77', amount: 300, recipient: recipient('0000000002') });
  const create = () =>
    server().request('/api/v1/transfers', {
      method: 'POST',
      key: testKey,
      headers: { 'content-type': 'application/json', 'idempotency-key': 'payout-77' },
      body,
    });

  const [first, second] = [await create(), await create()];

  t.deepEqual([first.status, second.status], [201, 201]);
  t.is(await second.text(), await first.text());
  t.like((await client.wallets.list()).wallets[1], { available: 700, reserved: 300 });
  t.is((await client.wallets.listEntries('transfer')).total, 2);
});

const forbidden = [
  'update ledger_entry set amount = amount + 1',
  'delete from ledger_entry',
  'truncate ledger_entry',
  'update ledger_transaction set reference = null',
  'delete from ledger_transaction',
  'truncate ledger_transaction cascade',
];

for (const statement of forbidden) {
  test.serial(`the database refuses: ${statement}`, async (t) => {
    await fundedMerchant(server());

    await t.throwsAsync(server().database.query(statement), { message: /append-only/ });
  });
}

test.serial(
  'the database refuses entries that do not add up to zero, and entries of a currency other than that of their transaction',
  async (t) => {
    const { id, client } = await fundedMerchant(server());
    await client.testHelpers.fundWallet({ amount: 1, currency: 'USD' });
    const insert = (amount: number, currency: string) =>
      server().database.query(
        `insert into ledger_entry (id, transaction_id, account_id, number, type, amount, balance)
       select gen_random_uuid(), transaction.id, account.id, 99 + sign.of, 'fee', sign.of * $2, 1
       from ledger_account as account, ledger_transaction as transaction, (values (1), ($3::int)) as sign (of)
       where account.merchant_id = $1 and account.kind = 'transfer' and account.currency = $4
         and transaction.merchant_id = $1 and transaction.currency = 'NGN'`,
        [id, amount, currency === 'NGN' ? 2 : -1, currency],
      );

    await t.throwsAsync(insert(5, 'NGN'), { message: /do not add up/ });
    await t.throwsAsync(insert(5, 'USD'), { message: /crosses/ });
  },
);

test.serial("the database refuses a negative balance of a merchant's account", async (t) => {
  const { id } = await fundedMerchant(server());

  const overdraw = server().database.query(
    `update ledger_account set balance = -1 where merchant_id = $1 and kind = 'transfer'`,
    [id],
  );

  await t.throwsAsync(overdraw, { message: /ledger_account_balance/ });
});

test.serial('amounts above the safe integers of JavaScript are posted exactly', async (t) => {
  const { id: merchantId } = await server().createMerchant();
  const owner = { merchantId, mode: 'test', currency: 'NGN' } as const;
  const amount = 9_007_199_254_740_991n;
  const move = (from: 'funding' | 'transfer', to: 'transfer' | 'payout_clearing', part: bigint) =>
    inTransaction(withFreshEntityManager(server().context), (context) =>
      post(context, {
        owner,
        kind: 'test_funding',
        sourceId: newId(),
        reference: null,
        moves: [{ from, to, amount: part, type: 'test_funding' }],
      }),
    );

  t.true(await move('funding', 'transfer', amount));
  t.true(await move('transfer', 'payout_clearing', amount - 1n));

  const balance = `select balance from ledger_account where merchant_id = $1 and kind = 'transfer'`;
  t.deepEqual(await server().database.query(balance, [merchantId]), [{ balance: '1' }]);
  // Money that has already moved is posted even above the largest safe integer. `exact-balances.test.ts` tests which
  // amounts are refused.
  t.true(await move('funding', 'transfer', amount));
  t.deepEqual(await server().database.query(balance, [merchantId]), [{ balance: '9007199254740992' }]);
});

const withoutJobs = serverWithContext({ ROLE: 'api' });

const creditMissing = () => creditMissingPayments(withoutJobs().context, { hours: 1 });

test('a payment that a version without a ledger completed is credited once, even by two concurrent jobs', async (t) => {
  const merchant = await withoutJobs().createMerchant();
  await merchant.client.testHelpers.completePayment((await startCheckout(merchant)).reference);
  for (let count = 0; count < 20; count += 1) await insertPayment(withoutJobs().database, merchant.id);

  await Promise.all([creditMissing(), creditMissing()]);
  await creditMissing();

  t.is((await merchant.client.wallets.list()).wallets[0]?.available, 502_000);
  t.is((await merchant.client.wallets.listEntries('collection')).total, 21);
  t.deepEqual(await ledgerBreaches(withoutJobs()), []);
});

test('only completed payments are credited', async (t) => {
  const merchant = await withoutJobs().createMerchant();
  for (const status of ['failed', 'expired', 'processing'])
    await insertPayment(withoutJobs().database, merchant.id, { status });

  await creditMissing();

  t.is((await merchant.client.wallets.listEntries('collection')).total, 0);
});
