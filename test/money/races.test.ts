/** Whoever comes at once: money moves as if they had come one after another, and whoever is first is right. */
import { ofItsOwn, type WriteContext } from '@tillhook/server/src/context.ts';
import { inTransaction } from '@tillhook/server/src/database/transaction.ts';
import { settleAttempt, submitAttempt } from '@tillhook/server/src/payments/attempts.service.ts';
import { cancelCheckout } from '@tillhook/server/src/payments/checkout.service.ts';
import { expireCheckouts } from '@tillhook/server/src/payments/expire-checkouts.job.ts';
import type { PayoutVerdict, Verdict } from '@tillhook/server/src/processors/port.ts';
import { settleTransfer } from '@tillhook/server/src/transfers/payouts.service.ts';
import test from 'ava';
import { payByForm } from '../support/hosted-page.ts';
import { faultsOfLedger, moneyOf } from '../support/ledger.ts';
import { startCheckout } from '../support/payments.ts';
import { serverForFile, type TestMerchant } from '../support/tillhook.ts';
import { chargeFee, fundedMerchant, recipient, transferOnceIn } from '../support/transfers.ts';

const server = serverForFile();

const rounds = Array.from({ length: 10 }, (_, round) => round);
const paid: Verdict = { result: 'paid', amount: 500_000n, currency: 'NGN' };
const declined: Verdict = { result: 'declined', code: 'card_declined', message: 'The card was declined' };

/** Context of a caller of its own, whose clock may be ahead. */
function caller(aheadMs = 0) {
  const { context } = server();
  return { ...ofItsOwn(context), clock: { now: () => new Date(Date.now() + aheadMs) } };
}

const asOwn = <Result>(work: (context: WriteContext) => Promise<Result>) => inTransaction(caller(), work);

const moneyIn = ({ id }: TestMerchant) => moneyOf(server().database, id);

/** The attempt of a payment that is being decided. */
async function submit(merchant: TestMerchant, reference = 'order-1042'): Promise<string> {
  const { accessCode } = await startCheckout(merchant, reference);
  const { attempt } = await asOwn((context) =>
    submitAttempt(context, accessCode, { card: { brand: 'visa', last4: '4242' } }),
  );
  if (!attempt) throw new Error('The first card of a checkout is taken.');
  return attempt.id;
}

const settle = (attemptId: string, verdict: Verdict) => asOwn((context) => settleAttempt(context, attemptId, verdict));

test.afterEach.always('the books are right', async (t) => {
  t.deepEqual(await faultsOfLedger(server()), []);
});

test.serial('an attempt that ten settle at once is credited and told once', async (t) => {
  const merchant = await server().createMerchant();
  const attemptId = await submit(merchant);

  await Promise.all(rounds.map(() => settle(attemptId, paid)));

  const { balances, payments, events } = await moneyIn(merchant);
  t.deepEqual(balances, { 'NGN collection': 500_000, 'NGN processor_clearing': -500_000 });
  t.deepEqual(payments, ['order-1042 completed 1']);
  t.deepEqual(events, ['order-1042 checkout.success']);
});

