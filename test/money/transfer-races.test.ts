/**
 * Concurrent calls and verdicts about transfers. The expected numbers come from the calls and the verdicts, and never
 * from the final state of the service.
 */
import { isDeepStrictEqual } from 'node:util';
import { withFreshEntityManager } from '@tillhook/server/src/context.ts';
import { inTransaction } from '@tillhook/server/src/database/transaction.ts';
import type { PayoutVerdict } from '@tillhook/server/src/processors/port.ts';
import { settleTransfer } from '@tillhook/server/src/transfers/payouts.service.ts';
import test from 'ava';
import { ledgerBreaches, type Money, moneyOf } from '../support/money/ledger.ts';
import { startCheckout } from '../support/money/payments.ts';
import { chargeFee, fundedMerchant, recipient, waitForTransfer } from '../support/money/transfers.ts';
import { serverForFile, type TestMerchant, usualSettings } from '../support/server/tillhook.ts';

const server = serverForFile(usualSettings);

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

/** What is left of a wallet of 1,000 after a transfer of 300 with a fee of 25, by the status of the transfer. */
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

/** Verdicts at the same time, and the possible final statuses: several only if the processor contradicts itself. */
const saidAtOnce: [verdicts: PayoutVerdict[], ...mayEnd: (keyof typeof ends)[]][] = [
  [[done, underWay, done, underWay], 'completed'],
  [[failed, underWay, failed, underWay], 'failed'],
  [[reversed, done, underWay, reversed, done], 'reversed'],
  [[done, failed, underWay, failed], 'completed', 'failed'],
  [[done, failed, underWay, reversed, failed, done], 'failed', 'reversed'],
];

for (const [verdicts, ...mayEnd] of saidAtOnce) {
  const said = verdicts.map(({ result }) => result).join(', ');
  test.serial(`a transfer that is reported as ${said} at the same time becomes ${mayEnd.join(' or ')}`, async (t) => {
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
  'concurrent payments, top-ups, transfers and verdicts of one merchant lose nothing and are not refused',
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

    // Ten payments of 500,000, ten top-ups of 1,000, and ten transfers of 900, of which four stay paid out.
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
  'of 50 concurrent transfers of 30 from a balance of 1,000, exactly 33 are created, and 10 remain',
  async (t) => {
    const { client } = await fundedMerchant(server(), 1000);
    const transfer = (_: unknown, index: number) =>
      client.transfers.create({ reference: `payout-${index}`, amount: 30, recipient: recipient() });

    const outcomes = await Promise.allSettled(Array.from({ length: 50 }, transfer));

    const refusals = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason.code] : []));
    t.deepEqual(refusals, Array(17).fill('insufficient_funds'));
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
