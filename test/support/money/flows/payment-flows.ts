// See docs/decisions/tests.md, "Crash tests compare with rows that are written down".
import { withFreshEntityManager } from '@tillhook/server/src/context.ts';
import { askAboutPayments } from '@tillhook/server/src/money/payments/ask-about-payments.job.ts';
import { expireCheckouts } from '@tillhook/server/src/money/payments/expire-checkouts.job.ts';
import type { CardProcessor } from '@tillhook/server/src/processors/port.ts';
import test from 'ava';
import { testEnvironment } from '../../server/environment.ts';
import { spawnTillhook } from '../../server/process.ts';
import type { TestMerchant } from '../../server/tillhook.ts';
import { type Flow, killAndRepeat } from '../crash.ts';
import { payByForm, submitPage } from '../hosted-page.ts';
import { noRows, paidRows, published } from '../money-rows.ts';
import { makeAttemptsDue, startCheckout } from '../payments.ts';
import { withoutRefunds } from '../refunds.ts';
import { cutter, post, scene, server } from './cut-server.ts';

const reference = 'order-1042';

const begin = (merchant: TestMerchant) => startCheckout(merchant, reference);

async function checkoutUrlOf({ id }: TestMerchant, { url } = server()) {
  const [payment] = await server().database.query('select access_code from payment where merchant_id = $1', [id]);
  return `${url}/checkout/${payment?.access_code}`;
}

async function submitCard(merchant: TestMerchant, cardNumber: string) {
  const { status } = await payByForm(await checkoutUrlOf(merchant), cardNumber);
  if (status !== 200) throw new Error(`The hosted page answered ${status}.`);
}

async function answerStep(merchant: TestMerchant, step: 'complete' | 'fail') {
  const { status } = await submitPage(await checkoutUrlOf(merchant), '/step', { step });
  if (status !== 200) throw new Error(`The hosted page answered ${status}.`);
}

const nothingElse = () =>
  Promise.reject(new Error('The service called a function of the processor that this test does not expect.'));
/** A processor that charged the card before the crash, and now reports the payment as paid. */
const chargedBefore: CardProcessor = {
  name: 'scripted',
  takes: 'card',
  testCards: [],
  start: nothingElse,
  cancel: nothingElse,
  finishStep: nothingElse,
  status: async () => ({ result: 'paid', amount: 500_000n, currency: 'NGN' }),
  ...withoutRefunds,
};

async function finishPaying(merchant: TestMerchant) {
  await makeAttemptsDue(server(), merchant);
  await askAboutPayments({ ...withFreshEntityManager(server().context), processors: { test: chargedBefore } });
  if ((await merchant.client.payments.get(reference)).status === 'pending')
    await submitCard(merchant, '4242424242424242');
}

const expireAll = () => expireCheckouts(withFreshEntityManager(server().context));

const makeExpired = ({ id }: TestMerchant) =>
  server().database.query(`update payment set expires_at = now() - interval '1 second' where merchant_id = $1`, [id]);

const begun = { ...noRows, payments: ['order-1042 pending 0'] };
const submitted = { ...noRows, payments: ['order-1042 processing 1'], attempts: ['order-1042 1 open'] };
const declined = { ...noRows, payments: ['order-1042 pending 1'], attempts: ['order-1042 1 declined'] };
const failed = {
  ...declined,
  ...published(reference, 'checkout.failed'),
  payments: ['order-1042 failed 1'],
};
const expired = {
  ...begun,
  ...published(reference, 'checkout.expired'),
  payments: ['order-1042 expired 0'],
};
const completed = paidRows();
const waiting = { ...noRows, payments: ['order-1042 pending 0'], attempts: ['order-1042 1 open'] };
const transferred = { ...completed, payments: ['order-1042 completed 0'] };

async function decline(merchant: TestMerchant) {
  await begin(merchant);
  await submitCard(merchant, '4000000000000002');
}

async function askForStep(merchant: TestMerchant) {
  await begin(merchant);
  await submitCard(merchant, '4000000000003220');
}

async function chooseTransfer(merchant: TestMerchant) {
  const { status } = await submitPage(await checkoutUrlOf(merchant), '', { method: 'bank_transfer' });
  if (status !== 200) throw new Error(`The hosted page answered ${status}.`);
}

const transfer = { amount: 500_000, bankReference: 'bank-1' };

const order = { email: 'ada@example.com', amount: 500_000, reference };

const pays: Flow = {
  title: 'a customer pays',
  prepare: begin,
  act: (merchant) => submitCard(merchant, '4242424242424242'),
  actAgain: finishPaying,
  rows: [begun, submitted, completed],
};

export const paymentFlows: readonly Flow[] = [
  {
    title: 'a checkout is created',
    act: post('/api/v1/payments/checkout', order, 'x-api-key'),
    rows: [noRows, begun],
    statement: /^with usable as/,
  },
  pays,
  {
    title: 'a customer passes the 3-D Secure step',
    prepare: askForStep,
    act: (merchant) => answerStep(merchant, 'complete'),
    rows: [submitted, completed],
  },
  {
    title: 'a customer does not pass the 3-D Secure step',
    prepare: askForStep,
    act: (merchant) => answerStep(merchant, 'fail'),
    rows: [submitted, declined],
  },
  {
    title: 'a customer chooses a bank transfer',
    prepare: begin,
    act: chooseTransfer,
    rows: [begun, waiting],
  },
  {
    title: 'a bank transfer comes in',
    prepare: async (merchant) => {
      await begin(merchant);
      await chooseTransfer(merchant);
    },
    act: (merchant) => post(`/api/v1/test-helpers/payments/${reference}/bank-transfers`, transfer)(merchant),
    rows: [waiting, transferred],
  },
  {
    title: 'a test payment is completed',
    prepare: begin,
    act: post(`/api/v1/test-helpers/payments/${reference}/complete`),
    rows: [begun, completed],
  },
  {
    title: 'a checkout without an attempt is cancelled',
    prepare: begin,
    act: post(`/api/v1/payments/${reference}/cancel`),
    rows: [begun, expired],
  },
  {
    title: 'a checkout is cancelled after a decline',
    prepare: decline,
    act: post(`/api/v1/payments/${reference}/cancel`),
    rows: [declined, failed],
  },
  {
    title: 'a checkout without an attempt expires',
    prepare: async (merchant) => {
      await begin(merchant);
      await makeExpired(merchant);
    },
    act: expireAll,
    rows: [begun, expired],
  },
  {
    title: 'a checkout expires after a decline',
    prepare: async (merchant) => {
      await decline(merchant);
      await makeExpired(merchant);
    },
    act: expireAll,
    rows: [declined, failed],
  },
];

const publishes = /^with new_event as/;

export const paymentKills = {
  'before it publishes the event of a payment': {
    place: { loss: 'statement', from: [publishes] },
    left: submitted,
  },
  'before the commit of a payment is acknowledged': {
    place: { loss: 'answer', from: [publishes, /^commit/] },
    left: completed,
  },
} as const;

export function testPaymentKill(where: keyof typeof paymentKills): void {
  const { place, left } = paymentKills[where];
  test.serial(`if a server is killed ${where}, another server completes the payment exactly once`, async (t) => {
    const child = spawnTillhook(t, testEnvironment(cutter.reach(server().database.url), { ROLE: 'api' }));
    const url = await child.line('api ');
    await child.line('ready');
    const act = async (merchant: TestMerchant) => {
      await payByForm(await checkoutUrlOf(merchant, { ...server(), url }), '4242424242424242');
    };

    await killAndRepeat(t, scene, { flow: { ...pays, act }, place, left, process: child });
  });
}
