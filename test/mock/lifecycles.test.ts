import './unobserved.ts';
import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { type ModelOperation, readContract } from '@tillhook/openapi';
import type { Tillhook } from '@tillhook/sdk';
import test from 'ava';
import { credentialHeaders, pathOf, schemesOf } from '../support/calls/call-example.ts';
import { contractFetch } from '../support/server/contract-fetch.ts';
import { startMockInRun } from '../support/shared-fixtures.ts';
import { bothSidesForFile, disagreements, refusedAs, type Side } from './both-sides.ts';

/** With this `publicUrl`, links keep the URL of the examples, so that answers equal the examples. */
const mock = await startMockInRun({ publicUrl: 'http://localhost:3000' });
interface Magic {
  send: { in: 'body' | 'path' | 'query' | 'header'; field: string; value: string }[];
  status: number;
  example: string;
}

interface Told {
  id: string;
  magic: Magic[];
  records?: number;
}

const listed = ((await (await fetch(`${mock.url}/__mock`)).json()) as { operations: Told[] }).operations;
test.after.always(() => mock.stop());

const { operationById } = readContract().model;

for (const { id, magic } of listed) {
  for (const { send, status, example } of magic) {
    const sent = send.map(({ field, value }) => `${field} ${value}`).join(' and ');

    test(`${status} ${example}: ${id} with ${sent}`, async (t) => {
      const operation = operationById.get(id) as ModelOperation;

      const answer = await call(operation, { send, status, example });

      t.is(answer.status, status);
      const body = await answer.json();
      if (status >= 400) t.deepEqual(body, exampleOf(operation, status, example));
    });
  }
}

test('magic inputs select every failure that a payment page must handle', (t) => {
  const answers = listed.flatMap(({ id, magic }) => magic.map(({ status, example }) => `${id} ${status} ${example}`));

  for (const answer of [
    'createCheckout 409 duplicateReference',
    'createCheckout 429 merchant',
    'createCheckout 500 internal',
    'createTransfer 422 insufficientFunds',
    'createTransfer 422 invalidRecipient',
    'getPayment 404 notFound',
    'getPayment 200 declined',
  ]) {
    t.true(answers.includes(answer), answer);
  }
});

test('every list of the mock has enough records for three pages; the list of refunds has enough for two pages', (t) => {
  t.deepEqual(
    listed.filter(({ records }) => records !== undefined).map(({ id, records }) => [id, records]),
    [
      'listPayments',
      'listRefunds',
      'listDeliveries',
      'listEvents',
      'listTransfers',
      'listWalletEntries',
      'listAuditEntries',
    ].map((id) => [id, id === 'listRefunds' ? 27 : 45]),
  );
});

function call(operation: ModelOperation, { send }: Magic) {
  const valuesIn = (place: string) => send.filter((one) => one.in === place).map(({ field, value }) => [field, value]);
  const query = new URLSearchParams(valuesIn('query') as [string, string][]);
  const [scheme] = schemesOf(operation);
  const body = bodyWith(operation, valuesIn('body') as [string, unknown][]);
  return contractFetch(`${mock.url}${pathOf(operation, Object.fromEntries(valuesIn('path')))}?${query}`, {
    method: operation.method.toUpperCase(),
    headers: {
      ...(scheme && credentialHeaders(scheme, 'sk_test_mock')),
      ...(body && { 'content-type': 'application/json' }),
      ...Object.fromEntries(valuesIn('header')),
    },
    ...(body && { body: JSON.stringify(body) }),
  });
}

function bodyWith({ body: content }: ModelOperation, fields: [string, unknown][]): Json | undefined {
  const [first] = content?.examples.values() ?? [];
  if (!first) return undefined;
  const body = structuredClone(first.value) as Json;
  for (const [field, value] of fields) put(body, field.split('.'), value);
  return body;
}

type Json = Record<string, unknown>;

function put(target: Json, [key = '', ...rest]: string[], value: unknown): void {
  if (rest.length === 0) target[key] = value;
  else {
    target[key] ??= /^\d+$/.test(rest[0] ?? '') ? [] : {};
    put(target[key] as Json, rest, value);
  }
}

function exampleOf({ answers }: ModelOperation, status: number, example: string): unknown {
  return answers.get(status)?.content?.examples.get(example)?.value;
}

const bothSides = bothSidesForFile();

type Life = (client: Tillhook) => Promise<unknown>;

const order = (reference?: string) => ({ email: 'ada@example.com', amount: 500, ...(reference && { reference }) });

const replayed = async (call: { result(): Promise<{ headers: Headers; status: number; data?: unknown }> }) => {
  const { headers, status, data } = await call.result();
  return { status, data, isReplayed: headers.get('idempotent-replayed') };
};

