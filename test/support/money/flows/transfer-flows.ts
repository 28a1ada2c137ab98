import { withFreshEntityManager } from '@tillhook/server/src/context.ts';
import { askAboutTransfers } from '@tillhook/server/src/money/transfers/ask-about-transfers.job.ts';
import { type Outcome, settleByHand } from '@tillhook/server/src/money/transfers/operator-transfers.service.ts';
import { inTransaction } from '@tillhook/server/src/platform/database/transaction.ts';
import type { PayoutVerdict } from '@tillhook/server/src/processors/port.ts';
import test from 'ava';
import { spawnCommand } from '../../server/command.ts';
import type { TestMerchant } from '../../server/tillhook.ts';
import { type Flow, killAndRepeat } from '../crash.ts';
import { type MoneyRows, noRows, paidRows, published } from '../money-rows.ts';
import { startCheckout } from '../payments.ts';
import { chargeFee, fundLiveWallet, makeTransfersDue, recipient } from '../transfers.ts';
import { cutter, post, scene, server } from './cut-server.ts';

const failure = { code: 'account_closed', message: 'Closed' };
const payout = { reference: 'payout-77', amount: 300, recipient: recipient('0123456789') };

const paid = paidRows();
const toppedUp: MoneyRows = {
  ...paid,
  postings: [...paid.postings, 'top_up top-up-1: collection -700, transfer 700'],
  balances: ['collection 499300', 'processor_clearing -500000', 'transfer 700'],
};
const funding = 'test_funding: funding -1000, transfer 1000';
const funded = { ...noRows, postings: [funding], balances: ['funding -1000', 'transfer 1000'] };
const unpriced = {
  ...noRows,
  transfers: ['payout-77 pending 0'],
  postings: [funding, 'transfer_reserve payout-77: transfer -300, transfer_reserved 300'],
  balances: ['funding -1000', 'transfer 700', 'transfer_reserved 300'],
};

const reserve = 'transfer_reserve payout-77: transfer -300, transfer -25, transfer_reserved 300, transfer_reserved 25';
const settlement =
  'transfer_settle payout-77: fees 25, payout_clearing 300, transfer_reserved -300, transfer_reserved -25';
const comeBack = 'transfer_return payout-77: transfer 300, transfer 25, transfer_reserved -300, transfer_reserved -25';
const reversal = 'transfer_reversal payout-77: payout_clearing -300, transfer 300';

const made = {
  ...noRows,
  transfers: ['payout-77 pending 25'],
  postings: [funding, reserve],
  balances: ['funding -1000', 'transfer 675', 'transfer_reserved 325'],
};
const completed = {
  ...noRows,
  ...published('payout-77', 'transfer.success'),
  transfers: ['payout-77 completed 25'],
  postings: [funding, reserve, settlement],
  balances: ['fees 25', 'funding -1000', 'payout_clearing 300', 'transfer 675'],
};
const failed = {
  ...noRows,
  ...published('payout-77', 'transfer.failed'),
  transfers: ['payout-77 failed 25'],
  postings: [funding, reserve, comeBack],
  balances: ['funding -1000', 'transfer 1000'],
};
const reversed = {
  ...noRows,
  transfers: ['payout-77 reversed 25'],
  postings: [funding, reserve, reversal, settlement],
  balances: ['fees 25', 'funding -1000', 'transfer 975'],
  events: ['payout-77 transfer.failed', 'payout-77 transfer.success'],
  deliveries: [
    'transfer.failed to active pending 0',
    'transfer.failed to inactive skipped 0 endpoint_inactive',
    'transfer.success to active pending 0',
    'transfer.success to inactive skipped 0 endpoint_inactive',
  ],
  queued: ['transfer.failed to active pending 0', 'transfer.success to active pending 0'],
};

async function makeTransfer(merchant: TestMerchant) {
  await chargeFee(server(), merchant, 25);
  await merchant.client.testHelpers.fundWallet({ amount: 1000 });
  await merchant.client.transfers.create(payout);
}

