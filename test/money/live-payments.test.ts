/** All tests of live payments share a server, because a server takes seconds of processor time. */
import './live-failures.ts';
import './live-reviews.ts';
import test from 'ava';
import { testCommitCuts } from '../support/money/crash.ts';
import { liveFlows, liveScene } from '../support/processors/live-flows.ts';
import {
  goToStripe,
  liveCheckout,
  postProcessorWebhook,
  runSettleUndecided,
  sendStripeEvent,
  server,
  stripe,
} from '../support/processors/live-payments.ts';
import { signStripeEvent, stripeEvent } from '../support/processors/stripe-events.ts';

test.serial(
  'Stripe gets the domain of an e-mail address in ASCII, and everything else shows the domain as it was typed',
  async (t) => {
    const { merchant } = await liveCheckout();
    const { liveClient } = merchant;
    const { data } = await liveClient.checkout.create({ email: 'ada@Müller.example', amount: 500 });
    const { session } = await goToStripe(data);

    t.is(session.customer_email, 'ada@xn--mller-kva.example');
    const { payments, total } = await liveClient.payments.list({ customerEmail: 'ADA@Müller.example' });
    t.is(total, 1);
    t.is(payments[0]?.customerEmail, 'ada@Müller.example');
  },
);

test.serial('a customer pays on Stripe’s page, and the merchant gets the event and the money', async (t) => {
  const checkout = await liveCheckout();
  const { session, html, status } = await goToStripe(checkout);

  t.is(status, 200);
  t.true(html.includes(`href="${session.url}"`));
  t.false(html.includes('name="cardNumber"'));
  t.like(await checkout.payment(), { status: 'processing', attempts: 1, paymentMethod: null, mode: 'live' });
  stripe.pay(session);
  t.is((await sendStripeEvent('checkout.session.completed', session)).status, 200);

  t.like(await checkout.payment(), { status: 'completed', paymentMethod: { brand: 'visa', last4: '4242' } });
  t.deepEqual(await checkout.events(), ['checkout.success to 1']);
  t.is(await checkout.collected(), 500_000);
  const page = await (await fetch(`${checkout.checkoutUrl}?step=sent`)).text();
  t.regex(page, /Payment successful/);
});

test.serial('the parameters of a Stripe session depend only on the attempt', async (t) => {
  const checkout = await liveCheckout({ expiresIn: 300 });
  await goToStripe(checkout);

  const { key, form } = stripe.requests.at(-1) ?? t.fail();
  const [attempt] = await server().database.query<{ id: string; started_at: Date }>(
    'select attempt.id, started_at from payment_attempt as attempt join payment on payment.id = payment_id where reference = $1',
    [checkout.reference],
  );
  if (!attempt) return t.fail();
  t.is(key, attempt.id);
  t.like(Object.fromEntries(form), {
    mode: 'payment',
    client_reference_id: checkout.reference,
    customer_email: 'ada@example.com',
    'line_items[0][price_data][currency]': 'ngn',
    'line_items[0][price_data][unit_amount]': '500000',
    'metadata[attemptId]': attempt.id,
    'payment_intent_data[metadata][attemptId]': attempt.id,
    success_url: `${checkout.checkoutUrl}?step=sent`,
    cancel_url: `${checkout.checkoutUrl}/back`,
    // A checkout lasts five minutes and a Stripe session at least thirty, so the server expires the session itself.
    expires_at: String(Math.floor((attempt.started_at.getTime() + 35 * 60_000) / 1000)),
  });
});

test.serial('repeated Stripe events and Stripe events out of order change nothing', async (t) => {
  const checkout = await liveCheckout();
  const { session } = await goToStripe(checkout);
  const attemptId = (session.metadata as { attemptId: string }).attemptId;
  stripe.pay(session);
  const { event } = await sendStripeEvent('checkout.session.completed', session);
  const settled = await checkout.payment();

  t.is((await sendStripeEvent('checkout.session.completed', session, event)).status, 200);
  for (const type of [
    'checkout.session.completed',
    'checkout.session.async_payment_succeeded',
    'checkout.session.async_payment_failed',
    'checkout.session.expired',
  ] as const) {
    t.is((await sendStripeEvent(type, session)).status, 200, type);
  }
  t.is((await sendStripeEvent('payment_intent.payment_failed', { metadata: { attemptId } })).status, 200);

  t.deepEqual(await checkout.payment(), settled);
  t.deepEqual(await checkout.events(), ['checkout.success to 1']);
  t.is(await checkout.collected(), 500_000);
});