const lives: Record<string, [live: Life, expected: unknown]> = {
  'a checkout is created, read, listed and cancelled once': [
    async (client) => {
      const email = `${randomUUID()}@example.com`;
      const { data } = await client.checkout.create({ email, amount: 700, currency: 'USD', description: 'A pen' });
      const read = await client.payments.get(data.reference);
      const listed = await client.payments.list({ customerEmail: email });
      const cancelled = await client.payments.cancel(data.reference);
      const again = await refusedAs(client.payments.cancel(data.reference));
      return [
        [read.status, read.amount, read.currency, read.description, read.checkoutUrl === data.checkoutUrl],
        [listed.total, listed.payments[0]?.id === read.id],
        [cancelled.status, cancelled.cancelledBy, cancelled.checkoutUrl, cancelled.id === read.id],
        again,
      ];
    },
    [
      ['pending', 700, 'USD', 'A pen', true],
      [1, true],
      ['expired', 'merchant', null, true],
      '409 payment_already_final This payment is already expired',
    ],
  ],
  'a reference is used once': [
    async (client) => {
      const order = { email: 'ada@example.com', amount: 5, reference: `order-${randomUUID()}` };
      await client.checkout.create(order);
      return refusedAs(client.checkout.create(order));
    },
    '409 duplicate_reference A payment with this reference already exists',
  ],
  'a payment is completed once, and then refunded until nothing is left': [
    async (client) => {
      const { reference } = (await client.checkout.create({ email: 'ada@example.com', amount: 500 })).data;
      const early = await refusedAs(client.refunds.create(reference));
      const paid = await client.test.completePayment(reference);
      const twice = await refusedAs(client.test.completePayment(reference));
      const named = { amount: 200, reason: 'One came back', reference: `refund-${randomUUID()}` };
      const part = await client.refunds.create(reference, named);
      const same = await refusedAs(client.refunds.create(reference, { ...named, amount: 1 }));
      const tooMuch = await refusedAs(client.refunds.create(reference, { amount: 301 }));
      const rest = await client.refunds.create(reference);
      const nothing = await refusedAs(client.refunds.create(reference));
      const { total } = await client.refunds.list({ paymentReference: reference });
      const { amountRefunded } = await client.payments.get(reference);
      return [
        early,
        paid.status,
        paid.attempts,
        twice,
        part.amount,
        part.reason,
        same,
        tooMuch,
        rest.amount,
        nothing,
        total,
        amountRefunded,
      ];
    },
    [
      '409 payment_not_completed Only a completed payment can be refunded, and this one is pending',
      'completed',
      1,
      '409 payment_already_final This payment is already completed',
      200,
      'One came back',
      '409 duplicate_reference A refund with this reference already exists',
      '422 refund_exceeds_payment The payment has 300 left to refund, in the minor unit of NGN',
      300,
      '422 refund_exceeds_payment Nothing is left of this payment: it is refunded already',
      2,
      500,
    ],
  ],
  'the merchant decides about another amount, and about money that came late or twice': [
    async (client) => {
      const order = async () =>
        (await client.checkout.create({ email: 'ada@example.com', amount: 500 })).data.reference;
      const [accepted, refused, twice] = [await order(), await order(), await order()];
      for (const reference of [accepted, refused]) await client.test.receiveBankTransfer(reference, { amount: 450 });
      for (let time = 0; time < 2; time += 1) await client.test.receiveBankTransfer(twice, { amount: 500 });
      const { status, reviewReason } = await client.test.completePayment(accepted);
      const { failureCode, failureMessage, ...failed } = await client.test.failPayment(refused);
      await client.test.receiveBankTransfer(refused, { amount: 500 });
      const late = await client.test.completePayment(refused);
      const kept = await refusedAs(client.test.failPayment(twice));
      const closed = await client.test.completePayment(twice);
      return [
        [status, reviewReason],
        [failed.status, failed.reviewReason, failureCode, failureMessage],
        [late.status, late.reviewReason, late.failureCode],
        kept,
        [closed.status, closed.reviewReason],
      ];
    },
    [
      ['completed', null],
      ['failed', null, 'amount_mismatch', 'Another amount was paid than was asked for'],
      ['completed', null, null],
      '409 payment_already_final This payment is completed and stays so: resolve it as completed, and refund a second amount at the processor',
      ['completed', null],
    ],
  ],
  'a payment that failed stays failed, and its event says why': [
    async (client) => {
      const { reference } = (await client.checkout.create({ email: 'ada@example.com', amount: 500 })).data;
      const { status, failureCode, attempts, paymentMethod } = await client.test.failPayment(reference);
      const late = await refusedAs(client.test.completePayment(reference));
      const { events } = await client.events.list({ reference });
      const told = events.map(({ event, data }) => ({ event, data: { ...data, reference: '' } }));
      return [status, failureCode, attempts, paymentMethod?.last4, late, told];
    },
    [
      'failed',
      'card_declined',
      1,
      '0002',
      '409 payment_already_final This payment is already failed',
      [
        {
          event: 'checkout.failed',
          data: {
            reference: '',
            amount: 500,
            currency: 'NGN',
            status: 'failed',
            customerEmail: 'ada@example.com',
            failureCode: 'card_declined',
            failureMessage: 'The card was declined',
            cancelledBy: null,
          },
        },
      ],
    ],
  ],
  'a list of payments is filtered by amount, and continues after a payment': [
    async (client) => {
      const customerEmail = `${randomUUID()}@example.com`;
      for (const amount of [100, 200, 300]) await client.checkout.create({ email: customerEmail, amount });
      const { payments } = await client.payments.list({ customerEmail });
      const after = payments[0]?.id ?? '';
      const dollars = await client.payments.list({ customerEmail, minAmount: 1, currency: 'USD' });
      const amountsOf = async (query: object) =>
        (await client.payments.list({ customerEmail, ...query })).payments.map(({ amount }) => amount);
      return [
        payments.map(({ amount }) => amount),
        await amountsOf({ minAmount: 200 }),
        await amountsOf({ minAmount: 150, maxAmount: 250 }),
        await amountsOf({ after, order: 'desc' }),
        await amountsOf({ limit: 1, offset: 1 }),
        await amountsOf({ order: 'asc', limit: 2 }),
        dollars.total,
      ];
    },
    [[300, 200, 100], [300, 200], [200], [200, 100], [200], [100, 200], 0],
  ],
  'an endpoint is registered, changed and removed': [
    async (client) => {
      const url = `https://shop.example.com/${randomUUID()}`;
      const { id, secret } = await client.webhookEndpoints.register({
        url,
        events: ['refund.failed', 'checkout.failed'],
      });
      const [first] = (await client.webhookEndpoints.list()).webhooks;
      const paused = await client.webhookEndpoints.update(id, { isActive: false, events: ['*'] });
      const read = await client.webhookEndpoints.get(id);
      const { data } = await client.webhookEndpoints.remove(id);
      const listed = (await client.webhookEndpoints.list()).webhooks.some((one) => one.id === id);
      return [
        [first?.id === id, first?.url === url, first?.events, first?.secret.endsWith(secret.slice(-4))],
        [paused.isActive, paused.events, read.isActive, read.url === url],
        [data.deleted, listed, await refusedAs(client.webhookEndpoints.get(id))],
      ];
    },
    [
      [true, true, 'checkout.failed,refund.failed', true],
      [false, '*', false, true],
      [true, false, '404 resource_not_found No such resource'],
    ],
  ],
  'a call that is repeated with its Idempotency-Key has one effect, and gets the same answer with Idempotent-Replayed':
    [
      async (client) => {
        const options = { idempotencyKey: randomUUID() };
        const reference = `order-${randomUUID()}`;
        const first = await replayed(client.checkout.create(order(reference), options));
        await client.payments.cancel(reference);
        const again = await replayed(client.checkout.create(order(reference), options));
        const { total } = await client.payments.list({ reference });
        const other = await refusedAs(client.checkout.create({ ...order(reference), amount: 501 }, options));
        const elsewhere = await refusedAs(client.payments.cancel(reference, options));
        return [
          [first.status, first.isReplayed],
          [again.status, again.isReplayed, isDeepStrictEqual(again.data, first.data)],
          total,
          other,
          elsewhere,
        ];
      },
      [
        [201, null],
        [201, 'true', true],
        1,
        '422 idempotency_key_reused This Idempotency-Key was used for another request',
        '422 idempotency_key_reused This Idempotency-Key was used for another request',
      ],
    ],
  'a failed call does not use up its Idempotency-Key': [
    async (client) => {
      const options = { idempotencyKey: randomUUID() };
      const reference = `order-${randomUUID()}`;
      await client.checkout.create(order(reference));
      const failed = await refusedAs(client.checkout.create(order(reference), options));
      const { status, isReplayed } = await replayed(client.checkout.create(order(), options));
      return [failed, status, isReplayed];
    },
    ['409 duplicate_reference A payment with this reference already exists', 201, null],
  ],
  'two concurrent calls with one Idempotency-Key create one payment': [
    async (client) => {
      const customer = `${randomUUID()}@example.com`;
      const options = { idempotencyKey: randomUUID() };
      const make = () => client.checkout.create({ email: customer, amount: 500 }, options);
      const answers = await Promise.all([refusedAs(make()), refusedAs(make()), refusedAs(make())]);
      const inProgress = '409 idempotency_in_progress A request with this Idempotency-Key is still in progress';
      const { total } = await client.payments.list({ customerEmail: customer });
      return [total, answers.every((answer) => answer === 'no error' || answer === inProgress)];
    },
    [1, true],
  ],
};

for (const [title, [live, expected]] of Object.entries(lives)) {
  test(`on the mock as on the server, ${title}`, async (t) => {
    const statement = { title, expected, ask: ({ client }: Side) => live(client) };

    t.deepEqual(await disagreements(await bothSides(), [statement]), []);
  });
}
