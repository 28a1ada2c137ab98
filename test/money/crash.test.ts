/** A crash between any two statements of what moves money in test mode. */
import { ofItsOwn } from '@tillhook/server/src/context.ts';
import { settleUndecided } from '@tillhook/server/src/payments/settle-undecided.job.ts';
import type { CardProcessor, PayoutVerdict } from '@tillhook/server/src/processors/port.ts';
import { settleTransfers } from '@tillhook/server/src/transfers/settle-transfers.job.ts';
import { type Flow, happensExactlyOnce } from '../support/crash.ts';
import { payByForm } from '../support/hosted-page.ts';
import { attemptsComeDue, startCheckout } from '../support/payments.ts';
import { startStatementCutter } from '../support/statement-cutter.ts';
import { serverForFile, type TestMerchant } from '../support/tillhook.ts';
import { chargeFee, recipient, timePasses } from '../support/transfers.ts';

const reference = 'order-1042';
const refusal = { code: 'account_closed', message: 'Closed' };

const cutter = await startStatementCutter(new URL(process.env.TEST_DATABASE_URL ?? ''));
const server = serverForFile({ ROLE: 'api' }, cutter.reach);

const bearer = ({ testKey }: TestMerchant) => ({ authorization: `Bearer ${testKey}` });
const apiKey = ({ testKey }: TestMerchant) => ({ 'x-api-key': testKey });

/** A call that is the same call, however often it is made. */
function post(path: string, body?: object, credential: (merchant: TestMerchant) => object = bearer) {
  return async (merchant: TestMerchant) => {
    const response = await server().request(path, {
      method: 'POST',
      headers: {
        'idempotency-key': 'once',
        ...credential(merchant),
        ...(body && { 'content-type': 'application/json' }),
      },
      ...(body && { body: JSON.stringify(body) }),
    });
    if (!response.ok) throw new Error(`${path}: ${response.status}`);
  };
}

const begin = (merchant: TestMerchant) => startCheckout(merchant, reference);

async function submitCard({ id }: TestMerchant, cardNumber: string) {
  const [payment] = await server().database.query('select access_code from payment where merchant_id = $1', [id]);
  return payByForm(`${server().url}/checkout/${payment?.access_code}`, cardNumber);
}

/** The processor was asked before the crash, and remembers that it charged. */
const nothingElse = () => Promise.reject(new Error('Nobody asks for this here.'));
const chargedBefore: CardProcessor = {
  name: 'scripted',
  takes: 'card',
  testCards: [],
  start: nothingElse,
  cancel: nothingElse,
  finishStep: nothingElse,
  status: async () => ({ result: 'paid', amount: 500_000n, currency: 'NGN' }),
};

/** The job asks after what is undecided; a customer whose card went nowhere submits it again. */
async function payAfterAll(merchant: TestMerchant) {
  const { context } = server();
  await attemptsComeDue(server(), merchant);
  await settleUndecided({ ...ofItsOwn(context), processors: { test: chargedBefore } });
  if ((await merchant.client.payments.get(reference)).status === 'pending')
    await submitCard(merchant, '4242424242424242');
}

async function makeTransfer(merchant: TestMerchant) {
  await chargeFee(server(), merchant, 25);
  await merchant.client.testHelpers.fundWallet({ amount: 1000 });
  await merchant.client.transfers.create({ reference: 'payout-77', amount: 300, recipient: recipient('0123456789') });
}

const settle = (title: string, verdict: PayoutVerdict): Flow => {
  const processor = { name: 'scripted', create: async () => verdict, status: async () => verdict };
  const act = () => settleTransfers(ofItsOwn(server().context), { test: processor });
  const actAgain = async (merchant: TestMerchant) => {
    await timePasses(server(), merchant);
    await act();
  };
  return { title, prepare: makeTransfer, act, actAgain };
};

const order = { email: 'ada@example.com', amount: 500_000, reference };
const payout = { reference: 'payout-77', amount: 300, recipient: recipient('0123456789') };
const completeTestPayment = post(`/api/v1/test-helpers/payments/${reference}/complete`);

const flows: Flow[] = [
  { title: 'a checkout is made', act: post('/api/v1/payments/checkout', order, apiKey) },
  {
    title: 'a customer pays',
    prepare: begin,
    act: (merchant) => submitCard(merchant, '4242424242424242'),
    actAgain: payAfterAll,
  },
  { title: 'a test payment is completed', prepare: begin, act: completeTestPayment },
  {
    title: 'a checkout is cancelled after a decline',
    async prepare(merchant) {
      await begin(merchant);
      await submitCard(merchant, '4000000000000002');
    },
    act: post(`/api/v1/payments/${reference}/cancel`),
  },
  { title: 'a test wallet is funded', act: post('/api/v1/test-helpers/wallets/fund', { amount: 700 }) },
  {
    title: 'the Transfer wallet is topped up',
    async prepare(merchant) {
      await begin(merchant);
      await merchant.client.testHelpers.completePayment(reference);
    },
    act: post('/api/v1/wallets/transfer/top-ups', { amount: 700, reference: 'top-up-1' }),
  },
  {
    title: 'a transfer is made',
    prepare: ({ client }) => client.testHelpers.fundWallet({ amount: 1000 }),
    act: post('/api/v1/transfers', payout),
  },
  settle('a transfer completes', { result: 'completed' }),
  settle('a transfer fails', { result: 'failed', ...refusal }),
  settle('a transfer comes back', { result: 'reversed', ...refusal }),
];

happensExactlyOnce(server, cutter, flows);
