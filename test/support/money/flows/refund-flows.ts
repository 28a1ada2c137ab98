import { withFreshEntityManager } from '@tillhook/server/src/context.ts';
import { askAboutRefunds } from '@tillhook/server/src/money/refunds/ask-about-refunds.job.ts';
import { settleRefund } from '@tillhook/server/src/money/refunds/settle-refund.service.ts';
import { inTransaction } from '@tillhook/server/src/platform/database/transaction.ts';
import type { CheckoutProcessor, RefundVerdict } from '@tillhook/server/src/processors/port.ts';
import type { TestMerchant } from '../../server/tillhook.ts';
import type { Flow } from '../crash.ts';
import { type MoneyRows, paidRows } from '../money-rows.ts';
import { startCheckout } from '../payments.ts';
import { makeRefundsDue } from '../refunds.ts';
import { post, server } from './cut-server.ts';

const order = { amount: 300, reference: 'refund-1' };

const paid = paidRows();
const reserve = 'refund_reserve refund-1: collection -300, refund_reserved 300';
const settlement = 'refund_settle refund-1: processor_clearing 300, refund_reserved -300';

const made: MoneyRows = {
  ...paid,
  refunds: ['refund-1 pending order-1042 300'],
  postings: [...paid.postings, reserve],
  balances: ['collection 499700', 'processor_clearing -500000', 'refund_reserved 300'],
};
const accepted: MoneyRows = { ...made, refunds: ['refund-1 processing order-1042 300'] };
const completed: MoneyRows = {
  ...made,
  ...withEvent('refund.success'),
  refunds: ['refund-1 completed order-1042 300'],
  postings: [...paid.postings, reserve, settlement],
  balances: ['collection 499700', 'processor_clearing -499700'],
};
const failed: MoneyRows = {
  ...made,
  ...withEvent('refund.failed'),
  refunds: ['refund-1 failed order-1042 0'],
  postings: [...paid.postings, reserve, 'refund_return refund-1: collection 300, refund_reserved -300'],
  balances: paid.balances,
};
const cameBack: MoneyRows = {
  ...made,
  events: [...paid.events, 'refund-1 refund.failed', 'refund-1 refund.success'],
  deliveries: [...paid.deliveries, ...deliveriesOf('refund.failed'), ...deliveriesOf('refund.success')],
  queued: [...paid.queued, 'refund.failed to active pending 0', 'refund.success to active pending 0'],
  refunds: ['refund-1 failed order-1042 0'],
  postings: [
    ...paid.postings,
    reserve,
    'refund_reversal refund-1: collection 300, processor_clearing -300',
    settlement,
  ],
  balances: paid.balances,
};

function deliveriesOf(name: string): string[] {
  return [`${name} to active pending 0`, `${name} to inactive skipped 0 endpoint_inactive`];
}

function withEvent(name: string): Pick<MoneyRows, 'events' | 'deliveries' | 'queued'> {
  return {
    events: [...paid.events, `refund-1 ${name}`],
    deliveries: [...paid.deliveries, ...deliveriesOf(name)],
    queued: [...paid.queued, `${name} to active pending 0`],
  };
}

async function pay(merchant: TestMerchant) {
  await startCheckout(merchant);
  await merchant.client.testHelpers.completePayment('order-1042');
}

async function makeRefund(merchant: TestMerchant) {
  await pay(merchant);
  await merchant.client.refunds.create('order-1042', order);
}

async function settleAs(verdict: RefundVerdict) {
  const simulator = server().context.processors.test;
  if (!simulator) throw new Error('Test mode has no processor.');
  const answer = async () => verdict;
  const test: CheckoutProcessor = { ...simulator, refund: answer, refundStatus: answer };
  await askAboutRefunds({ ...withFreshEntityManager(server().context), processors: { test } });
}

async function settleAgainAs(merchant: TestMerchant, verdict: RefundVerdict) {
  await makeRefundsDue(server(), merchant);
  await server().database.query('update refund set next_check_at = now() where merchant_id = $1', [merchant.id]);
  await settleAs(verdict);
}

async function hear(merchant: TestMerchant, verdict: RefundVerdict) {
  const { id } = await merchant.client.refunds.get('refund-1');
  await inTransaction(withFreshEntityManager(server().context), (tx) => settleRefund(tx, id, verdict));
}

const settle = (title: string, verdict: RefundVerdict, after: MoneyRows): Flow => ({
  title,
  prepare: makeRefund,
  act: () => settleAs(verdict),
  actAgain: (merchant) => settleAgainAs(merchant, verdict),
  rows: [made, after],
});

const failure = { result: 'failed', code: 'lost_or_stolen_card', message: 'Lost' } as const;

export const refundFlows: readonly Flow[] = [
  {
    title: 'a refund is created',
    prepare: pay,
    act: post('/api/v1/payments/order-1042/refunds', order),
    rows: [paid, made],
  },
  settle('the processor accepts a refund', { result: 'processing' }, accepted),
  settle('a refund completes', { result: 'completed' }, completed),
  settle('a refund fails', failure, failed),
  {
    title: 'a completed refund fails later',
    async prepare(merchant) {
      await makeRefund(merchant);
      await settleAs({ result: 'completed' });
    },
    // The job does not ask the processor about a completed refund; only a webhook reports that such a refund failed.
    act: (merchant) => hear(merchant, failure),
    rows: [completed, cameBack],
  },
];
