/** The expected numbers come from the calls and the verdicts, and never from the final state of the service. */
import { isDeepStrictEqual } from 'node:util';
import { withFreshEntityManager } from '@tillhook/server/src/context.ts';
import { expireDuePayments } from '@tillhook/server/src/money/payments/checkout.service.ts';
import { settleTransfer } from '@tillhook/server/src/money/transfers/settle-transfer.service.ts';
import { inTransaction } from '@tillhook/server/src/platform/database/transaction.ts';
import type { PayoutVerdict } from '@tillhook/server/src/processors/port.ts';
import test from 'ava';
import { noteStatements } from '../database/noted-statements.ts';
import { ledgerBreaches, type Money, moneyOf } from '../support/money/ledger.ts';
import { addEndpoints, moneyRowsOf } from '../support/money/money-rows.ts';
import { startCheckout } from '../support/money/payments.ts';
import { chargeFee, fundedMerchant, recipient, waitForTransfer } from '../support/money/transfers.ts';
import { serverWithContext, type TestMerchant, wholePool } from '../support/server/tillhook.ts';

const server = serverWithContext(wholePool);

const rounds = Array.from({ length: 10 }, (_, round) => round);

const moneyIn = ({ id }: TestMerchant) => moneyOf(server().database, id);

test.afterEach.always('the ledger keeps its invariants', async (t) => {
  t.deepEqual(await ledgerBreaches(server()), []);
});

const failure = { code: 'account_closed', message: 'Closed' };
const done: PayoutVerdict = { result: 'completed' };
const underWay: PayoutVerdict = { result: 'processing' };
const failed: PayoutVerdict = { result: 'failed', ...failure };
const reversed: PayoutVerdict = { result: 'reversed', ...failure };

const settlePayout = (transferId: string, verdict: PayoutVerdict) =>
  inTransaction(withFreshEntityManager(server().context), (tx) => settleTransfer(tx, transferId, verdict));

const ends: Record<'completed' | 'failed' | 'reversed', Pick<Money, 'balances' | 'transfers' | 'events'>> = {
  completed: {
    balances: { 'NGN fees': 25, 'NGN funding': -1000, 'NGN payout_clearing': 300, 'NGN transfer': 675 },
    transfers: ['payout completed 25'],
    events: ['payout transfer.success'],
  },
  failed: {
    balances: { 'NGN funding': -1000, 'NGN transfer': 1000 },
    transfers: ['payout failed 25'],
    events: ['payout transfer.failed'],
  },
  reversed: {
    balances: { 'NGN fees': 25, 'NGN funding': -1000, 'NGN transfer': 975 },
    transfers: ['payout reversed 25'],
    events: ['payout transfer.success', 'payout transfer.failed'],
  },
};

/** More than one final status is allowed only where the processor contradicts itself about the transfer. */
const saidAtOnce: [verdicts: PayoutVerdict[], ...mayEnd: (keyof typeof ends)[]][] = [
  [[done, underWay, done, underWay], 'completed'],
  [[failed, underWay, failed, underWay], 'failed'],
  [[reversed, done, underWay, reversed, done], 'reversed'],
  [[done, failed, underWay, failed], 'completed', 'failed'],
  [[done, failed, underWay, reversed, failed, done], 'failed', 'reversed'],
];

for (const [verdicts, ...mayEnd] of saidAtOnce) {
  const said = verdicts.map(({ result }) => result).join(', ');
  test.serial(`a transfer that is concurrently reported as ${said} becomes ${mayEnd.join(' or ')}`, async (t) => {
    const merchants = await Promise.all(rounds.slice(0, 5).map(() => fundedMerchant(server(), 1000)));
    const race = async (merchant: TestMerchant) => {
      await chargeFee(server(), merchant, 25);
      const order = { reference: 'payout', amount: 300, recipient: recipient('0000000002') };
      const { id } = await merchant.client.transfers.create(order);
      await Promise.all(verdicts.map((verdict) => settlePayout(id, verdict)));
    };

    await Promise.all(merchants.map(race));

    for (const { balances, transfers, events } of await Promise.all(merchants.map(moneyIn))) {
      const end = mayEnd.find((way) => isDeepStrictEqual(ends[way].transfers, transfers)) ?? mayEnd[0];
      t.deepEqual({ balances, transfers, events }, end && ends[end]);
    }
  });
}

