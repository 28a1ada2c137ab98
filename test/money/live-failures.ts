/** `live-payments.test.ts` runs these tests on its server. */
import { withFreshEntityManager } from '@tillhook/server/src/context.ts';
import { askAboutPayments } from '@tillhook/server/src/money/payments/ask-about-payments.job.ts';
import { settlePayment } from '@tillhook/server/src/money/payments/settle-payment.service.ts';
import { inTransaction } from '@tillhook/server/src/platform/database/transaction.ts';
import test from 'ava';
import { makeAttemptsDue } from '../support/money/payments.ts';
import {
  goToStripe,
  goToStripeTwice,
  liveCheckout,
  runSettleUndecided,
  sendStripeEvent,
  server,
  stripe,
} from '../support/processors/live-payments.ts';

const makeExpired = (reference: string) =>
  server().database.query(`update payment set expires_at = now() - interval '1 second' where reference = $1`, [
    reference,
  ]);

test.serial('after a lost answer of Stripe the page asks Stripe again, and gets the same session', async (t) => {
  const checkout = await liveCheckout();
  const before = stripe.sessions.length;
  stripe.failNext('answer lost');

  const { html, session } = await goToStripe(checkout);

  t.is(stripe.sessions.length, before + 1);
  t.true(html.includes(`href="${session.url}"`));
  t.like(await checkout.payment(), { status: 'processing', attempts: 1 });
});

for (const failure of [
  'request lost',
  { status: 503, error: { type: 'api_error' } },
  { status: 401, error: {} },
  { status: 409, error: { type: 'invalid_request_error', code: 'idempotency_key_in_use' } },
] as const) {
  test.serial(
    `${JSON.stringify(failure)}: the payment is neither paid nor declined, and a job asks Stripe again`,
    async (t) => {
      const checkout = await liveCheckout();
      for (let once = 0; once < 2; once += 1) stripe.failNext(failure);
      await fetch(checkout.checkoutUrl);
      await goToStripe(checkout).catch(() => null);

      t.like(await checkout.payment(), { status: 'processing', attempts: 1 });
      await runSettleUndecided(checkout.merchant);
      await runSettleUndecided(checkout.merchant);
      const session = stripe.sessions.at(-1) ?? t.fail();
      t.is(session.client_reference_id, checkout.reference);
      stripe.pay(session);
      await sendStripeEvent('checkout.session.completed', session);
      t.is((await checkout.payment()).status, 'completed');
    },
  );
}

test.serial(
  'while Stripe does not answer, the page says so; later the page redirects the customer to Stripe, and the merchant can cancel',
  async (t) => {
    const checkout = await liveCheckout();
    for (let once = 0; once < 2; once += 1) stripe.failNext({ status: 401, error: {} });

    const { html } = await goToStripe(checkout).catch(() => ({ html: '' }));
    t.regex(html, /Reaching the payment page/);
    t.notRegex(html, /do not pay again/);
    await makeAttemptsDue(server(), checkout.merchant);
    const page = await (await fetch(`${checkout.checkoutUrl}?step=onward`)).text();
    t.true(page.includes(`href="${stripe.sessions.at(-1)?.url}"`));

    const other = await liveCheckout();
    for (let once = 0; once < 2; once += 1) stripe.failNext({ status: 401, error: {} });
    await goToStripe(other).catch(() => null);
    t.like(await other.merchant.liveClient.payments.cancel(other.reference), { status: 'expired', attempts: 0 });
  },
);

test.serial(
  'if Stripe refuses to create a session, the attempt is declined, and the page says that it was declined',
  async (t) => {
    const checkout = await liveCheckout();
    stripe.failNext({
      status: 400,
      error: { type: 'invalid_request_error', code: 'amount_too_small', message: 'Too small' },
    });

    const response = await goToStripe(checkout).catch(() => null);

    t.regex(response?.html ?? '', /The card could not be processed/);
    t.like(await checkout.payment(), { status: 'pending', attempts: 1, failureCode: 'processing_error' });
  },
);

test.serial(
  'a customer who comes back from Stripe without paying may try again, and no attempt is counted',
  async (t) => {
    const checkout = await liveCheckout();
    for (let round = 0; round < 4; round += 1) {
      const { session } = await goToStripe(checkout);
      const page = await (await fetch(`${checkout.checkoutUrl}/back`)).text();
      t.is(session.status, 'expired');
      t.regex(page, /Continue to pay/);
      // Stripe also sends events about our own calls, often before we have saved their result.
      await sendStripeEvent('checkout.session.expired', session);
      t.like(await checkout.payment(), { status: 'pending', attempts: 0 });
    }
    const { session } = await goToStripe(checkout);
    stripe.pay(session);
    await sendStripeEvent('checkout.session.completed', session);

    t.like(await checkout.payment(), { status: 'completed', attempts: 1 });
    t.deepEqual(await checkout.events(), ['checkout.success to 1']);
  },
);

test.serial(
  'a customer who pays and then opens the link for returning without payment sees that the payment is completed',
  async (t) => {
    const checkout = await liveCheckout();
    const { session } = await goToStripe(checkout);
    stripe.pay(session);

    const page = await (await fetch(`${checkout.checkoutUrl}/back`)).text();

    t.regex(page, /Already paid/);
    t.is((await checkout.payment()).status, 'completed');
  },
);

test.serial('a prefetch of the link for returning without payment does not cancel the attempt', async (t) => {
  const checkout = await liveCheckout();
  const { session } = await goToStripe(checkout);

  await fetch(`${checkout.checkoutUrl}/back`, { headers: { 'sec-purpose': 'prefetch;prerender' } });

  t.is(session.status, 'open');
  t.is((await checkout.payment()).status, 'processing');
});

