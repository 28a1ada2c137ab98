import './unobserved.ts';
import { randomUUID } from 'node:crypto';
import { readContract } from '@tillhook/openapi';
import type { Tillhook } from '@tillhook/sdk';
import test from 'ava';
import { pathOf, schemesOf } from '../support/calls/call-example.ts';
import { contractFetch } from '../support/server/contract-fetch.ts';
import { bothSidesForFile, disagreements, type Side } from './both-sides.ts';
import { differences } from './differences.ts';
import { testDefaultAnswers, testPreferredAnswers } from './every-answer.ts';
import { partOf, refusedRequests } from './refused-requests.ts';

const bothSides = bothSidesForFile();

const endpoint = { url: 'https://shop.example.com/webhooks', events: ['checkout.success', 'transfer.failed'] };
const product = { name: 'A book', price: 500 };
const recipient = { name: 'Grace Hopper', accountNumber: '0123456789', bankCode: '058' };

const transfer = {
  reference: 'payout-agreed',
  amount: 700,
  recipient,
  metadata: { batch: '7' },
  narration: 'For books',
};
const { accountNumber, ...rest } = recipient;

/** The expected answers omit values that differ in each run. */
const calls: Record<string, [make: (client: Tillhook) => Promise<unknown>, expected: unknown]> = {
  createCheckout: [
    async (client) => {
      const { data } = await client.checkout.create({
        email: 'ada@example.com',
        amount: 500,
        reference: 'order-agreed',
      });
      return [data.reference, data.checkoutUrl.replace(/^.*(?=\/checkout\/)/, '').replace(/[0-9a-f-]{36}$/, '')];
    },
    ['order-agreed', '/checkout/'],
  ],
  getPayment: [
    async (client) => (await client.payments.get(await newPayment(client, 'order-read'))).reference,
    'order-read',
  ],
  updatePayment: [
    async (client) => {
      const reference = await newPayment(client);
      const { note, status } = await client.payments.update(reference, { note: 'Called' });
      const removed = await client.payments.update(reference, { note: null });
      const read = await client.payments.get(reference);
      return [note, status, removed.note, removed.reference.replace(reference, 'its reference'), read.note];
    },
    ['Called', 'pending', null, 'its reference', null],
  ],
  cancelCheckout: [async (client) => (await client.payments.cancel(await newPayment(client))).status, 'expired'],
  testFailPayment: [
    async (client) => (await client.testHelpers.failPayment(await newPayment(client))).failureCode,
    'card_declined',
  ],
  registerWebhookEndpoint: [
    async (client) => {
      const { url, events, secret, isActive, mode } = await client.webhookEndpoints.register(endpoint as never);
      return { url, events, isActive, mode, secret: secret.slice(0, 6) };
    },
    { url: endpoint.url, events: endpoint.events.join(), isActive: true, mode: 'test', secret: 'whsec_' },
  ],
  updateWebhookEndpoint: [
    async (client) => {
      const { id } = await client.webhookEndpoints.register(endpoint as never);
      const changed = await client.webhookEndpoints.update(id, { isActive: false, events: ['*'] });
      const same = await client.webhookEndpoints.update(id, { events: changed.events });
      const some = await client.webhookEndpoints.update(id, { events: 'refund.failed,checkout.failed' });
      return [
        changed.id.replace(id, 'its id'),
        changed.isActive,
        changed.events,
        changed.secret.slice(0, 10),
        same.events,
        some.events.split(',').sort(),
      ];
    },
    ['its id', false, '*', 'whsec_••••', '*', ['checkout.failed', 'refund.failed']],
  ],
  removeWebhookEndpoint: [
    async (client) => {
      const { id } = await client.webhookEndpoints.register(endpoint as never);
      const { data } = await client.webhookEndpoints.remove(id);
      return [data.id.replace(id, 'its id'), data.deleted];
    },
    ['its id', true],
  ],
  createTransfer: [
    async (client) => {
      await client.testHelpers.fundWallet({ amount: 1_000_000 });
      const { reference, amount, recipient: to, metadata, narration, mode } = await client.transfers.create(transfer);
      return { reference, amount, recipient: to, metadata, narration, mode };
    },
    { ...transfer, recipient: { ...rest, accountNumberLast4: accountNumber.slice(-4) }, mode: 'test' },
  ],
  createPaymentLink: [
    async (client) => {
      const link = await client.paymentLinks.create({ name: 'A book', amount: 500, maxPayments: 3 });
      const { name, amount, currency, status, maxPayments, quantity, completedPayments } = link;
      return [
        name,
        amount,
        currency,
        status,
        maxPayments,
        quantity,
        completedPayments,
        link.url.endsWith(`/pay/${link.slug}`),
      ];
    },
    ['A book', 500, 'NGN', 'active', 3, null, 0, true],
  ],
  getPaymentLink: [
    async (client) => {
      const { id } = await client.paymentLinks.create({ name: 'A book', minAmount: 500 });
      const { name, amount, minAmount, ...read } = await client.paymentLinks.get(id);
      return [name, amount, minAmount, read.id.replace(id, 'its id')];
    },
    ['A book', null, 500, 'its id'],
  ],
  updatePaymentLink: [
    async (client) => {
      const { id } = await client.paymentLinks.create({ name: 'A book', amount: 500 });
      const changed = await client.paymentLinks.update(id, { amount: 600, isActive: false });
      return [changed.amount, changed.status, changed.id.replace(id, 'its id')];
    },
    [600, 'stopped', 'its id'],
  ],
  createProduct: [
    async (client) => {
      const { name, price, stock, description, isActive } = await client.products.create({ ...product, stock: 3 });
      return { name, price, stock, description, isActive };
    },
    { ...product, stock: 3, description: null, isActive: true },
  ],
  getProduct: [
    async (client) => {
      const { id } = await client.products.create(product);
      const { name, isActive, ...read } = await client.products.get(id);
      return [name, isActive, read.id.replace(id, 'its id'), (await client.products.archive(id)).isActive];
    },
    [product.name, true, 'its id', false],
  ],
  updateProduct: [
    async (client) => {
      const { id } = await client.products.create(product);
      const changed = await client.products.update(id, { name: 'Another book', stock: 0 });
      return [changed.name, changed.stock, changed.id.replace(id, 'its id')];
    },
    ['Another book', 0, 'its id'],
  ],
  testAdvanceTime: [async (client) => (await client.test.advanceTime({ seconds: 61 })).seconds, 61],
  testFundWallet: [
    async (client) => (await client.testHelpers.fundWallet({ amount: 5, currency: 'USD' })).currency,
    'USD',
  ],
  listWallets: [async (client) => Object.keys(await client.wallets.list()), ['wallets', 'total']],
  getAccount: [async (client) => (await client.account.get()).mode, 'test'],
};