const stormy: PayoutVerdict[][] = [
  [done, underWay],
  [failed, underWay],
  [underWay, reversed],
];

test.serial(
  'concurrent payments, top-ups, transfers and verdicts of one merchant all succeed, and no update is lost',
  async (t) => {
    const merchant = await fundedMerchant(server(), 1000);
    const { client } = merchant;
    const storm = async (round: number) => {
      await client.testHelpers.completePayment((await startCheckout(merchant, `order-400${round}`)).reference);
      await client.wallets.topUp({ amount: 1000, reference: `top-up-${round}` });
      const order = { reference: `payout-${round}`, amount: 900, recipient: recipient('0000000002') };
      const { id } = await client.transfers.create(order);
      await Promise.all((stormy[round % 3] ?? []).map((verdict) => settlePayout(id, verdict)));
    };

    await Promise.all(rounds.map(storm));

    // There are ten payments of 500,000, ten top-ups of 1,000, and ten transfers of 900, of which four are completed.
    const { balances, payments, transfers, events } = await moneyIn(merchant);
    t.deepEqual(balances, {
      'NGN collection': 4_990_000,
      'NGN funding': -1000,
      'NGN payout_clearing': 3600,
      'NGN processor_clearing': -5_000_000,
      'NGN transfer': 7400,
    });
    t.deepEqual(
      payments,
      rounds.map((round) => `order-400${round} completed 1`),
    );
    const statuses = ['completed', 'failed', 'reversed'];
    t.deepEqual(
      transfers,
      rounds.map((round) => `payout-${round} ${statuses[round % 3]} 0`),
    );
    const told = [['success'], ['failed'], ['success', 'failed']];
    t.deepEqual(events, [
      ...rounds.map((round) => `order-400${round} checkout.success`),
      ...rounds.flatMap((round) => (told[round % 3] ?? []).map((name) => `payout-${round} transfer.${name}`)),
    ]);
  },
);

test.serial(
  'of 50 concurrent transfers of 30 each, from a balance of 1,000, exactly 33 are created, and the amount 10 is left',
  async (t) => {
    const { client } = await fundedMerchant(server(), 1000);
    const transfer = (_: unknown, index: number) =>
      client.transfers.create({ reference: `payout-${index}`, amount: 30, recipient: recipient() });

    const outcomes = await Promise.allSettled(Array.from({ length: 50 }, transfer));

    const errorCodes = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason.code] : []));
    t.deepEqual(errorCodes, Array(17).fill('insufficient_funds'));
    t.is((await client.transfers.list()).total, 33);
    t.is((await client.wallets.list()).wallets[1]?.available, 10);
  },
);

test.serial('concurrent top-ups and transfers leave the exact balance', async (t) => {
  const merchant = await server().createMerchant();
  const { client } = merchant;
  await client.testHelpers.completePayment((await startCheckout(merchant)).reference);

  await Promise.all(
    Array.from({ length: 20 }, async (_, index) => {
      await client.wallets.topUp({ amount: 25_000, reference: `top-up-${index}` });
      const accountNumber = index % 2 ? '0000000001' : '0000000000';
      const details = { amount: 25_000, recipient: recipient(accountNumber) };
      await client.transfers.create({ reference: `payout-${index}`, ...details });
    }),
  );

  for (let index = 0; index < 20; index += 1) {
    await waitForTransfer(index % 2 ? 'failed' : 'completed', merchant, `payout-${index}`);
  }
  const { wallets } = await client.wallets.list();
  t.deepEqual(
    wallets.map(({ available, reserved }) => [available, reserved]),
    [
      [0, 0],
      [250_000, 0],
    ],
  );
});

