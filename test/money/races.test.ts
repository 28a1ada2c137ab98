/**
 * The expected numbers come from the calls or the captures of the processor, never from the final state of the service.
 */

import { isDeepStrictEqual } from 'node:util';
import { type WriteContext, withFreshEntityManager } from '@tillhook/server/src/context.ts';
import { startAttempt } from '@tillhook/server/src/money/payments/ask-processor.ts';
import { submitAttempt } from '@tillhook/server/src/money/payments/attempts.service.ts';
import { cancelCheckout } from '@tillhook/server/src/money/payments/checkout.service.ts';
import { expireCheckouts } from '@tillhook/server/src/money/payments/expire-checkouts.job.ts';
import { settlePayment } from '@tillhook/server/src/money/payments/settle-payment.service.ts';
import { settleRefund } from '@tillhook/server/src/money/refunds/settle-refund.service.ts';
import { inTransaction } from '@tillhook/server/src/platform/database/transaction.ts';
import type { CardProcessor, RefundVerdict, Verdict } from '@tillhook/server/src/processors/port.ts';
import test from 'ava';
import { payByForm } from '../support/money/hosted-page.ts';
import { ledgerBreaches, type Money, moneyOf } from '../support/money/ledger.ts';
import { startCheckout } from '../support/money/payments.ts';
import { paidMerchant, withoutRefunds } from '../support/money/refunds.ts';
import { recipient } from '../support/money/transfers.ts';
import { serverWithContext, type TestMerchant, wholePool } from '../support/server/tillhook.ts';

const server = serverWithContext(wholePool);

const rounds = Array.from({ length: 10 }, (_, round) => round);
const paid: Verdict = { result: 'paid', amount: 500_000n, currency: 'NGN' };
const card = { number: '4242424242424242', expiryMonth: 12, expiryYear: 2040, cvc: '123', name: 'Ada Lovelace' };
const declined: Verdict = { result: 'declined', code: 'card_declined', message: 'The card was declined' };

function caller(aheadMs = 0) {
  const { context } = server();
  return { ...withFreshEntityManager(context), clock: { now: () => new Date(Date.now() + aheadMs) } };
}

const asOwn = <Result>(work: (context: WriteContext) => Promise<Result>) => inTransaction(caller(), work);

const moneyIn = ({ id }: TestMerchant) => moneyOf(server().database, id);

async function submit(merchant: TestMerchant, reference = 'order-1042'): Promise<string> {
  const { accessCode } = await startCheckout(merchant, reference);
  const { attempt } = await asOwn((context) =>
    submitAttempt(context, accessCode, { card: { brand: 'visa', last4: '4242' } }),
  );
  if (!attempt) throw new Error('The checkout refused its first card.');
  return attempt.id;
}

const settle = (attemptId: string, verdict: Verdict) => asOwn((context) => settlePayment(context, attemptId, verdict));

test.afterEach.always('the ledger keeps its invariants', async (t) => {
  t.deepEqual(await ledgerBreaches(server()), []);
});

test.serial('an attempt that is settled ten times concurrently is credited once and has one event', async (t) => {
  const merchant = await server().createMerchant();
  const attemptId = await submit(merchant);

  await Promise.all(rounds.map(() => settle(attemptId, paid)));

  const { balances, payments, events } = await moneyIn(merchant);
  t.deepEqual(balances, { 'NGN collection': 500_000, 'NGN processor_clearing': -500_000 });
  t.deepEqual(payments, ['order-1042 completed 1']);
  t.deepEqual(events, ['order-1042 checkout.success']);
});

test.serial('a third decline that is reported ten times concurrently publishes one event', async (t) => {
  const merchant = await server().createMerchant();
  const { checkoutUrl, accessCode } = await startCheckout(merchant);
  for (let decline = 1; decline <= 2; decline += 1) await payByForm(checkoutUrl, '4000000000000002');
  const { attempt } = await asOwn((context) =>
    submitAttempt(context, accessCode, { card: { brand: 'visa', last4: '0002' } }),
  );

  await Promise.all(rounds.map(() => settle(attempt?.id ?? '', declined)));

  const { payments, events } = await moneyIn(merchant);
  t.deepEqual(payments, ['order-1042 failed 3']);
  t.deepEqual(events, ['order-1042 checkout.failed']);
});

