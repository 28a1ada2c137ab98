import test from 'ava';
import { ledgerBreaches } from '../support/money/ledger.ts';
import { createPaidCheckout, liveCheckout, payTwice, server } from '../support/processors/live-payments.ts';
import { runTillhook } from '../support/server/command.ts';

const tillhook = (...args: string[]) => runTillhook({ DATABASE_URL: server().database.url }, ...args);

test.afterEach.always('the ledger keeps its invariants', async (t) => {
  t.deepEqual(await ledgerBreaches(server()), []);
});

test.serial(
  'a payment under review is listed with the paid and the requested amount, and `payments resolve` decides the review',
  async (t) => {
    const { id, reference, session, payment } = await createPaidCheckout({ currency: 'usd' });

    const shown = await tillhook('payments', 'review', '--json');
    const { code, stderr } = await tillhook('payments', 'resolve', id, '--as', 'completed');

    const record = JSON.parse(shown.stdout).find((each: { id: string }) => each.id === id);
    t.like(record, { amount: 500_000, paid: [{ amount: 500_000, currency: 'USD', processorId: session.id }] });
    t.is(code, 0, stderr);
    const says = `${reference} is completed and no longer waits for a decision. The merchant was credited with NGN 5,000.00.`;
    t.is(stderr.trim(), says);
    t.is((await payment()).status, 'completed');
    t.false((await tillhook('payments', 'review')).stdout.includes(id));
  },
);

test.serial('resolving a payment as failed sends the event of a failed payment', async (t) => {
  const { id, payment, events, collected } = await createPaidCheckout({ amount_total: 1 });

  const { code, stdout } = await tillhook('payments', 'resolve', id, '--as', 'failed', '--json');

  t.is(code, 0);
  t.like(JSON.parse(stdout), { id, status: 'failed', reviewReason: null });
  t.like(await payment(), { status: 'failed', failureCode: 'amount_mismatch' });
  t.deepEqual(await events(), ['checkout.failed to 1']);
  t.is(await collected(), 0);
});

test.serial(
  'when a customer pays a checkout twice, the second payment is shown, and the merchant is credited once',
  async (t) => {
    const checkout = await liveCheckout();
    await payTwice(checkout);
    const { id, status } = await checkout.payment();

    t.is(status, 'completed');
    t.is(await checkout.collected(), 500_000);
    t.regex((await tillhook('payments', 'review')).stdout, new RegExp(`${id}.*completed +paid_twice`));
    t.is((await tillhook('payments', 'resolve', id, '--as', 'failed')).code, 1);
    const { code, stderr } = await tillhook('payments', 'resolve', id, '--as', 'completed');
    t.is(code, 0);
    t.regex(
      stderr,
      /No money moved, because the merchant had the amount already: at the processor, refund what was paid twice/,
    );
    t.is(await checkout.collected(), 500_000);
    t.deepEqual(await checkout.events(), ['checkout.success to 1']);
  },
);

test.serial(
  'when a payment is resolved as failed, the command reminds the operator to refund the customer',
  async (t) => {
    const { id, reference } = await createPaidCheckout({ amount_total: 1 });

    const { stderr } = await tillhook('payments', 'resolve', id, '--as', 'failed');

    t.true(stderr.startsWith(`${reference} is failed and no longer waits for a decision. `));
    t.regex(
      stderr,
      /The merchant was credited with nothing: at the processor, refund the whole amount that it received/,
    );
  },
);

for (const [reason, says] of [
  ['disputed', /is completed .*No money moved: settle with the merchant what the bank took back or gave back\.\n$/],
  [
    'refund_without_funds',
    /is completed .*No money moved\. A refund that waits for funds is taken from the Collection wallet/,
  ],
] as const) {
  test.serial(`ending the review ${reason} moves no money, and the output says that no money moved`, async (t) => {
    const { id, reference, payment, collected } = await createPaidCheckout({});
    await server().database.query('update payment set review_reason = $2 where reference = $1', [reference, reason]);

    t.regex((await tillhook('payments', 'review')).stdout, new RegExp(`${id}.*completed +${reason}`));
    const { code, stderr } = await tillhook('payments', 'resolve', id, '--as', 'completed');

    t.is(code, 0);
    t.regex(stderr, says);
    t.like(await payment(), { status: 'completed', reviewReason: null });
    t.is(await collected(), 500_000);
  });
}

test.serial(
  'each of several reasons for a review is shown, and an operator decides each of them separately',
  async (t) => {
    const { id, reference, payment } = await createPaidCheckout({ amount_total: 1 });
    await server().database.query(
      `update payment set review_reason = 'disputed', more_review_reasons = '{amount_mismatch}' where reference = $1`,
      [reference],
    );

    t.regex((await tillhook('payments', 'review')).stdout, new RegExp(`${id}.*processing +disputed, amount_mismatch`));
    const unnamed = await tillhook('payments', 'resolve', id, '--as', 'failed');
    t.is(unnamed.code, 1);
    t.regex(unnamed.stderr, /name the one that you decide: disputed, amount_mismatch/);
    const { stderr } = await tillhook('payments', 'resolve', id, '--as', 'failed', '--reason', 'disputed');

    t.true(stderr.startsWith(`${reference} is processing and still waits for a decision: amount_mismatch. `));
    t.like(await payment(), { status: 'processing', reviewReason: 'amount_mismatch' });
  },
);

test.serial('a payment that is not under review cannot be resolved', async (t) => {
  const checkout = await liveCheckout();
  const { id } = await checkout.payment();

  const { code, stderr } = await tillhook('payments', 'resolve', id, '--as', 'completed');

  t.is(code, 1);
  t.regex(stderr, /waits for no decision/);
  t.is((await tillhook('payments', 'resolve', id)).code, 2);
  t.is((await tillhook('payments', 'resolve', crypto.randomUUID(), '--as', 'failed')).code, 1);
});