const settle = (title: string, verdict: PayoutVerdict, after: MoneyRows): Flow => {
  const processor = { name: 'scripted', create: async () => verdict, status: async () => verdict };
  const act = () => askAboutTransfers(withFreshEntityManager(server().context), { test: processor });
  const actAgain = async (merchant: TestMerchant) => {
    await makeTransfersDue(server(), merchant);
    await act();
  };
  return { title, prepare: makeTransfer, act, actAgain, rows: [made, after] };
};

async function makeLiveTransfer(merchant: TestMerchant) {
  await chargeFee(server(), merchant, 25);
  await fundLiveWallet(server(), merchant, 1000);
  await merchant.liveClient.transfers.create(payout);
}

async function transferIdOf({ id }: TestMerchant): Promise<string> {
  const sql = 'select id from transfer where merchant_id = $1';
  const [transfer] = await server().database.query<{ id: string }>(sql, [id]);
  return transfer?.id ?? '';
}

async function settleByOperator(merchant: TestMerchant, outcome: Outcome) {
  const id = await transferIdOf(merchant);
  await inTransaction(withFreshEntityManager(server().context), (tx) => settleByHand(tx, { id }, outcome));
}

const operatorFlow = (title: string, outcome: Outcome, [before, after]: [MoneyRows, MoneyRows]): Flow => ({
  title,
  async prepare(merchant) {
    await makeLiveTransfer(merchant);
    if (outcome.result === 'reversed') await settleByOperator(merchant, { result: 'completed' });
  },
  act: (merchant) => settleByOperator(merchant, outcome),
  rows: [before, after],
});

const settlesByHand = operatorFlow('an operator settles a transfer', { result: 'completed' }, [made, completed]);

export const transferFlows: readonly Flow[] = [
  {
    title: 'a test wallet is funded',
    act: post('/api/v1/test-helpers/wallets/fund', { amount: 1000 }),
    rows: [noRows, funded],
  },
  {
    title: 'the Transfer wallet is topped up',
    async prepare(merchant) {
      await startCheckout(merchant);
      await merchant.client.testHelpers.completePayment('order-1042');
    },
    act: post('/api/v1/wallets/transfer/top-ups', { amount: 700, reference: 'top-up-1' }),
    rows: [paid, toppedUp],
  },
  {
    title: 'a transfer is created',
    prepare: ({ client }) => client.testHelpers.fundWallet({ amount: 1000 }),
    act: post('/api/v1/transfers', payout),
    rows: [funded, unpriced],
  },
  settle('a transfer completes', { result: 'completed' }, completed),
  settle('a transfer fails', { result: 'failed', ...failure }, failed),
  settle('a transfer comes back', { result: 'reversed', ...failure }, reversed),
  settlesByHand,
  operatorFlow('an operator fails a transfer', { result: 'failed', ...failure }, [made, failed]),
  operatorFlow('an operator reverses a transfer', { result: 'reversed', ...failure }, [completed, reversed]),
];

const from = [/^with new_event as/, /^commit/];

export const commandKills = {
  'before it commits': { place: { loss: 'statement', from }, left: made },
  'after its commit and before the commit is acknowledged': { place: { loss: 'answer', from }, left: completed },
} as const;

export function testCommandKill(where: keyof typeof commandKills): void {
  const { place, left } = commandKills[where];
  test.serial(`an operator's command that is killed ${where} settles the transfer once or not at all`, async (t) => {
    let command: ReturnType<typeof spawnCommand> | undefined;
    const act = async (merchant: TestMerchant) => {
      const env = { DATABASE_URL: cutter.reach(server().database.url) };
      command = spawnCommand(env, 'transfers', 'settle', await transferIdOf(merchant));
      await command.ended;
    };
    const actAgain = async (merchant: TestMerchant) => settleByOperator(merchant, { result: 'completed' });
    const process = { kill: () => command?.kill(), ended: () => command?.ended };

    await killAndRepeat(t, scene, { flow: { ...settlesByHand, act, actAgain }, place, left, process });
  });
}
