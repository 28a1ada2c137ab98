/**
 * Concurrent calls and verdicts about refunds. The expected numbers come from the calls and the verdicts, and never from
 * the final state of the service.
 */
import { isDeepStrictEqual } from 'node:util';
import { withFreshEntityManager } from '@tillhook/server/src/context.ts';
import { inTransaction } from '@tillhook/server/src/database/transaction.ts';
import type { RefundVerdict } from '@tillhook/server/src/processors/port.ts';
import { settleRefund } from '@tillhook/server/src/refunds/refund-verdicts.service.ts';
import test from 'ava';
import { ledgerBreaches, moneyOf } from '../support/money/ledger.ts';
import { paidMerchant } from '../support/money/refunds.ts';
import { recipient } from '../support/money/transfers.ts';
import { serverForFile, type TestMerchant } from '../support/server/tillhook.ts';

/** A server that runs no jobs, so that only the tests settle refunds. */
const server = serverForFile({ ROLE: 'api' });
const order = 'order-1042';

test.afterEach.always('the ledger keeps its invariants', async (t) => {
  t.deepEqual(await ledgerBreaches(server()), []);
});

const codesOf = (outcomes: PromiseSettledResult<unknown>[]) =>
  outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason.code] : []));

const settle = (id: string, verdict: RefundVerdict) =>
  inTransaction(withFreshEntityManager(server().context), (tx) => settleRefund(tx, id, verdict));

test.serial(
  'of 50 concurrent refunds of 30 of a payment of 1,000, exactly 33 are created, and 10 are left',
  async (t) => {
    const { client } = await paidMerchant(server(), 1000);
    const refund = () => client.refunds.create(order, { amount: 30 });

    const outcomes = await Promise.allSettled(Array.from({ length: 50 }, refund));

    t.deepEqual(codesOf(outcomes), Array(17).fill('refund_exceeds_payment'));
    t.is((await client.refunds.list()).total, 33);
    t.is((await client.payments.get(order)).amountRefunded, 990);
    t.like((await client.wallets.list()).wallets[0], { available: 10, reserved: 990 });
  },
);

test.serial('of 20 concurrent refunds of the whole rest, exactly one is created', async (t) => {
  const { client } = await paidMerchant(server(), 1000);

  const outcomes = await Promise.allSettled(Array.from({ length: 20 }, () => client.refunds.create(order)));

  t.deepEqual(codesOf(outcomes), Array(19).fill('refund_exceeds_payment'));
  t.is((await client.payments.get(order)).amountRefunded, 1000);
});

test.serial('refunds and top-ups that want the same funds at the same time get each unit once', async (t) => {
  const merchant = await paidMerchant(server(), 1000);
  const { client } = merchant;
  const one = (index: number) =>
    index % 2 ? client.refunds.create(order, { amount: 70 }) : client.wallets.topUp({ amount: 70 });

  const outcomes = await Promise.allSettled(Array.from({ length: 30 }, (_, index) => one(index)));

  // 14 of 70 fit into 1,000, and no more.
  t.deepEqual(codesOf(outcomes), Array(16).fill('insufficient_funds'));
  const { total } = await client.refunds.list();
  t.is((await client.payments.get(order)).amountRefunded, 70 * total);
  const [collection, transfer] = (await client.wallets.list()).wallets;
  t.deepEqual([collection?.available, collection?.reserved, transfer?.available], [20, 70 * total, 980 - 70 * total]);
});

test.serial('refunds of several payments, top-ups and transfers at the same time are not refused', async (t) => {
  const merchant = await server().createMerchant();
  const { client } = merchant;
  const storm = async (round: number) => {
    const reference = `order-500${round}`;
    await client.checkout.create({ email: 'ada@example.com', amount: 1000, reference });
    await client.testHelpers.completePayment(reference);
    const [{ id }] = await Promise.all([
      client.refunds.create(reference, { amount: 300, reference: `refund-${round}` }),
      client.wallets.topUp({ amount: 100, reference: `top-up-${round}` }),
    ]);
    await Promise.all([
      settle(id, round % 2 ? lost : done),
      client.transfers.create({ reference: `payout-${round}`, amount: 100, recipient: recipient() }),
      client.refunds.create(reference, { amount: 200 }),
    ]);
  };

  await Promise.all(Array.from({ length: 10 }, (_, round) => storm(round)));

  // Ten payments of 1,000; five refunds of 300 are paid, ten of 200 are open, and ten transfers of 100 are reserved.
  t.deepEqual((await moneyOf(server().database, merchant.id)).balances, {
    'NGN collection': 5500,
    'NGN processor_clearing': -8500,
    'NGN refund_reserved': 2000,
    'NGN transfer_reserved': 1000,
  });
});

const done: RefundVerdict = { result: 'completed' };
const underWay: RefundVerdict = { result: 'processing' };
const lost: RefundVerdict = { result: 'failed', code: 'lost_or_stolen_card', message: 'The card is lost' };

const paidBack = { 'NGN collection': 700, 'NGN processor_clearing': -700 };
const cameBack = { 'NGN collection': 1000, 'NGN processor_clearing': -1000 };
const told = (...names: string[]) => ['order-1042 checkout.success', ...names.map((name) => `refund-1 refund.${name}`)];

/** Verdicts at the same time, and the possible ends: several only if the order of the verdicts decides. */
const saidAtOnce: [verdicts: RefundVerdict[], ...mayEnd: { balances: object; events: string[] }[]][] = [
  [[done, underWay, done, underWay], { balances: paidBack, events: told('success') }],
  [[lost, underWay, lost, underWay], { balances: cameBack, events: told('failed') }],
  [
    [done, lost, underWay, done, lost],
    { balances: cameBack, events: told('failed') },
    { balances: cameBack, events: told('success', 'failed') },
  ],
];

const moneyAfter = async ({ id }: TestMerchant) => {
  const { balances, events } = await moneyOf(server().database, id);
  return { balances, events };
};

for (const [verdicts, ...mayEnd] of saidAtOnce) {
  const said = verdicts.map(({ result }) => result).join(', ');
  test.serial(`a refund that is reported as ${said} at the same time is settled once`, async (t) => {
    const merchants = await Promise.all(Array.from({ length: 5 }, () => paidMerchant(server(), 1000)));
    const race = async ({ client }: TestMerchant) => {
      const { id } = await client.refunds.create(order, { amount: 300, reference: 'refund-1' });
      await Promise.all(verdicts.map((verdict) => settle(id, verdict)));
    };

    await Promise.all(merchants.map(race));

    for (const after of await Promise.all(merchants.map(moneyAfter))) {
      t.deepEqual(after, mayEnd.find((end) => isDeepStrictEqual(end, after)) ?? mayEnd[0]);
    }
  });
}
