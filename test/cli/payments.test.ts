import { inTransaction } from '@tillhook/server/src/database/transaction.ts';
import { listPaymentsForReview, resolvePayment } from '@tillhook/server/src/payments/review.service.ts';
import test from 'ava';
import { runTillhook } from '../support/command.ts';
import { faultsOfLedger } from '../support/ledger.ts';
import {
  goToStripe,
  type LiveCheckout,
  liveCheckout,
  reconcile,
  server,
  stripe,
  tell,
} from '../support/live-payments.ts';
import type { StripeObject } from '../support/stripe-events.ts';

const tillhook = (...args: string[]) => runTillhook({ DATABASE_URL: server().database.url }, ...args);

/** A payment of which Stripe has this much money. */
async function paidAs(own: StripeObject, before = async (_checkout: LiveCheckout) => {}) {
  const checkout = await liveCheckout();
  const { session } = await goToStripe(checkout);
  await before(checkout);
  stripe.pay(session, own);
  await tell('checkout.session.completed', session);
  const { id } = await checkout.payment();
  return { ...checkout, id, session };
}

const ofItsOwn = () => ({ ...server().context, em: server().context.em.fork() });

const isForReview = async (id: string) =>
  (await listPaymentsForReview(ofItsOwn())).some(({ payment }) => payment.id === id);

test.afterEach.always('the books are right', async (t) => {
  t.deepEqual(await faultsOfLedger(server()), []);
});

const otherwise: [own: StripeObject, paidAmount: bigint, paidCurrency: string][] = [
  [{ amount_total: 499_999 }, 499_999n, 'NGN'],
  [{ currency: 'usd' }, 500_000n, 'USD'],
  [{ amount_total: null }, 0n, 'NGN'],
];

for (const [own, paidAmount, paidCurrency] of otherwise) {
  test.serial(`paid, but ${JSON.stringify(own)}: processing until somebody decides, whatever is told`, async (t) => {
    const { id, merchant, payment, events, collected, session } = await paidAs(own);

    await tell('checkout.session.completed', session);
    await tell('checkout.session.expired', session);
    await reconcile(merchant);

    t.is((await payment()).status, 'processing');
    t.is(await collected(), 0);
    const waiting = (await listPaymentsForReview(ofItsOwn())).find((each) => each.payment.id === id);
    t.like(waiting?.paid[0], { paidAmount, paidCurrency, processorId: session.id });
    await inTransaction(ofItsOwn(), (writing) => resolvePayment(writing, id, 'completed'));
    t.is((await payment()).status, 'completed');
    t.deepEqual(await events(), ['checkout.success to 1']);
    t.is(await collected(), 500_000);
    t.false(await isForReview(id));
  });
}

test.serial('what came is shown beside what was asked for, and decided by a command', async (t) => {
  const { id, reference, session, payment } = await paidAs({ amount_total: 499_999 });

  const shown = await tillhook('payments', 'review', '--json');
  const { code, stderr } = await tillhook('payments', 'resolve', id, '--as', 'completed');

  const record = JSON.parse(shown.stdout).find((each: { id: string }) => each.id === id);
  t.like(record, { amount: 500_000, paid: [{ amount: 499_999, currency: 'NGN', processorId: session.id }] });
  t.is(code, 0, stderr);
  t.regex(stderr, new RegExp(`${reference} is completed`));
  t.is((await payment()).status, 'completed');
});

test.serial('decided against, it has failed and the merchant hears of it', async (t) => {
  const { id, payment, events, collected } = await paidAs({ amount_total: 1 });

  const { code, stdout } = await tillhook('payments', 'resolve', id, '--as', 'failed', '--json');

  t.is(code, 0);
  t.like(JSON.parse(stdout), { id, status: 'failed', reviewReason: null });
  t.like(await payment(), { status: 'failed', failureCode: 'amount_mismatch' });
  t.deepEqual(await events(), ['checkout.failed to 1']);
  t.is(await collected(), 0);
});

test.serial('another amount that comes after the time ran out leaves it expired until somebody decides', async (t) => {
  const timeRunsOut = async ({ merchant, reference }: LiveCheckout) => {
    await server().database.query('update payment set expires_at = now() where reference = $1', [reference]);
    await reconcile(merchant);
  };
  const { id, payment, collected } = await paidAs({ amount_total: 1 }, timeRunsOut);
  t.is((await payment()).status, 'expired');
  t.true(await isForReview(id));

  await inTransaction(ofItsOwn(), (writing) => resolvePayment(writing, id, 'failed'));

  t.is((await payment()).status, 'expired');
  t.false(await isForReview(id));
  t.is(await collected(), 0);
});

test.serial('money that comes a second time is shown, and credited once', async (t) => {
  const checkout = await liveCheckout();
  const first = await goToStripe(checkout);
  await fetch(`${checkout.checkoutUrl}/back`);
  const second = await goToStripe(checkout);
  for (const { session } of [first, second]) {
    stripe.pay(session);
    await tell('checkout.session.completed', session);
  }
  const { id, status } = await checkout.payment();

  t.is(status, 'completed');
  t.is(await checkout.collected(), 500_000);
  t.regex((await tillhook('payments', 'review')).stdout, new RegExp(`${id}.*completed +paid_twice`));
  t.is((await tillhook('payments', 'resolve', id, '--as', 'failed')).code, 1);
  t.is((await tillhook('payments', 'resolve', id, '--as', 'completed')).code, 0);
  t.is(await checkout.collected(), 500_000);
  t.deepEqual(await checkout.events(), ['checkout.success to 1']);
});

test.serial('a payment that waits for no decision gets none', async (t) => {
  const checkout = await liveCheckout();
  const { id } = await checkout.payment();

  const { code, stderr } = await tillhook('payments', 'resolve', id, '--as', 'completed');

  t.is(code, 1);
  t.regex(stderr, /waits for no decision/);
  t.is((await tillhook('payments', 'resolve', id)).code, 2);
  t.is((await tillhook('payments', 'resolve', crypto.randomUUID(), '--as', 'failed')).code, 1);
});