for (const [id, [make, expected]] of Object.entries(calls)) {
  test(`the mock answers as the server does: ${id}`, async (t) => {
    const statement = { title: `${id}: a call`, expected, ask: (side: Side) => make(side.client) };

    t.deepEqual(await disagreements(await bothSides(), [statement]), []);
  });
}

test('the mock’s example refunds belong to several completed payments, and no payment has refunds above its amount', async (t) => {
  const { client } = (await bothSides()).mock;
  const { refunds } = await client.refunds.list({ limit: 100 });
  const { payments } = await client.payments.list({ limit: 100 });
  const refunded = payments.filter(({ amountRefunded }) => amountRefunded > 0);

  t.is(refunds.length, 27);
  t.deepEqual(
    Object.entries(
      Object.groupBy(refunded, (payment) => `${payment.status} ${payment.amountRefunded} of ${payment.amount}`),
    ).map(([what, of]) => [what, of?.length]),
    [
      ['completed 200000 of 500000', 6],
      ['completed 500000 of 500000', 7],
    ],
  );
  for (const { reference, amountRefunded } of refunded) {
    const own = await client.refunds.list({ paymentReference: reference });
    t.is(own.total, refunds.filter(({ paymentReference }) => paymentReference === reference).length);
    t.true(own.total > 0);
    const left = own.refunds.filter(({ status }) => status !== 'failed');
    t.is(
      left.reduce((sum, { amount }) => sum + amount, 0),
      amountRefunded,
    );
    t.is((await client.payments.get(reference)).amountRefunded, amountRefunded);
  }
  t.deepEqual(
    refunds.filter(({ paymentReference }) => !refunded.some(({ reference }) => reference === paymentReference)),
    [],
  );
});