// The server has no worker, because a worker would expire the payments.
const withoutJobs = serverWithContext({ ...wholePool, ROLE: 'api' });

/**
 * The name would break a body that is not escaped: it contains quotes, a backslash and letters of two UTF-16 units.
 */
const email = '"Ada \\"🏪"@example.com';

async function addDueCheckouts({ id }: TestMerchant, count: number): Promise<void> {
  await withoutJobs().database.query(
    `insert into payment (id, merchant_id, mode, reference, access_code, amount, currency, status, customer_email,
       metadata, attempts, failure_code, expires_at, created_at, updated_at)
     select gen_random_uuid(), $1, case number % 2 when 0 then 'live' else 'test' end, 'order-' || number,
       gen_random_uuid(), 4500, 'NGN', 'pending', $3, '{}', 0, case number % 4 when 0 then 'card_declined' end,
       now() - interval '1 minute', now(), now()
     from generate_series(1, $2::int) as number`,
    [id, count, email],
  );
}

test('expiring a batch of checkouts takes as many SQL statements as expiring one checkout, and each event goes to its merchant and mode', async (t) => {
  const { database, context, createMerchant } = withoutJobs();
  const noted = await noteStatements(database.url);
  t.teardown(() => noted.orm.close());
  const expireBatch = () =>
    noted.statements(() =>
      inTransaction({ ...withFreshEntityManager(context), em: noted.orm.em.fork() }, expireDuePayments),
    );
  const [one, other, withoutEndpoint] = [await createMerchant(), await createMerchant(), await createMerchant()];
  for (const merchant of [one, other]) await addEndpoints(database, merchant);

  // The first batch is not counted, because a new connection runs a query before its first statement.
  await expireBatch();
  await addDueCheckouts(withoutEndpoint, 1);
  const ofOne = await expireBatch();
  await addDueCheckouts(one, 8);
  await addDueCheckouts(other, 40);
  const ofMany = await expireBatch();

  t.is(ofOne.length, 2, ofOne.map(({ text }) => text).join('\n'));
  t.is(ofMany.length, 2);
  const { events, deliveries, queued } = await moneyRowsOf(database, one.id);
  t.deepEqual(
    events,
    [1, 2, 3, 4, 5, 6, 7, 8].map((number) => `order-${number} checkout.${number % 4 === 0 ? 'failed' : 'expired'}`),
  );
  const count = (line: string) => [deliveries, queued].map((lines) => lines.filter((each) => each === line).length);
  t.deepEqual(count('checkout.expired to active pending 0'), [6, 6]);
  t.deepEqual(count('checkout.failed to active pending 0'), [2, 2]);
  t.deepEqual(count('checkout.expired to inactive skipped 0 endpoint_inactive'), [6, 0]);
  t.is((await moneyRowsOf(database, other.id)).deliveries.length, 80);
  const foreign = await database.query(
    `select from delivery join event on event.id = event_id join webhook_endpoint as endpoint on endpoint.id = endpoint_id
     where (delivery.merchant_id, delivery.mode) <> (endpoint.merchant_id, endpoint.mode)
       or (event.merchant_id, event.mode) <> (endpoint.merchant_id, endpoint.mode)`,
  );
  t.is(foreign.length, 0);
  const [event] = await database.query<{ body: string; at: Date }>(
    `select body, updated_at as at from event join payment using (merchant_id, mode, reference)
     where merchant_id = $1 and reference = 'order-1'`,
    [one.id],
  );
  const address = JSON.stringify(email);
  t.is(
    event?.body,
    `{"event":"checkout.expired","data":{"reference":"order-1","amount":4500,"currency":"NGN","status":"expired",` +
      `"customerEmail":${address},"reason":"expired"},"timestamp":"${event?.at.toISOString()}","webhookId":"`,
  );
});
