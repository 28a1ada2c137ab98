import { withFreshEntityManager } from '@tillhook/server/src/context.ts';
import { askAboutTransfers } from '@tillhook/server/src/money/transfers/ask-about-transfers.job.ts';
import { settleTransfer } from '@tillhook/server/src/money/transfers/settle-transfer.service.ts';
import { inTransaction } from '@tillhook/server/src/platform/database/transaction.ts';
import type { PayoutProcessor, PayoutVerdict } from '@tillhook/server/src/processors/port.ts';
import test, { type ExecutionContext } from 'ava';
import { ledgerBreaches } from '../support/money/ledger.ts';
import {
  balancesOf,
  chargeFee,
  eventsOf,
  fundedMerchant,
  makeTransfersDue,
  recipient,
  waitForTransfer,
} from '../support/money/transfers.ts';
import {
  type OwnServer,
  serverForFile,
  startServerWithContext,
  usualSettings,
  wholePool,
} from '../support/server/tillhook.ts';

const server = serverForFile(usualSettings);
const reference = 'payout-77';

async function begin(accountNumber: string, at = server()) {
  const merchant = await fundedMerchant(at);
  await chargeFee(at, merchant, 25);
  const transfer = await merchant.client.transfers.create({
    reference,
    amount: 300,
    recipient: recipient(accountNumber),
  });
  return { merchant, transfer };
}

test.afterEach.always('the ledger keeps its invariants', async (t) => {
  t.deepEqual(await ledgerBreaches(server()), []);
});

test.serial('a transfer to the account 0000000000 completes: amount and fee leave the wallet', async (t) => {
  const { merchant } = await begin('0000000000');

  await waitForTransfer('completed', merchant, reference);

  const balances = { funding: -1000, transfer: 675, transfer_reserved: 0, payout_clearing: 300, fees: 25 };
  t.deepEqual(await balancesOf(server(), merchant), balances);
  t.deepEqual(await eventsOf(server(), merchant), ['transfer.success completed']);
});

test.serial('a transfer to the account 0000000001 fails: amount and fee return to the wallet', async (t) => {
  const { merchant } = await begin('0000000001');

  await waitForTransfer('failed', merchant, reference);

  t.deepEqual(await balancesOf(server(), merchant), { funding: -1000, transfer: 1000, transfer_reserved: 0 });
  t.deepEqual(await eventsOf(server(), merchant), ['transfer.failed failed']);
});

test.serial('a transfer to the account 0000000002 stays processing for 30 seconds, and completes', async (t) => {
  const { merchant, transfer } = await begin('0000000002');
  await waitForTransfer('processing', merchant, reference);
  const wait =
    'select extract(epoch from next_check_at - now()) between 20 and 30 as is_half_a_minute from transfer where id = $1';
  t.deepEqual(await server().database.query(wait, [transfer.id]), [{ is_half_a_minute: true }]);
  t.like(await balancesOf(server(), merchant), { transfer: 675, transfer_reserved: 325 });

  await merchant.client.test.advanceTime({ seconds: 30 });

  await waitForTransfer('completed', merchant, reference);
  t.deepEqual(await eventsOf(server(), merchant), ['transfer.success completed']);
});

test.serial(
  'a transfer to the account 0000000003 completes and is then reversed: the amount returns to the wallet and the fee does not',
  async (t) => {
    const { merchant } = await begin('0000000003');
    await waitForTransfer('completed', merchant, reference);

    await merchant.client.test.advanceTime({ seconds: 3 });

    const transfer = await waitForTransfer('reversed', merchant, reference);
    t.is(transfer.failureCode, 'returned_by_bank');
    t.like(await balancesOf(server(), merchant), { transfer: 975, transfer_reserved: 0, payout_clearing: 0, fees: 25 });
    t.deepEqual(await eventsOf(server(), merchant), ['transfer.success completed', 'transfer.failed reversed']);
  },
);

test.serial('a transfer that ended is never checked again', async (t) => {
  const { merchant, transfer } = await begin('0000000000');
  await waitForTransfer('completed', merchant, reference);

  const rows = await server().database.query('select next_check_at from transfer where id = $1', [transfer.id]);

  t.deepEqual(rows, [{ next_check_at: null }]);
});

/** A server that does not run the job for transfers, so that only the test asks the processor. */
async function serverWithoutPayoutJob(t: ExecutionContext) {
  const at = await startServerWithContext(t, { ...wholePool, ROLE: 'api' });
  t.teardown(async () => {
    const faults = await ledgerBreaches(at);
    if (faults.length > 0) throw new Error(faults.join('\n'));
  });
  const ask = (processor: PayoutProcessor) =>
    askAboutTransfers(withFreshEntityManager(at.context), { test: processor });
  return { at, ask };
}