// These tests run serially, before the calls of the other tests, so that no test adds to a list while another test
// reads it.
test.serial('the mock pages its lists as the server does, although their lengths differ', async (t) => {
  const { server, mock } = await bothSides();
  for (let index = 0; index < 25; index++) await newPayment(server.client);
  await server.client.testHelpers.failPayment(await newPayment(server.client));

  for (const { client } of [server, mock]) {
    const { total, payments } = await client.payments.list();
    const second = await client.payments.list({ offset: 20, limit: 4 });
    const all = await client.payments.list({ limit: 100 });
    const [newest, oldest] = [all.payments[0], all.payments.at(-1)];

    t.is(payments.length, 20);
    t.is(all.payments.length, total);
    t.deepEqual(second.payments, all.payments.slice(20, 24));
    t.deepEqual((await client.payments.list({ offset: total })).payments, []);
    t.deepEqual(all.payments, newestFirst(all.payments));
    t.like(await client.payments.list({ reference: newest?.reference ?? '' }), { total: 1, payments: [newest] });
    t.is((await client.payments.list({ from: newest?.createdAt ?? '', limit: 1 })).payments[0]?.id, newest?.id);
    const failed = all.payments.filter(({ status }) => status === 'failed');
    t.true(failed.length > 0 && failed.length < total);
    t.deepEqual(await client.payments.list({ status: 'failed', limit: 100 }), {
      payments: failed,
      total: failed.length,
    });
    const either = all.payments.filter(({ status }) => status === 'failed' || status === 'pending');
    t.true(either.length > failed.length);
    t.is((await client.payments.list({ status: ['failed', 'pending'] })).total, either.length);
    t.is((await client.payments.list({ customerEmail: 'ADA@example.com' })).total > 0, true);
    t.deepEqual(await client.payments.get(oldest?.reference ?? ''), oldest);
  }
});

test.serial('the pages of a list contain each record exactly once, on the mock as on the server', async (t) => {
  const { server, mock } = await bothSides();
  for (let index = 0; index < 12; index++) {
    await server.client.testHelpers.failPayment(await newPayment(server.client));
  }

  for (const { client } of [server, mock]) {
    for (const list of [client.events, client.payments]) {
      const { total } = await list.list({ limit: 1 });
      const walked: Listed[] = [];
      for await (const record of list.list({ limit: 10 })) walked.push(record);
      const gathered: Listed[] = await list.list({ limit: 10 }).toArray({ max: 1000 });

      t.true(total > 10);
      t.is(walked.length, total);
      t.is(new Set(walked.map(({ id }) => id)).size, total);
      t.deepEqual(gathered, walked);
      t.deepEqual(walked, newestFirst(walked));
    }
  }
});

interface Listed {
  id: string;
}

/** Sorts records by id, because the ids of mock and server both begin with a time. */
function newestFirst<Record extends Listed>(records: readonly Record[]): Record[] {
  return records.toSorted((a, b) => (a.id < b.id ? 1 : -1));
}

