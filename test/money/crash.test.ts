/**
 * A crash between any two statements. Each flow is cut at its first message to the database, then at its second, and so on
 * until it comes through whole; once with the message lost and once with its answer. After each cut the books are right, and
 * once it was done again the merchant has what an undisturbed flow leaves: it happened exactly once.
 */
import { isDeepStrictEqual } from 'node:util';
import { openDatabase } from '@tillhook/server/src/database/orm.ts';
import { settleUndecided } from '@tillhook/server/src/payments/settle-undecided.job.ts';
import type { CardProcessor, PayoutVerdict } from '@tillhook/server/src/processors/port.ts';
import { settleTransfers } from '@tillhook/server/src/transfers/settle-transfers.job.ts';
import test, { type ExecutionContext } from 'ava';
import { contextOf } from '../support/empty-database.ts';
import { eventually } from '../support/eventually.ts';
import { payByForm } from '../support/hosted-page.ts';
import { faultsOfLedger, type Money, moneyOf } from '../support/ledger.ts';
import { attemptsComeDue, startCheckout } from '../support/payments.ts';
import { type Loss, startStatementCutter } from '../support/statement-cutter.ts';
import { serverForFile, type TestMerchant } from '../support/tillhook.ts';
import { chargeFee, recipient, timePasses } from '../support/transfers.ts';

const reference = 'order-1042';
const refusal = { code: 'account_closed', message: 'Closed' };

const cutter = await startStatementCutter(new URL(process.env.TEST_DATABASE_URL ?? ''));
const server = serverForFile({ ROLE: 'api' }, cutter.reach);

let uncut: ReturnType<typeof openDatabase> | undefined;

/** Looks at the books past the cutter, whose victims are still in the server's pool. */
async function faultsOf({ id }: TestMerchant): Promise<string[]> {
  uncut ??= openDatabase(server().database.url, 1);
  return faultsOfLedger({ context: contextOf(await uncut) }, id);
}

test.after.always(async () => (await uncut)?.close());

interface Flow {
  title: string;
  prepare?: (merchant: TestMerchant) => Promise<unknown>;
  act: (merchant: TestMerchant) => Promise<unknown>;
  /** What goes on after a crash, where that is not the same again. */
  actAgain?: (merchant: TestMerchant) => Promise<unknown>;
}

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
  await attemptsComeDue(server());
  await settleUndecided({ ...context, em: context.em.fork(), processors: { test: chargedBefore } });
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
  const act = () => settleTransfers({ ...server().context, em: server().context.em.fork() }, { test: processor });
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

for (const flow of flows) {
  test.serial(`${flow.title} exactly once, wherever it is cut`, async (t) => {
    const { money: wanted } = await run(t, flow);

    let cuts = 0;
    for (const loss of ['statement', 'answer'] as const) {
      for (let message = 1, isCut = true; isCut; message += 1) {
        const outcome = await run(t, flow, { message, loss, wanted });
        t.deepEqual(outcome.money, wanted, `${loss} ${message}`);
        isCut = outcome.isCut;
        cuts += Number(isCut);
      }
    }

    t.log(`cut at ${cuts} places`);
    t.true(cuts >= 8);
  });
}

interface Cut {
  message: number;
  loss: Loss;
  /** What an undisturbed flow leaves. */
  wanted: Money;
}

/** With a merchant of its own: undisturbed, or cut there and then done again until there is what is wanted. */
async function run(t: ExecutionContext, flow: Flow, cut?: Cut): Promise<{ isCut: boolean; money: Money }> {
  const merchant = await server().createMerchant();
  const money = () => moneyOf(server().database, merchant.id);
  await flow.prepare?.(merchant);
  if (!cut) {
    await flow.act(merchant);
    t.deepEqual(await faultsOf(merchant), []);
    return { isCut: false, money: await money() };
  }
  cutter.cutAt(cut.message, cut.loss);
  await flow.act(merchant).catch(() => {});
  const isCut = cutter.disarm();
  t.deepEqual(await faultsOf(merchant), [], `${cut.loss} ${cut.message}`);

  // At least once more, whether it is done or not: the answer may be all that was lost.
  await eventually(async () => {
    await (flow.actAgain ?? flow.act)(merchant).catch(() => {});
    return isDeepStrictEqual(await money(), cut.wanted);
  });
  t.deepEqual(await faultsOf(merchant), [], `${cut.loss} ${cut.message}, and again`);
  return { isCut, money: await money() };
}