const captured: Verdict[] = [paid, declined, { result: 'cancelled' }, paid];

test.serial('a paid attempt is credited once, even if other verdicts about it arrive concurrently', async (t) => {
  const merchant = await server().createMerchant();
  const attempts = await Promise.all(rounds.map((round) => submit(merchant, `order-100${round}`)));

  await Promise.all(attempts.flatMap((id) => captured.map((verdict) => settle(id, verdict))));

  const { events, ...money } = await moneyIn(merchant);
  const { events: completions, ...completed } = tenCompleted('order-100');
  t.deepEqual(money, completed);
  const isCompletion = (event: string) => event.endsWith('checkout.success');
  t.deepEqual(events.filter(isCompletion), completions);
  // If `cancelled` is the first verdict, the payment expires before the race.
  const expiries = events.filter((event) => !isCompletion(event));
  t.deepEqual(
    expiries,
    rounds.map((round) => `order-100${round} checkout.expired expired`).filter((event) => expiries.includes(event)),
  );
});

test.serial('a paid attempt is credited once, even if its verdict arrives after the payment has ended', async (t) => {
  const merchant = await server().createMerchant();
  const attempts = await Promise.all(rounds.map((round) => submit(merchant, `order-100${round}`)));
  await Promise.all(attempts.map((id) => settle(id, { result: 'cancelled' })));
  const { payments, events } = await moneyIn(merchant);

  await Promise.all(attempts.flatMap((id) => [settle(id, paid), settle(id, declined), settle(id, paid)]));

  t.deepEqual(
    payments,
    rounds.map((round) => `order-100${round} expired 1`),
  );
  t.deepEqual(
    events,
    rounds.map((round) => `order-100${round} checkout.expired expired`),
  );
  const completed = tenCompleted('order-100');
  t.deepEqual(await moneyIn(merchant), { ...completed, events: [...events, ...completed.events].sort() });
});

function tenCompleted(prefix: string): Money {
  return {
    balances: { 'NGN collection': 5_000_000, 'NGN processor_clearing': -5_000_000 },
    payments: rounds.map((round) => `${prefix}${round} completed 1`),
    declined: [],
    transfers: [],
    refunds: [],
    events: rounds.map((round) => `${prefix}${round} checkout.success`),
  };
}

test.serial('when a decline and the expiry race, the payment fails, with one event', async (t) => {
  const merchant = await server().createMerchant();
  const attempts = await Promise.all(rounds.map((round) => submit(merchant, `order-200${round}`)));
  const expire = () => expireCheckouts(caller(2 * 86_400_000));

  await Promise.all(attempts.flatMap((id) => [settle(id, declined), expire()]));
  await expire();

  const { payments, events } = await moneyIn(merchant);
  t.deepEqual(
    payments,
    rounds.map((round) => `order-200${round} failed 1`),
  );
  t.deepEqual(
    events,
    rounds.map((round) => `order-200${round} checkout.failed`),
  );
});

/** The merchant must be credited exactly what this processor captured. */
function createCapturingProcessor() {
  const captures: { reference: string; amount: bigint }[] = [];
  const unexpectedCall = () =>
    Promise.reject(new Error('The processor of this test got a call that is not a capture.'));
  const processor: CardProcessor = {
    name: 'bank',
    takes: 'card',
    testCards: [],
    async start({ reference, amount, currency }) {
      captures.push({ reference, amount });
      return { result: 'paid', amount, currency };
    },
    status: unexpectedCall,
    cancel: unexpectedCall,
    finishStep: unexpectedCall,
    ...withoutRefunds,
  };
  return { captures, processor };
}

