import { withFreshEntityManager } from '@tillhook/server/src/context.ts';
import { askAboutRefunds } from '@tillhook/server/src/money/refunds/ask-about-refunds.job.ts';
import { settleRefund } from '@tillhook/server/src/money/refunds/settle-refund.service.ts';
import { inTransaction } from '@tillhook/server/src/platform/database/transaction.ts';
import type { CheckoutProcessor, RefundOrder, RefundVerdict } from '@tillhook/server/src/processors/port.ts';
import test, { type ExecutionContext } from 'ava';
import { ledgerBreaches } from '../support/money/ledger.ts';
import { paidMerchant, payWith, waitForRefund } from '../support/money/refunds.ts';
import { balancesOf, eventsOf } from '../support/money/transfers.ts';
import { serverForFile, startServerWithContext, type TestMerchant, usualSettings } from '../support/server/tillhook.ts';

const server = serverForFile(usualSettings);
const order = 'order-1042';
const reference = 'refund-1';

test.afterEach.always('the ledger keeps its invariants', async (t) => {
  t.deepEqual(await ledgerBreaches(server()), []);
});

async function begin(card: string) {
  const merchant = await server().createMerchant();
  await payWith(merchant, { card });
  const refund = await merchant.client.refunds.create(order, { amount: 300, reference });
  return { merchant, refund };
}

const refundedOf = async ({ client }: TestMerchant) => (await client.payments.get(order)).amountRefunded;

test.serial('a refund completes: the Collection wallet is debited, and the merchant gets the event', async (t) => {
  const { merchant } = await begin('4242424242424242');

  const { completedAt } = await waitForRefund('completed', merchant, reference);

  t.truthy(completedAt);
  t.deepEqual(await balancesOf(server(), merchant), {
    collection: 700,
    refund_reserved: 0,
    processor_clearing: -700,
  });
  t.deepEqual(await eventsOf(server(), merchant), ['checkout.success completed', 'refund.success completed']);
  const { events } = await merchant.client.events.list({ event: 'refund.success' });
  t.like(events[0], { reference });
  t.deepEqual(events[0]?.data as unknown, {
    reference,
    paymentReference: order,
    amount: 300,
    currency: 'NGN',
    status: 'completed',
    customerEmail: 'ada@example.com',
    failureCode: null,
    failureReason: null,
  });
  const { entries } = await merchant.client.wallets.listEntries('collection');
  t.deepEqual(
    entries.map(({ type, amount, balance, reference: of }) => [type, amount, balance, of]),
    [
      ['refund', -300, 700, reference],
      ['payment', 1000, 1000, order],
    ],
  );
});

test.serial('a refund to the card 4000 0000 0000 7726 stays processing for 30 seconds, and completes', async (t) => {
  const { merchant, refund } = await begin('4000000000007726');
  await waitForRefund('processing', merchant, reference);
  const wait =
    'select extract(epoch from next_check_at - now()) between 20 and 30 as is_half_a_minute from refund where id = $1';
  t.deepEqual(await server().database.query(wait, [refund.id]), [{ is_half_a_minute: true }]);
  t.like(await balancesOf(server(), merchant), { collection: 700, refund_reserved: 300, processor_clearing: -1000 });
  t.like((await merchant.client.wallets.list()).wallets[0], { kind: 'collection', available: 700, reserved: 300 });

  await merchant.client.test.advanceTime({ seconds: 30 });

  await waitForRefund('completed', merchant, reference);
  t.like(await balancesOf(server(), merchant), { collection: 700, refund_reserved: 0, processor_clearing: -700 });
  t.deepEqual(await eventsOf(server(), merchant), ['checkout.success completed', 'refund.success completed']);
});

test.serial(
  'a refund to the card 4000 0000 0000 5126 fails later: its amount returns to the wallet and can be refunded again',
  async (t) => {
    const { merchant } = await begin('4000000000005126');
    await waitForRefund('processing', merchant, reference);
    t.is(await refundedOf(merchant), 300);

    await merchant.client.test.advanceTime({ seconds: 30 });

    const refund = await waitForRefund('failed', merchant, reference);
    t.deepEqual(
      [refund.failureCode, refund.failureReason, refund.completedAt],
      ['refund_failed', 'The bank of the customer refused the refund', null],
    );
    t.like(await balancesOf(server(), merchant), { collection: 1000, refund_reserved: 0, processor_clearing: -1000 });
    t.deepEqual(await eventsOf(server(), merchant), ['checkout.success completed', 'refund.failed failed']);
    const { events } = await merchant.client.events.list({ event: 'refund.failed' });
    const { failureCode, failureReason } = refund;
    t.like(events[0]?.data, { failureCode, failureReason });
    t.is(await refundedOf(merchant), 0);
    t.is((await merchant.client.refunds.create(order)).amount, 1000);
  },
);

test.serial('a refund that ended is never checked again', async (t) => {
  const { merchant, refund } = await begin('4242424242424242');
  await waitForRefund('completed', merchant, reference);

  const rows = await server().database.query('select next_check_at from refund where id = $1', [refund.id]);

  t.deepEqual(rows, [{ next_check_at: null }]);
});

