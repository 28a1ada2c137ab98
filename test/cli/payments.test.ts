import test from 'ava';
import { ledgerBreaches } from '../support/money/ledger.ts';
import { createPaidCheckout, liveCheckout, payTwice, server } from '../support/processors/live-payments.ts';
import { runTillhook } from '../support/server/command.ts';

const tillhook = (...args: string[]) => runTillhook({ DATABASE_URL: server().database.url }, ...args);

test.afterEach.always('the ledger keeps its invariants', async (t) => {
  t.deepEqual(await ledgerBreaches(server()), []);
});

test.serial(
  'a payment under review is listed with the paid and the requested amount, and a command decides it',
  async (t) => {
    const { id, reference, session, payment } = await createPaidCheckout({ currency: 'usd' });

    const shown = await tillhook('payments', 'review', '--json');
    const { code, stderr } = await tillhook('payments', 'resolve', id, '--as', 'completed');

    const record = JSON.parse(shown.stdout).find((each: { id: string }) => each.id === id);
    t.like(record, { amount: 500_000, paid: [{ amount: 500_000, currency: 'USD', processorId: session.id }] });
    t.is(code, 0, stderr);
    t.regex(stderr, new RegExp(`${reference} is completed`));
    t.is((await payment()).status, 'completed');
    t.false((await tillhook('payments', 'review')).stdout.includes(id));
  },
);

test.serial('a payment that is resolved as failed sends the event of a failed payment', async (t) => {
  const { id, payment, events, collected } = await createPaidCheckout({ amount_total: 1 });

  const { code, stdout } = await tillhook('payments', 'resolve', id, '--as', 'failed', '--json');

  t.is(code, 0);
  t.like(JSON.parse(stdout), { id, status: 'failed', reviewReason: null });
  t.like(await payment(), { status: 'failed', failureCode: 'amount_mismatch' });
  t.deepEqual(await events(), ['checkout.failed to 1']);
  t.is(await collected(), 0);
});

test.serial('a second payment of the same checkout is shown, and credited once', async (t) => {
  const checkout = await liveCheckout();
  await payTwice(checkout);
  const { id, status } = await checkout.payment();

  t.is(status, 'completed');
  t.is(await checkout.collected(), 500_000);
  t.regex((await tillhook('payments', 'review')).stdout, new RegExp(`${id}.*completed +paid_twice`));
  t.is((await tillhook('payments', 'resolve', id, '--as', 'failed')).code, 1);
  t.is((await tillhook('payments', 'resolve', id, '--as', 'completed')).code, 0);
  t.is(await checkout.collected(), 500_000);
  t.deepEqual(await checkout.events(), ['checkout.success to 1']);
});

test.serial('a payment that is not under review cannot be resolved', async (t) => {
  const checkout = await liveCheckout();
  const { id } = await checkout.payment();

  const { code, stderr } = await tillhook('payments', 'resolve', id, '--as', 'completed');

  t.is(code, 1);
  t.regex(stderr, /waits for no decision/);
  t.is((await tillhook('payments', 'resolve', id)).code, 2);
  t.is((await tillhook('payments', 'resolve', crypto.randomUUID(), '--as', 'failed')).code, 1);
});