const conditions: [situation: string, ifNoneMatch: (etag: string) => string][] = [
  ['its own tag', (etag) => etag],
  ['its own tag as a strong one', (etag) => etag.replace('W/', '')],
  ['its own tag among others', (etag) => `"a", W/"b,c" ,${etag}`],
  ['a star', () => ' * '],
  ['another tag', () => 'W/"another"'],
  ['its own tag without quotes', (etag) => etag.replaceAll('"', '')],
  ['a star among tags', () => '"a", *'],
  ['nothing', () => ''],
];

const conditional = readContract().model.operations.filter(({ answers }) => answers.has(304));

for (const operation of conditional) {
  test.serial(`the mock answers If-None-Match as the server does: ${operation.id}`, async (t) => {
    const [scheme = 'apiKeyHeader'] = schemesOf(operation);
    const get = ({ url, headersFor }: Side, headers: Record<string, string>) =>
      contractFetch(`${url}${pathOf(operation)}`, { headers: { ...headersFor(scheme), ...headers } });
    const statements = conditions.map(([situation, ifNoneMatch]) => ({
      title: `${operation.id}: ${situation}`,
      async ask(side: Side) {
        const etag = (await get(side, {})).headers.get('etag') ?? '';
        if (!/^W\/"[^"]+"$/.test(etag)) throw new Error(`${side.url} returned a malformed ETag: ${etag}.`);
        const answer = await get(side, { 'if-none-match': ifNoneMatch(etag) });
        const names = ['content-type', 'cache-control'].map((name) => answer.headers.get(name)?.split(';')[0]);
        return [answer.status, answer.headers.get('etag') === etag, ...names];
      },
    }));

    t.deepEqual(await disagreements(await bothSides(), statements), []);
  });
}

test('the contract has operations that accept If-None-Match, with which the mock is tested', (t) => {
  t.true(conditional.length > 0);
});

const odd: [title: string, path: string, init: { method?: string; headers?: Record<string, string> }][] = [
  ['HEAD', '/api/v1/transfers', { method: 'HEAD' }],
  ['HEAD of an unknown path', '/api/v1/nothing', { method: 'HEAD' }],
  ['a path in upper case with a final slash', '/API/v1/Transfers/', {}],
  ['an Accept header without JSON', '/api/v1/transfers', { headers: { accept: 'text/html' } }],
  ['OPTIONS', '/api/v1/transfers', { method: 'OPTIONS' }],
];

test('the mock answers unusual requests as the server does', async (t) => {
  const statements = odd.map(([title, path, init]) => ({ title, ask: (side: Side) => ask(side, path, init) }));

  t.deepEqual(await disagreements(await bothSides(), statements), []);
});

async function ask({ url, headersFor }: Side, path: string, { headers, ...init }: (typeof odd)[number][2]) {
  const answer = await contractFetch(`${url}${path}`, {
    ...init,
    headers: { ...headersFor('bearerAuth'), ...headers },
  });
  const [type, ...others] = ['content-type', 'allow', 'cache-control'].map((name) => answer.headers.get(name));
  return [answer.status, type?.split(';')[0], ...others];
}

async function newPayment(client: Tillhook, reference = `order-${randomUUID()}`): Promise<string> {
  await client.checkout.create({ email: 'ada@example.com', amount: 500, reference });
  return reference;
}

// These tests send a fifth of the invalid requests, and `exhaustive/agreement.test.ts` sends the other four fifths.

const operations = readContract().model.operations;

for (const [index, operation] of operations.entries()) {
  test.serial(`the mock rejects requests as the server does: ${operation.id}`, async (t) => {
    t.deepEqual(await disagreements(await bothSides(), partOf(operation, index, 'a fifth')), []);
  });
}

test('every listed difference between the mock and the server has the title of a tested request', (t) => {
  const titles = operations.flatMap(refusedRequests).map(({ title }) => title);
  t.deepEqual(
    Object.keys(differences).filter((title) => !titles.includes(title)),
    [],
  );
});

// If a documented answer has several examples, these tests ask for the last example.

testDefaultAnswers();
testPreferredAnswers('the last example');