/** A server that does not run the job for refunds, so that only the test asks the processor. */
async function serverWithoutJob(t: ExecutionContext) {
  const at = await startServerWithContext(t, { ROLE: 'api' });
  const merchant = await paidMerchant(at);
  const { id } = await merchant.client.refunds.create(order, { amount: 300, reference });
  const processorCalls: string[] = [];
  const ask = async (answer: (order: RefundOrder) => Promise<RefundVerdict>) => {
    await at.database.query('update refund set next_check_at = now() where id = $1', [id]);
    const simulator = at.context.processors.test;
    if (!simulator) throw new Error('Test mode has no processor.');
    const note = (what: string) => (given: RefundOrder) => {
      processorCalls.push(`${what} ${given.refundId === id} ${given.amount}`);
      return answer(given);
    };
    const test: CheckoutProcessor = { ...simulator, refund: note('refund'), refundStatus: note('status') };
    await askAboutRefunds({ ...withFreshEntityManager(at.context), processors: { test } });
    const { status } = await merchant.client.refunds.get(reference);
    return status;
  };
  const settle = (verdict: RefundVerdict) =>
    inTransaction(withFreshEntityManager(at.context), (tx) => settleRefund(tx, id, verdict));
  const money = async () => ({
    events: await eventsOf(at, merchant),
    balances: await balancesOf(at, merchant),
    refunded: await refundedOf(merchant),
    breaches: await ledgerBreaches(at),
  });
  return { at, ask, processorCalls, settle, money, id };
}

const lost = () => Promise.reject(new Error('The connection to the processor was cut.'));

test.serial(
  'without an answer of the processor, a job sends the same refund again; after an answer, it requests only the status',
  async (t) => {
    const { ask, processorCalls } = await serverWithoutJob(t);

    const statuses = [
      await ask(lost),
      await ask(async () => ({ result: 'unknown' })),
      await ask(async () => ({ result: 'processing', processorId: 're_1' })),
      await ask(lost),
      await ask(async () => ({ result: 'completed' })),
    ];

    t.deepEqual(statuses, ['pending', 'pending', 'processing', 'processing', 'completed']);
    t.deepEqual(processorCalls, [
      'refund true 300',
      'refund true 300',
      'refund true 300',
      'status true 300',
      'status true 300',
    ]);
  },
);

test.serial('the processor is asked about a refund while no transaction is open', async (t) => {
  const { at, ask } = await serverWithoutJob(t);
  const open = `select count(*)::int as count from pg_stat_activity
    where datname = current_database() and state like 'idle in transaction%'`;
  let seen: unknown;

  await ask(async () => {
    seen = await at.database.query(open);
    return { result: 'completed' };
  });

  t.deepEqual(seen, [{ count: 0 }]);
});

const bankRefused: RefundVerdict = { result: 'failed', code: 'lost_or_stolen_card', message: 'The card is lost' };
const paidBack = { collection: 700, refund_reserved: 0, processor_clearing: -700 };
const cameBack = { collection: 1000, refund_reserved: 0, processor_clearing: -1000 };

test.serial('the same verdict changes nothing when it arrives a second time', async (t) => {
  for (const verdict of [{ result: 'completed' } as const, bankRefused]) {
    const { settle, money } = await serverWithoutJob(t);

    await settle(verdict);
    const first = await money();
    await settle(verdict);
    await settle({ result: 'processing' });

    t.deepEqual(await money(), first);
    t.deepEqual(first.balances, verdict.result === 'completed' ? paidBack : cameBack);
    t.deepEqual(first.breaches, []);
  }
});

test.serial(
  'a completed refund that fails later returns its amount to the wallet, and the merchant gets the event of each status',
  async (t) => {
    const { settle, money } = await serverWithoutJob(t);
    await settle({ result: 'completed' });

    const refund = await settle(bankRefused);

    t.truthy(refund.completedAt);
    t.deepEqual(await money(), {
      events: ['checkout.success completed', 'refund.success completed', 'refund.failed failed'],
      balances: cameBack,
      refunded: 0,
      breaches: [],
    });
  },
);

test.serial('a failed refund that is reported as completed stays failed', async (t) => {
  const { settle, money } = await serverWithoutJob(t);
  await settle(bankRefused);

  await settle({ result: 'completed' });

  t.like(await money(), { events: ['checkout.success completed', 'refund.failed failed'], balances: cameBack });
});

test.serial('status, funds, payment and event of a refund change together or not at all', async (t) => {
  const { at, settle, money, id } = await serverWithoutJob(t);
  await settle({ result: 'processing' });
  const before = await money();

  const late = inTransaction(withFreshEntityManager(at.context), async (tx) => {
    await settleRefund(tx, id, bankRefused);
    throw new Error('Late');
  });

  await t.throwsAsync(late, { message: 'Late' });
  t.deepEqual(await money(), before);
});
