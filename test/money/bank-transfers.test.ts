import { withFreshEntityManager } from '@tillhook/server/src/context.ts';
import { askAboutPayments } from '@tillhook/server/src/money/payments/ask-about-payments.job.ts';
import { expireCheckouts } from '@tillhook/server/src/money/payments/expire-checkouts.job.ts';
import { listPaymentsForReview, resolvePayment } from '@tillhook/server/src/money/payments/reviews.service.ts';
import { settlePayment } from '@tillhook/server/src/money/payments/settle-payment.service.ts';
import { askAboutRefunds } from '@tillhook/server/src/money/refunds/ask-about-refunds.job.ts';
import { inTransaction } from '@tillhook/server/src/platform/database/transaction.ts';
import test from 'ava';
import { payByForm, submitPage } from '../support/money/hosted-page.ts';
import { ledgerBreaches } from '../support/money/ledger.ts';
import { makeAttemptsDue, publishedEvents, startCheckout } from '../support/money/payments.ts';
import { makeRefundsDue } from '../support/money/refunds.ts';
import { ownServerForFile, type TestMerchant } from '../support/server/tillhook.ts';

const server = ownServerForFile({ ROLE: 'api' });
const caller = () => withFreshEntityManager(server().context);

test.afterEach.always('the ledger keeps its invariants', async (t) => {
  t.deepEqual(await ledgerBreaches(server()), []);
});

async function begin() {
  const merchant = await server().createMerchant();
  const { checkoutUrl, reference } = await startCheckout(merchant);
  const { client } = merchant;
  return {
    merchant,
    checkoutUrl,
    client,
    choose: (fields: Record<string, string> = { method: 'bank_transfer' }) => submitPage(checkoutUrl, '', fields),
    receive: (amount = 500_000, bankReference?: string) =>
      client.test.receiveBankTransfer(reference, { amount, ...(bankReference && { bankReference }) }),
    payment: () => client.payments.get(reference),
    events: () => publishedEvents(server(), merchant),
    collected: async () => collectedBy(merchant),
    page: async () => (await fetch(checkoutUrl)).text(),
    firstAttempt: async () => {
      const [attempt] = await server().database.query<{ id: string }>(
        `select id from payment_attempt
         where payment_id in (select id from payment where merchant_id = $1) order by number`,
        [merchant.id],
      );
      return String(attempt?.id);
    },
    attempts: () =>
      server().database.query<{ line: string }>(
        `select concat_ws(' ', method, coalesce(outcome, 'open'), paid_amount) as line from payment_attempt
         where payment_id in (select id from payment where merchant_id = $1) order by number`,
        [merchant.id],
      ),
    paidInReview: async () => {
      const { id } = await client.payments.get(reference);
      const found = (await listPaymentsForReview(caller())).find(({ payment }) => payment.id === id);
      return found?.paid.map(({ paidAmount }) => paidAmount);
    },
    decide: async (as: 'completed' | 'failed') => {
      const { id } = await client.payments.get(reference);
      await inTransaction(caller(), (tx) => resolvePayment(tx, { id }, as));
    },
    expire: async () => {
      await server().database.query(
        `update payment set expires_at = now() - interval '1 second' where merchant_id = $1`,
        [merchant.id],
      );
      await expireCheckouts(caller());
      await makeAttemptsDue(server(), merchant);
      await askAboutPayments(caller());
    },
  };
}

async function collectedBy({ client }: TestMerchant): Promise<number> {
  const { wallets } = await client.wallets.list();
  return wallets.find(({ kind }) => kind === 'collection')?.available ?? 0;
}

const linesOf = (rows: { line: string }[]) => rows.map(({ line }) => line);

test.serial('a payment stays pending until the exact amount comes, and is then paid as by card', async (t) => {
  const { choose, receive, payment, events, collected, attempts } = await begin();

  await choose();

  t.like(await payment(), { status: 'pending', attempts: 0, paymentMethod: { type: 'bank_transfer' } });
  t.truthy((await payment()).checkoutUrl);
  t.deepEqual(await events(), []);
  const paid = await receive();
  t.like(paid, { status: 'completed', reviewReason: null, paymentMethod: { type: 'bank_transfer', brand: 'unknown' } });
  t.deepEqual(await events(), ['checkout.success to 0']);
  t.is(await collected(), 500_000);
  t.deepEqual(linesOf(await attempts()), ['bank_transfer paid 500000']);
});

test.serial('money that is reported twenty times at once is counted once', async (t) => {
  const { choose, receive, payment, events, collected, attempts } = await begin();
  await choose();

  await Promise.all(Array.from({ length: 20 }, () => receive(500_000, 'bank-1')));
  await receive(500_000, 'bank-1');

  t.like(await payment(), { status: 'completed', reviewReason: null });
  t.deepEqual(await events(), ['checkout.success to 0']);
  t.is(await collected(), 500_000);
  t.deepEqual(linesOf(await attempts()), ['bank_transfer paid 500000']);
});