test.serial('a third decline that ten bring at once is told once', async (t) => {
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

test.serial('verdicts that contradict each other at once credit what was completed, and nothing else', async (t) => {
  const merchant = await server().createMerchant();
  const attempts = await Promise.all(rounds.map((round) => submit(merchant, `order-100${round}`)));

  await Promise.all(attempts.flatMap((id) => [settle(id, paid), settle(id, declined), settle(id, paid)]));

  const { balances, payments, events } = await moneyIn(merchant);
  const completed = payments.filter((payment) => payment.includes('completed')).length;
  t.is(balances['NGN collection'] ?? 0, completed * 500_000);
  t.is(events.filter((event) => event.endsWith('checkout.success')).length, completed);
});

test.serial('a decline and the end of its time at once leave it failed, and told once', async (t) => {
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

test.serial('a card, a cancellation and the end of its time at once: one of them is first', async (t) => {
  const merchant = await server().createMerchant();
  const principal = { merchantId: merchant.id, mode: 'test', currency: 'NGN', scopes: null } as const;
  const actor = { type: 'key', apiKeyId: merchant.id } as const;
  const race = async (round: number) => {
    const { accessCode, reference } = await startCheckout(merchant, `order-300${round}`);
    const pay = async () => {
      const { attempt } = await asOwn((context) =>
        submitAttempt(context, accessCode, { card: { brand: 'visa', last4: '4242' } }),
      );
      if (attempt) await settle(attempt.id, paid);
    };
    const cancel = () =>
      inTransaction({ ...caller(), principal: { ...principal, actor } }, (context) =>
        cancelCheckout(context, reference),
      );
    await Promise.allSettled([pay(), cancel(), expireCheckouts(caller(2 * 86_400_000)), pay()]);
  };

  await Promise.all(rounds.map(race));

  const { balances, payments, events } = await moneyIn(merchant);
  const completed = payments.filter((payment) => payment.endsWith('completed 1')).length;
  const expired = payments.filter((payment) => payment.endsWith('expired 0')).length;
  t.is(completed + expired, rounds.length, payments.join());
  t.is(balances['NGN collection'] ?? 0, completed * 500_000);
  t.is(events.length, completed);
});

const failure = { code: 'account_closed', message: 'Closed' };
const payoutVerdicts: PayoutVerdict[] = [
  { result: 'completed' },
  { result: 'failed', ...failure },
  { result: 'processing' },
  { result: 'reversed', ...failure },
  { result: 'failed', ...failure },
  { result: 'completed' },
];

const settlePayout = (transferId: string, verdict: PayoutVerdict) =>
  asOwn((context) => settleTransfer(context, transferId, verdict));

test.serial('a transfer that different verdicts settle at once ends in one way', async (t) => {
  const merchant = await fundedMerchant(server(), 10_000);
  await chargeFee(server(), merchant, 25);
  const create = (round: number) =>
    merchant.client.transfers.create({ reference: `payout-${round}`, amount: 300, recipient: recipient('0000000002') });
  const transfers = await Promise.all(rounds.map(create));

  await Promise.all(transfers.flatMap(({ id }) => payoutVerdicts.map((verdict) => settlePayout(id, verdict))));

  const { balances, transfers: ended, events } = await moneyIn(merchant);
  const [failed, reversed] = ['failed', 'reversed'].map(
    (status) => ended.filter((transfer) => transfer.endsWith(` ${status} 25`)).length,
  );
  // Whoever completes it, the reversal that was told as well comes after.
  t.is((failed ?? 0) + (reversed ?? 0), rounds.length, ended.join());
  t.is(balances['NGN transfer'], 10_000 - 25 * (reversed ?? 0));
  t.is(balances['NGN transfer_reserved'] ?? 0, 0);
  t.is(events.length, (failed ?? 0) + 2 * (reversed ?? 0));
});

test.serial(
  'payments, top-ups, transfers and verdicts of one merchant at once lose nothing and refuse nobody',
  async (t) => {
    const merchant = await fundedMerchant(server(), 1000);
    const { client } = merchant;
    const storm = async (round: number) => {
      await client.testHelpers.completePayment((await startCheckout(merchant, `order-400${round}`)).reference);
      await client.wallets.topUp({ amount: 1000, reference: `top-up-${round}` });
      const order = { reference: `payout-${round}`, amount: 900, recipient: recipient('0000000002') };
      const { id } = await client.transfers.create(order);
      await Promise.all(payoutVerdicts.slice(round % 3, (round % 3) + 2).map((verdict) => settlePayout(id, verdict)));
    };

    await Promise.all(rounds.map(storm));

    const { balances, events } = await moneyIn(merchant);
    t.is(balances['NGN collection'], 10 * 499_000);
    t.is(balances['NGN transfer_reserved'] ?? 0, 0);
    t.is((balances['NGN transfer'] ?? 0) + (balances['NGN payout_clearing'] ?? 0), 11_000);
    t.is(events.filter((event) => event.endsWith('checkout.success')).length, rounds.length);
  },
);

test.serial('of 50 transfers of 30 at once from 1,000, exactly 33 are made and 10 are left', async (t) => {
  const { client } = await fundedMerchant(server(), 1000);
  const transfer = (_: unknown, index: number) =>
    client.transfers.create({ reference: `payout-${index}`, amount: 30, recipient: recipient() });

  const outcomes = await Promise.allSettled(Array.from({ length: 50 }, transfer));

  const refusals = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason.code] : []));
  t.deepEqual(refusals, Array(17).fill('insufficient_funds'));
  t.is((await client.transfers.list()).total, 33);
  t.is((await client.wallets.list()).wallets[1]?.available, 10);
});

test.serial('top-ups and transfers at once leave nothing over and nothing missing', async (t) => {
  const merchant = await server().createMerchant();
  const { client } = merchant;
  await client.testHelpers.completePayment((await startCheckout(merchant)).reference);

  await Promise.allSettled(
    Array.from({ length: 20 }, async (_, index) => {
      await client.wallets.topUp({ amount: 25_000, reference: `top-up-${index}` });
      const accountNumber = index % 2 ? '0000000001' : '0000000000';
      const details = { amount: 25_000, recipient: recipient(accountNumber) };
      await client.transfers.create({ reference: `payout-${index}`, ...details });
    }),
  );

  for (let index = 0; index < 20; index += 1) {
    await transferOnceIn(index % 2 ? 'failed' : 'completed', merchant, `payout-${index}`);
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

test.serial('a payment on the hosted page is credited once, whoever else settles it', async (t) => {
  const merchant = await server().createMerchant();
  const { checkoutUrl, reference } = await startCheckout(merchant);

  await Promise.all([
    payByForm(checkoutUrl, '4242424242424242'),
    payByForm(checkoutUrl, '4242424242424242'),
    merchant.client.testHelpers.completePayment(reference).catch(() => null),
  ]);

  t.is((await merchant.client.wallets.list()).wallets[0]?.available, 500_000);
  t.is((await merchant.client.wallets.listEntries('collection')).total, 1);
});