const answering = (verdict: PayoutVerdict): PayoutProcessor => ({
  name: 'scripted',
  create: async () => verdict,
  status: async () => verdict,
});

const settleAs = (at: OwnServer, id: string, verdict: PayoutVerdict) =>
  inTransaction(withFreshEntityManager(at.context), (context) => settleTransfer(context, id, verdict));

test.serial('status, funds and event of a transfer change together or not at all', async (t) => {
  const { at } = await serverWithoutPayoutJob(t);
  const { merchant, transfer } = await begin('0000000001', at);

  const late = inTransaction(withFreshEntityManager(at.context), async (context) => {
    await settleTransfer(context, transfer.id, { result: 'failed', code: 'account_closed', message: 'Closed' });
    throw new Error('Late');
  });

  await t.throwsAsync(late, { message: 'Late' });
  t.is((await merchant.client.transfers.get(reference)).status, 'pending');
  t.like(await balancesOf(at, merchant), { transfer: 675, transfer_reserved: 325 });
  t.deepEqual(await eventsOf(at, merchant), []);
});

test.serial('verdicts that arrive concurrently, twice or out of order settle a transfer once', async (t) => {
  const { at } = await serverWithoutPayoutJob(t);
  const { merchant, transfer } = await begin('0000000000', at);
  const failed = { result: 'failed', code: 'account_closed', message: 'Closed' } as const;
  const reversed = { ...failed, result: 'reversed' } as const;

  await Promise.all(Array.from({ length: 5 }, () => settleAs(at, transfer.id, { result: 'completed' })));
  await settleAs(at, transfer.id, failed);
  await settleAs(at, transfer.id, { result: 'processing' });
  await Promise.all(Array.from({ length: 5 }, () => settleAs(at, transfer.id, reversed)));
  await settleAs(at, transfer.id, { result: 'completed' });

  t.is((await merchant.client.transfers.get(reference)).status, 'reversed');
  t.deepEqual(await eventsOf(at, merchant), ['transfer.success completed', 'transfer.failed reversed']);
});

test.serial(
  'an answer of the processor that arrives after the end of a transfer schedules no further check',
  async (t) => {
    const { at } = await serverWithoutPayoutJob(t);
    const { transfer } = await begin('0000000002', at);

    await settleAs(at, transfer.id, { result: 'completed' });
    await settleAs(at, transfer.id, { result: 'processing', checkAfterSeconds: 30 });

    const rows = await at.database.query('select status, next_check_at from transfer where id = $1', [transfer.id]);
    t.deepEqual(rows, [{ status: 'completed', next_check_at: null }]);
  },
);

test.serial(
  'a reversal that arrives before the completion publishes the events of completion and reversal, in this order',
  async (t) => {
    const { at } = await serverWithoutPayoutJob(t);
    const { merchant, transfer } = await begin('0000000000', at);

    await settleAs(at, transfer.id, { result: 'reversed', code: 'returned_by_bank', message: 'Returned' });

    t.deepEqual(await eventsOf(at, merchant), ['transfer.success completed', 'transfer.failed reversed']);
  },
);

test.serial(
  'without an answer of the processor the transfer does not change, and the next call to the processor has the same id',
  async (t) => {
    const { at, ask } = await serverWithoutPayoutJob(t);
    const { merchant, transfer } = await begin('0123456789', at);
    const payoutIds: string[] = [];
    const silent = {
      ...answering({ result: 'unknown' }),
      create: (payout: { transferId: string }) => {
        payoutIds.push(payout.transferId);
        return Promise.reject(new Error('No route to the bank'));
      },
    };

    await ask(silent);
    await ask(silent);
    await makeTransfersDue(at, merchant);
    await ask(silent);

    t.deepEqual(payoutIds, [transfer.id, transfer.id]);
    t.is((await merchant.client.transfers.get(reference)).status, 'pending');
  },
);

test.serial('two processes that claim transfers concurrently ask the processor about each transfer once', async (t) => {
  const { at, ask } = await serverWithoutPayoutJob(t);
  const { client } = await fundedMerchant(at);
  for (let index = 0; index < 15; index += 1) {
    await client.transfers.create({ reference: `payout-${index}`, amount: 1, recipient: recipient() });
  }
  const payoutIds: string[] = [];
  const counting = {
    ...answering({ result: 'completed' }),
    create: async (payout: { transferId: string }) => {
      payoutIds.push(payout.transferId);
      return { result: 'completed' } as const;
    },
  };

  await Promise.all([ask(counting), ask(counting), ask(counting)]);

  t.is(payoutIds.length, 15);
  t.is(new Set(payoutIds).size, 15);
});