test.serial('of ten transfers at once one is credited, and the review shows all of them', async (t) => {
  const { choose, receive, payment, collected, paidInReview, events } = await begin();
  await choose();

  await Promise.all(Array.from({ length: 10 }, (_, index) => receive(500_000, `bank-${index}`)));
  await receive(500_000, 'bank-3');

  t.like(await payment(), { status: 'completed', reviewReason: 'paid_twice' });
  t.is(await collected(), 500_000);
  t.deepEqual(await paidInReview(), Array(10).fill(500_000n));
  t.deepEqual(await events(), ['checkout.success to 0']);
});

for (const [what, amount] of [
  ['too little', 450_000],
  ['too much', 550_000],
] as const) {
  test.serial(`a payment for which ${what} came waits for an operator, and does not expire`, async (t) => {
    const { choose, receive, payment, collected, paidInReview, expire, decide, events } = await begin();
    await choose();

    t.like(await receive(amount), { status: 'processing', reviewReason: 'amount_mismatch', checkoutUrl: null });
    await expire();

    t.like(await payment(), { status: 'processing', reviewReason: 'amount_mismatch' });
    t.deepEqual(await paidInReview(), [BigInt(amount)]);
    t.is(await collected(), 0);
    await decide('completed');
    t.like(await payment(), { status: 'completed', reviewReason: null });
    t.is(await collected(), 500_000);
    t.deepEqual(await events(), ['checkout.success to 0']);
  });
}

test.serial('a payment by bank transfer is refunded like a payment by card', async (t) => {
  const { merchant, client, choose, receive, payment, collected, events } = await begin();
  await choose();
  await receive();

  await client.refunds.create((await payment()).reference, { amount: 200_000, reference: 'refund-1' });

  await makeRefundsDue(server(), merchant);
  await askAboutRefunds(caller());
  t.like(await client.refunds.get('refund-1'), { status: 'completed' });
  t.like(await payment(), { status: 'completed', amountRefunded: 200_000 });
  t.is(await collected(), 300_000);
  t.deepEqual(await events(), ['checkout.success to 0', 'refund.success to 0']);
});

test.serial(
  'money that comes in pieces is counted piece by piece, and credited once when the operator accepts it',
  async (t) => {
    const { choose, receive, payment, collected, paidInReview, decide, events } = await begin();
    await choose();

    await receive(300_000);
    await receive(200_000);

    t.like(await payment(), { status: 'processing', reviewReason: 'amount_mismatch' });
    t.deepEqual(await paidInReview(), [300_000n, 200_000n]);
    t.is(await collected(), 0);
    await decide('completed');
    t.like(await payment(), { status: 'completed', reviewReason: null });
    t.is(await collected(), 500_000);
    t.deepEqual(await events(), ['checkout.success to 0']);
  },
);

test.serial('a payment for which too little came fails if the operator refuses it', async (t) => {
  const { choose, receive, payment, collected, decide, events } = await begin();
  await choose();
  await receive(1);

  await decide('failed');

  t.like(await payment(), { status: 'failed', failureCode: 'amount_mismatch', reviewReason: null });
  t.is(await collected(), 0);
  t.deepEqual(await events(), ['checkout.failed to 0']);
});

test.serial(
  'the exact amount after too little completes the payment, and the first money stays under review',
  async (t) => {
    const { choose, receive, payment, collected, paidInReview } = await begin();
    await choose();
    await receive(450_000);

    await receive(500_000);

    t.like(await payment(), { status: 'completed', reviewReason: 'amount_mismatch' });
    t.is(await collected(), 500_000);
    t.deepEqual(await paidInReview(), [450_000n, 500_000n]);
  },
);

for (const [as, status, credited, told] of [
  ['completed', 'completed', 500_000, ['checkout.expired expired to 0', 'checkout.success to 0']],
  ['failed', 'expired', 0, ['checkout.expired expired to 0']],
] as const) {
  test.serial(`money after the expiry is kept for a decision, and the payment is ${status} afterwards`, async (t) => {
    const { choose, receive, payment, collected, expire, decide, events, attempts } = await begin();
    await choose();
    await expire();
    t.like(await payment(), { status: 'expired', reviewReason: null });
    t.deepEqual(linesOf(await attempts()), ['bank_transfer cancelled']);

    await receive();

    t.like(await payment(), { status: 'expired', reviewReason: 'paid_late' });
    t.is(await collected(), 0);
    await decide(as);
    t.like(await payment(), { status, reviewReason: null });
    t.is(await collected(), credited);
    t.deepEqual(await events(), [...told]);
  });
}

test.serial('money that comes after the customer chose another way still pays the payment', async (t) => {
  const { checkoutUrl, choose, receive, payment, collected, attempts } = await begin();
  await choose();

  await fetch(`${checkoutUrl}/back`);
  t.like(await payment(), { status: 'pending', attempts: 0, paymentMethod: null });
  await receive();

  t.like(await payment(), { status: 'completed', reviewReason: null });
  t.is(await collected(), 500_000);
  t.deepEqual(linesOf(await attempts()), ['bank_transfer paid 500000']);
});