test.serial(
  'when a payment expires, its Stripe session expires too, and the payment does not get the status failed',
  async (t) => {
    const checkout = await liveCheckout();
    const { session } = await goToStripe(checkout);
    await makeExpired(checkout.reference);

    await runSettleUndecided(checkout.merchant);

    t.is(session.status, 'expired');
    t.is((await checkout.payment()).status, 'expired');
    t.deepEqual(await checkout.events(), ['checkout.expired expired to 1']);
  },
);

test.serial('a payment that expires after a decline at Stripe gets the status failed', async (t) => {
  const checkout = await liveCheckout();
  const { session } = await goToStripe(checkout);
  stripe.decline(session);
  const { metadata } = session;
  const last_payment_error = { code: 'card_declined', decline_code: 'lost_card', message: 'Your card was declined.' };
  await sendStripeEvent('payment_intent.payment_failed', { metadata, last_payment_error });
  t.like(await checkout.payment(), {
    status: 'processing',
    failureCode: 'lost_card',
    failureMessage: 'Your card was declined',
  });
  await makeExpired(checkout.reference);

  await runSettleUndecided(checkout.merchant);

  t.like(await checkout.payment(), { status: 'failed', failureCode: 'insufficient_funds' });
  t.deepEqual(await checkout.events(), ['checkout.failed to 1']);
});

test.serial(
  'the verdict that an attempt was never sent to Stripe does not end a session that was saved in the meantime',
  async (t) => {
    const checkout = await liveCheckout();
    const { session } = await goToStripe(checkout);
    const { attemptId } = session.metadata as { attemptId: string };
    const context = withFreshEntityManager(server().context);

    await inTransaction(context, (tx) => settlePayment(tx, attemptId, { result: 'cancelled', isUnsent: true }));

    t.is((await checkout.payment()).status, 'processing');
  },
);

test.serial('a payment that is paid just before its expiry is completed and does not expire', async (t) => {
  const checkout = await liveCheckout();
  const { session } = await goToStripe(checkout);
  stripe.pay(session);
  await makeExpired(checkout.reference);

  await runSettleUndecided(checkout.merchant);

  t.is((await checkout.payment()).status, 'completed');
});

for (const declined of [true, false]) {
  test.serial(
    `money that arrives after the payment ${declined ? 'failed' : 'expired'} is credited to the merchant`,
    async (t) => {
      const checkout = await liveCheckout();
      const { session } = await goToStripe(checkout);
      if (declined) stripe.decline(session);
      await makeExpired(checkout.reference);
      await runSettleUndecided(checkout.merchant);
      t.is((await checkout.payment()).status, declined ? 'failed' : 'expired');

      stripe.pay(session);
      await Promise.all([1, 2, 3].map(() => sendStripeEvent('checkout.session.completed', session)));

      t.like(await checkout.payment(), { status: 'completed', failureCode: null });
      const before = declined ? 'checkout.failed to 1' : 'checkout.expired expired to 1';
      t.deepEqual(await checkout.events(), [before, 'checkout.success to 1']);
      t.is(await checkout.collected(), 500_000);
    },
  );
}

test.serial(
  'when the session of a cancelled attempt is paid, the payment is completed and the session of its open attempt expires',
  async (t) => {
    const checkout = await liveCheckout();
    const [first, second] = await goToStripeTwice(checkout);
    stripe.pay(first);
    await sendStripeEvent('checkout.session.completed', first);
    t.is((await checkout.payment()).status, 'completed');

    // The job runs as the schedule runs it: the test does not make an attempt due.
    await askAboutPayments(withFreshEntityManager(server().context));

    t.is(second.status, 'expired');
    t.like(await checkout.payment(), { status: 'completed' });
    t.is(await checkout.collected(), 500_000);
  },
);

test.serial('a merchant cancels a checkout whose customer is on Stripe’s page', async (t) => {
  const checkout = await liveCheckout();
  const { session } = await goToStripe(checkout);

  const payment = await checkout.merchant.liveClient.payments.cancel(checkout.reference);

  t.like(payment, { status: 'expired', attempts: 0 });
  t.is(session.status, 'expired');
  // Stripe also sends an event about the session that our server ended. That event must not publish a second event.
  await sendStripeEvent('checkout.session.expired', session);
  t.deepEqual(await checkout.events(), ['checkout.expired cancelled to 1']);
});

test.serial('without an answer from Stripe, cancelCheckout cancels nothing: 503 processor_error', async (t) => {
  const checkout = await liveCheckout();
  const { session } = await goToStripe(checkout);
  for (let once = 0; once < 2; once += 1) stripe.failNext({ status: 503, error: { type: 'api_error' } });

  const refused = checkout.merchant.liveClient.payments.cancel(checkout.reference);

  t.like(await t.throwsAsync(refused), { status: 503, code: 'processor_error' });
  t.is(session.status, 'open');
  t.is((await checkout.payment()).status, 'processing');
});

test.serial('a checkout that was paid at Stripe before the merchant cancels cannot be cancelled', async (t) => {
  const checkout = await liveCheckout();
  const { session } = await goToStripe(checkout);
  stripe.pay(session);

  const refused = checkout.merchant.liveClient.payments.cancel(checkout.reference);

  t.like(await t.throwsAsync(refused), { status: 409, code: 'payment_already_final' });
  t.is((await checkout.payment()).status, 'completed');
});