test.serial(
  'when a card, a cancellation and the expiry race, the merchant is credited exactly what was paid',
  async (t) => {
    const merchant = await server().createMerchant();
    const { captures, processor } = createCapturingProcessor();
    const principal = { merchantId: merchant.id, mode: 'test', currency: 'NGN', scopes: null } as const;
    const actor = { type: 'key', apiKeyId: merchant.id } as const;
    const capture = (attemptId: string) =>
      startAttempt({ ...caller(), processors: { test: processor } }, attemptId, { card });
    const cancel = (reference: string) =>
      inTransaction({ ...caller(), principal: { ...principal, actor } }, (tx) => cancelCheckout(tx, reference));
    const end = (reference: string) => [cancel(reference), expireCheckouts(caller(2 * 86_400_000))];
    const begin = (accessCode: string) =>
      asOwn((tx) => submitAttempt(tx, accessCode, { card: { brand: 'visa', last4: '4242' } }));
    const pay = async (accessCode: string) => {
      const { attempt } = await begin(accessCode);
      if (attempt) await capture(attempt.id);
    };
    const checkouts = await Promise.all(rounds.map((round) => startCheckout(merchant, `order-300${round}`)));
    // Three payments have an open attempt before the race, three are never paid, and four can be paid, cancelled and
    // expired.
    const [decided, unpaid, open] = [checkouts.slice(0, 3), checkouts.slice(3, 6), checkouts.slice(6)];
    const attempts = (await Promise.all(decided.map(({ accessCode }) => begin(accessCode)))).map(
      ({ attempt }) => attempt?.id ?? '',
    );

    const outcomes = await Promise.allSettled([
      ...attempts.map(capture),
      ...[...decided, ...open, ...open].map(({ accessCode }) => pay(accessCode)),
      ...[...decided, ...unpaid, ...open].flatMap(({ reference }) => end(reference)),
    ]);
    await expireCheckouts(caller(2 * 86_400_000));

    const errorCodes = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason.code] : []));
    const expected = ['payment_already_final', 'payment_in_progress'];
    t.true(errorCodes.length > 0);
    t.deepEqual(
      [...new Set(errorCodes)].filter((code) => !expected.includes(code)),
      [],
    );
    const paidFor = captures.map(({ reference }) => reference).sort();
    const total = captures.reduce((sum, { amount }) => sum + Number(amount), 0);
    t.deepEqual(paidFor, [...new Set(paidFor)], 'no payment is charged twice');
    t.deepEqual(paidFor.slice(0, 3), ['order-3000', 'order-3001', 'order-3002']);
    const ended = (ifPaid: string, ifNot: string) =>
      rounds
        .map((round) => `order-300${round}`)
        .map((reference) => `${reference} ${paidFor.includes(reference) ? ifPaid : ifNot}`);
    const { events, ...money } = await moneyIn(merchant);
    t.deepEqual(money, {
      balances: { 'NGN collection': total, 'NGN processor_clearing': -total },
      payments: ended('completed 1', 'expired 0'),
      declined: [],
      transfers: [],
      refunds: [],
    });
    // Either the cancellation or the expiry ends a payment that is not paid.
    const withoutReasons = events.map((event) => event.replace(/ (expired|cancelled)$/, ''));
    t.deepEqual(withoutReasons, ended('checkout.success', 'checkout.expired'));
  },
);

test.serial(
  'a payment on the hosted page is credited once, even if the test operation completes it concurrently',
  async (t) => {
    const merchant = await server().createMerchant();
    const { checkoutUrl, reference } = await startCheckout(merchant);
    const errorCodes: string[] = [];

    await Promise.all([
      payByForm(checkoutUrl, '4242424242424242'),
      payByForm(checkoutUrl, '4242424242424242'),
      merchant.client.testHelpers.completePayment(reference).catch(({ code }) => errorCodes.push(code)),
    ]);

    t.true(
      errorCodes.every((code) => code === 'payment_already_final'),
      errorCodes.join(),
    );
    t.is((await merchant.client.wallets.list()).wallets[0]?.available, 500_000);
    t.is((await merchant.client.wallets.listEntries('collection')).total, 1);
  },
);

/** A server that runs no jobs, so that only the tests settle refunds. */
const withoutJobs = serverWithContext({ ...wholePool, ROLE: 'api' });
const order = 'order-1042';

test.afterEach.always('the ledger keeps its invariants', async (t) => {
  t.deepEqual(await ledgerBreaches(withoutJobs()), []);
});