test.serial('a transfer after a payment by card is money that was paid twice', async (t) => {
  const { checkoutUrl, choose, receive, payment, collected } = await begin();
  await choose();
  await fetch(`${checkoutUrl}/back`);
  await payByForm(checkoutUrl, '4242424242424242');

  await receive();

  t.like(await payment(), { status: 'completed', reviewReason: 'paid_twice', paymentMethod: { type: 'card' } });
  t.is(await collected(), 500_000);
});

test.serial('no card is charged while a payment waits for a transfer', async (t) => {
  const { checkoutUrl, choose, payment, collected } = await begin();
  await choose();

  await submitPage(checkoutUrl, '', { cardNumber: '4242424242424242', expiry: '12 / 40', cvc: '123', cardName: 'Ada' });

  t.like(await payment(), { status: 'pending', paymentMethod: { type: 'bank_transfer' } });
  t.is(await collected(), 0);
});

test.serial('a merchant cancels a payment that waits for a transfer, and later money is under review', async (t) => {
  const { client, choose, receive, payment, events, attempts, collected } = await begin();
  await choose();
  const { reference } = await payment();

  t.like(await client.payments.cancel(reference), { status: 'expired', cancelledBy: 'merchant' });

  t.deepEqual(linesOf(await attempts()), ['bank_transfer cancelled']);
  t.like(await receive(), { status: 'expired', reviewReason: 'paid_late' });
  t.deepEqual(await events(), ['checkout.expired cancelled to 0']);
  t.is(await collected(), 0);
});

test.serial('a test helper decides at once about all money that came after the end', async (t) => {
  const { client, choose, receive, payment, collected } = await begin();
  await choose();
  const { reference } = await payment();
  await client.payments.cancel(reference);
  t.like(await receive(450_000), { status: 'expired', reviewReason: 'amount_mismatch' });
  await receive();

  t.like(await client.test.completePayment(reference), { status: 'completed', reviewReason: null });

  t.is(await collected(), 500_000);
});

test.serial('a customer who leaves after a decline does not end a payment that waits for a transfer', async (t) => {
  const { checkoutUrl, choose, payment, receive } = await begin();
  await payByForm(checkoutUrl, '4000000000000002');
  await choose();

  await submitPage(checkoutUrl, '/return', {});

  t.like(await payment(), { status: 'pending', failureCode: 'card_declined' });
  t.like(await receive(), { status: 'completed', failureCode: null });
});

test.serial('a verdict of the processor and the money settle a payment once when they race', async (t) => {
  const { choose, receive, payment, collected, events, firstAttempt } = await begin();
  await choose();
  const attempt = await firstAttempt();
  const cancelled = () => inTransaction(caller(), (tx) => settlePayment(tx, attempt, { result: 'cancelled' }));

  await Promise.all([cancelled(), receive(500_000, 'bank-1'), cancelled(), receive(500_000, 'bank-1')]);

  t.like(await payment(), { status: 'completed', reviewReason: null });
  t.is(await collected(), 500_000);
  t.deepEqual(await events(), ['checkout.success to 0']);
});

test.serial('the page of an ended payment for which money came does not say that nothing was charged', async (t) => {
  const { choose, receive, expire, decide, page } = await begin();
  await choose();
  await expire();
  t.regex(await page(), /This link has expired.*Nothing was charged/s);

  await receive(450_000);

  t.regex(await page(), /We are checking your payment.*The amount that came is not/s);
  await decide('failed');
  t.regex(await page(), /This link has expired.*If you were charged, we are checking your payment/s);
});

for (const [order, status] of [
  ['before the operator refuses the money', 'failed'],
  ['after it', 'expired'],
] as const) {
  test.serial(`money on an earlier account holds a payment whose later account is given up ${order}`, async (t) => {
    const { checkoutUrl, choose, payment, decide, attempts, page, firstAttempt } = await begin();
    const goBack = () => fetch(`${checkoutUrl}/back`);
    await choose();
    await goBack();
    await choose();
    const money = { result: 'paid', amount: 450_000n, currency: 'NGN', depositId: 'bank-1' } as const;
    const earlier = await firstAttempt();
    await inTransaction(caller(), (tx) => settlePayment(tx, earlier, money));
    t.true((await page()).includes('We are checking your payment'));

    if (status === 'failed') {
      await goBack();
      t.like(await payment(), { status: 'processing', attempts: 0, reviewReason: 'amount_mismatch' });
    }
    await decide('failed');
    if (status === 'expired') await goBack();

    t.deepEqual(linesOf(await attempts()), ['bank_transfer paid 450000', 'bank_transfer cancelled']);
    t.like(await payment(), { status, attempts: 0, reviewReason: null });
  });
}

test.serial('the last digits of an account number with spaces are four digits', async (t) => {
  const { client } = await server().createMerchant();
  const { data } = await client.checkout.create({ email: 'ada@example.com', amount: 500_000, currency: 'EUR' });

  await submitPage(data.checkoutUrl, '', { method: 'bank_transfer' });

  const { paymentMethod } = await client.payments.get(data.reference);
  t.is(paymentMethod?.type, 'bank_transfer');
  t.regex(paymentMethod?.last4 ?? '', /^\d{4}$/);
});