test.serial(
  'a Stripe event that comes twenty times, a job and the hosted page together settle a payment once',
  async (t) => {
    const checkout = await liveCheckout();
    const { session } = await goToStripe(checkout);
    stripe.pay(session);
    const event = stripeEvent('checkout.session.completed', { ...session, payment_intent: 'pi_1' });

    const told = Array.from({ length: 20 }, () => sendStripeEvent('checkout.session.completed', session, event));
    const others = [
      sendStripeEvent('checkout.session.completed', session),
      runSettleUndecided(checkout.merchant),
      fetch(`${checkout.checkoutUrl}?step=sent`),
    ];
    const answers = await Promise.all(told);
    await Promise.all(others);

    t.deepEqual(
      answers.map(({ status }) => status),
      Array(20).fill(200),
    );
    t.like(await checkout.payment(), { status: 'completed', attempts: 1 });
    t.deepEqual(await checkout.events(), ['checkout.success to 1']);
    t.is(await checkout.collected(), 500_000);
  },
);

test.serial('an event without a valid signature of Stripe is refused and changes nothing', async (t) => {
  const checkout = await liveCheckout();
  const { session } = await goToStripe(checkout);
  const event = stripeEvent('checkout.session.completed', { ...session, payment_status: 'paid' });
  const signed = signStripeEvent(event, 'whsec_live_payments');
  const anHourAgo = Math.floor(Date.now() / 1000) - 3600;
  const forged = {
    'another secret': signStripeEvent(event, 'whsec_somebody_else'),
    'another body': { ...signed, body: signed.body.replace('500000', '5') },
    'no signature': { ...signed, signature: '' },
    'half a signature': { ...signed, signature: 't=1,v1=' },
    'an old recording': signStripeEvent(event, 'whsec_live_payments', { timestamp: anHourAgo }),
    'no JSON': { ...signed, body: 'nonsense' },
  };

  for (const [why, message] of Object.entries(forged)) t.is((await postProcessorWebhook(message)).status, 400, why);
  t.is((await postProcessorWebhook(signed, 'simulator')).status, 404);
  t.is((await postProcessorWebhook(signed, 'nobody')).status, 404);
  t.is((await checkout.payment()).status, 'processing');
});

test.serial(
  'Stripe events of unknown payments, and of types that the server does not use, are accepted and ignored',
  async (t) => {
    const checkout = await liveCheckout();
    const { session } = await goToStripe(checkout);
    const told = [
      await sendStripeEvent('checkout.session.completed', { metadata: {}, payment_status: 'paid' }),
      await sendStripeEvent('checkout.session.completed', { metadata: { attemptId: 'x' }, payment_status: 'paid' }),
      await sendStripeEvent('checkout.session.completed', {
        metadata: { attemptId: crypto.randomUUID() },
        payment_status: 'paid',
      }),
      await sendStripeEvent('charge.succeeded', {}),
    ];
    stripe.pay(session);
    const own = await sendStripeEvent('checkout.session.completed', session);

    t.deepEqual(
      [...told, own].map(({ status }) => status),
      Array(5).fill(200),
    );
    // The query finds the event of the known payment, so it would also find events of unknown payments.
    const ids = [...told, own].map(({ event }) => event.id);
    t.is(new Set(ids).size, 5);
    t.deepEqual(await server().database.query('select id from processor_event where id = any($1)', [ids]), [
      { id: own.event.id },
    ]);
  },
);

test.serial('without a webhook, a job asks Stripe and completes the payment', async (t) => {
  const checkout = await liveCheckout();
  const { session } = await goToStripe(checkout);
  stripe.pay(session);

  await runSettleUndecided(checkout.merchant);

  t.like(await checkout.payment(), { status: 'completed', paymentMethod: { last4: '4242' } });
  t.deepEqual(await checkout.events(), ['checkout.success to 1']);
});

test.serial(
  'an event about a paid session completes the payment even if Stripe does not answer which card was used',
  async (t) => {
    const checkout = await liveCheckout();
    const { session } = await goToStripe(checkout);
    stripe.pay(session);
    stripe.failNext({ status: 500, error: { type: 'api_error' } });
    stripe.failNext({ status: 500, error: { type: 'api_error' } });

    t.is((await sendStripeEvent('checkout.session.completed', session)).status, 200);

    t.like(await checkout.payment(), { status: 'completed', paymentMethod: null });
  },
);

test.serial('an amount that Stripe cannot express exactly is refused', async (t) => {
  const { liveClient } = await server().createMerchant();
  const create = (currency: string, amount: number) =>
    liveClient.checkout.create({ email: 'ada@example.com', currency, amount });

  t.like(await t.throwsAsync(create('KWD', 5001)), { status: 400, code: 'unsupported_currency', param: 'currency' });
  t.like(await t.throwsAsync(create('MGA', 500)), { code: 'unsupported_currency' });
  await t.notThrowsAsync(create('KWD', 5000));
});

testCommitCuts(liveScene, liveFlows);