const codesOf = (outcomes: PromiseSettledResult<unknown>[]) =>
  outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason.code] : []));

const settleRefundAs = (id: string, verdict: RefundVerdict) =>
  inTransaction(withFreshEntityManager(withoutJobs().context), (tx) => settleRefund(tx, id, verdict));

test.serial(
  'of 50 concurrent refunds of 30 each, of one payment of 1,000, exactly 33 are created, and the amount 10 is left',
  async (t) => {
    const { client } = await paidMerchant(withoutJobs(), 1000);
    const refund = () => client.refunds.create(order, { amount: 30 });

    const outcomes = await Promise.allSettled(Array.from({ length: 50 }, refund));

    t.deepEqual(codesOf(outcomes), Array(17).fill('refund_exceeds_payment'));
    t.is((await client.refunds.list()).total, 33);
    t.is((await client.payments.get(order)).amountRefunded, 990);
    t.like((await client.wallets.list()).wallets[0], { available: 10, reserved: 990 });
  },
);

test.serial(
  'of 20 concurrent refunds of the whole remaining amount of a payment, exactly one is created',
  async (t) => {
    const { client } = await paidMerchant(withoutJobs(), 1000);

    const outcomes = await Promise.allSettled(Array.from({ length: 20 }, () => client.refunds.create(order)));

    t.deepEqual(codesOf(outcomes), Array(19).fill('refund_exceeds_payment'));
    t.is((await client.payments.get(order)).amountRefunded, 1000);
  },
);

test.serial('refunds and top-ups that compete for the same funds spend each unit once', async (t) => {
  const merchant = await paidMerchant(withoutJobs(), 1000);
  const { client } = merchant;
  const one = (index: number) =>
    index % 2 ? client.refunds.create(order, { amount: 70 }) : client.wallets.topUp({ amount: 70 });

  const outcomes = await Promise.allSettled(Array.from({ length: 30 }, (_, index) => one(index)));

  // The funds of 1,000 are enough for only 14 movements of 70.
  t.deepEqual(codesOf(outcomes), Array(16).fill('insufficient_funds'));
  const { total } = await client.refunds.list();
  t.is((await client.payments.get(order)).amountRefunded, 70 * total);
  const [collection, transfer] = (await client.wallets.list()).wallets;
  t.deepEqual([collection?.available, collection?.reserved, transfer?.available], [20, 70 * total, 980 - 70 * total]);
});

test.serial('concurrent refunds of several payments, top-ups and transfers all succeed', async (t) => {
  const merchant = await withoutJobs().createMerchant();
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
      settleRefundAs(id, round % 2 ? lost : done),
      client.transfers.create({ reference: `payout-${round}`, amount: 100, recipient: recipient() }),
      client.refunds.create(reference, { amount: 200 }),
    ]);
  };

  await Promise.all(Array.from({ length: 10 }, (_, round) => storm(round)));

  // There are ten payments of 1,000. Five refunds of 300 are paid, ten refunds of 200 are open, and ten transfers of
  // 100 are reserved.
  t.deepEqual((await moneyOf(withoutJobs().database, merchant.id)).balances, {
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

/** More than one final status is allowed only where the order of the verdicts decides the status of the refund. */
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
  const { balances, events } = await moneyOf(withoutJobs().database, id);
  return { balances, events };
};

for (const [verdicts, ...mayEnd] of saidAtOnce) {
  const said = verdicts.map(({ result }) => result).join(', ');
  test.serial(`a refund that is concurrently reported as ${said} is settled once`, async (t) => {
    const merchants = await Promise.all(Array.from({ length: 5 }, () => paidMerchant(withoutJobs(), 1000)));
    const race = async ({ client }: TestMerchant) => {
      const { id } = await client.refunds.create(order, { amount: 300, reference: 'refund-1' });
      await Promise.all(verdicts.map((verdict) => settleRefundAs(id, verdict)));
    };

    await Promise.all(merchants.map(race));

    for (const after of await Promise.all(merchants.map(moneyAfter))) {
      t.deepEqual(after, mayEnd.find((end) => isDeepStrictEqual(end, after)) ?? mayEnd[0]);
    }
  });
}
