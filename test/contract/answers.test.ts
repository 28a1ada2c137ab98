import { answerHeaderNames, type ModelOperation, readContract } from '@tillhook/openapi';
import { TillhookError } from '@tillhook/sdk';
import test from 'ava';
import { eventually } from '../support/eventually.ts';
import { startCheckout } from '../support/money/payments.ts';
import { recipient } from '../support/money/transfers.ts';
import { startCuttableProxy } from '../support/network/cuttable-proxy.ts';
import { insertDeliveries, unreachableUrl } from '../support/receivers/deliveries.ts';
import { serverForFile, startServer, type TestMerchant } from '../support/server/tillhook.ts';
import { findPostgres } from '../support/shared-fixtures.ts';
import { signIn } from '../support/users/session.ts';

const { model } = readContract();

test('in the contract, every 503 requires the header Retry-After', (t) => {
  const unavailable = model.operations.map(({ id, answers }) => ({ id, headers: answers.get(503)?.headers }));
  t.true(unavailable.length > 60);

  const without = unavailable.filter(({ headers }) => !headers?.get('Retry-After')?.isRequired);
  t.deepEqual(without, []);
});

test('every answer may have the headers of the rate limits, because a call is counted before it is refused', (t) => {
  const answers = model.operations.flatMap((operation) =>
    [...operation.answers].map(([status, { headers }]) => ({ name: `${operation.id} ${status}`, headers })),
  );
  t.true(answers.length > 500);

  for (const header of ['RateLimit', 'RateLimit-Policy'])
    t.deepEqual(
      answers.filter(({ headers }) => !headers.has(header)).map(({ name }) => name),
      [],
    );
});

test('every list that can answer in CSV has the header Content-Disposition', (t) => {
  const lists = model.operations.filter(({ success }) => success.csv !== null);
  t.is(lists.length, 7);

  t.deepEqual(
    lists.filter(({ success }) => !success.headers.has('Content-Disposition')),
    [],
  );
  t.true(answerHeaderNames(model).includes('Content-Disposition'));
});

const { description, operations } = readContract().model;
const forKeys = operations.filter(({ security }) => security.flat().includes('bearerAuth'));
const wrapped = ['createCheckout', 'removeWebhookEndpoint', 'sendTestEvent', 'resendDelivery', 'replayDeliveries'];

const fieldsOf = ({ success }: ModelOperation) => Object.entries(success.content?.schema.properties ?? {});
const namesOf = (operation: ModelOperation) => fieldsOf(operation).map(([name]) => name);

test('five operations wrap their answer in success, message and data, and the contract lists these operations', (t) => {
  const found = forKeys.filter((operation) => namesOf(operation).includes('success'));

  t.deepEqual(found.map(({ id }) => id as string).sort(), wrapped.toSorted());
  for (const operation of found) t.deepEqual(namesOf(operation), ['success', 'message', 'data'], operation.id);
  const [, sentence = ''] = /answer `{success, message, data}`\s+instead: ([^.]+)\./.exec(description) ?? [];
  t.deepEqual(
    [...sentence.matchAll(/`(\w+)`/g)].map(([, id]) => id),
    wrapped,
  );
});

test('the answer of every list has records and a total, and no other answer has a total', (t) => {
  const lists = forKeys.filter(({ id }) => id.startsWith('list'));

  t.true(lists.length >= 8);
  for (const list of lists) {
    const [records, total, ...others] = fieldsOf(list);
    t.is(records?.[1].type, 'array', list.id);
    t.deepEqual([total?.[0], others], ['total', []], list.id);
  }
  const withTotal = forKeys.filter((operation) => namesOf(operation).includes('total'));
  t.deepEqual(withTotal, lists);
});

test('an unexpected error is answered with 500 and a fixed message, without the cause of the error', async (t) => {
  const server = await startServer(t);
  const { testKey } = await server.createMerchant();
  await server.database.query('alter table transfer rename to elsewhere');

  const response = await server.request('/api/v1/transfers', { key: testKey });

  t.is(response.status, 500);
  const body = await response.json();
  t.is(body.message, 'Something went wrong on our side');
  t.is(body.error.code, 'internal_error');
  t.notRegex(JSON.stringify(body), /transfer|relation|select/i);
  t.is((await fetch(`${server.url}/healthz`)).status, 200);
});

test('503 for a call, a page and /readyz while the database is unreachable; 200 when the database is back', async (t) => {
  const proxy = await startCuttableProxy(await findPostgres());
  t.teardown(() => proxy.cut());
  const server = await startServer(t, {}, proxy.reach);
  const { testKey, client } = await server.createMerchant();
  const { data: checkout } = await client.checkout.create({ email: 'ada@example.com', amount: 500_000 });
  await proxy.cut();

  const response = await fetch(`${server.url}/api/v1/payments`, { headers: { authorization: `Bearer ${testKey}` } });

  t.is(response.status, 503);
  t.like(await response.json(), { error: { code: 'service_unavailable', type: 'api_error' } });
  t.is((await fetch(`${server.url}/readyz`)).status, 503);
  const page = await fetch(checkout.checkoutUrl);
  t.is(page.status, 503);
  t.is(page.headers.get('retry-after'), '1');
  t.regex(await page.text(), /Payments are not available right now/);
  await proxy.restore();
  t.is((await client.payments.list()).total, 1);
  await eventually(async () => (await fetch(`${server.url}/readyz`)).status, 200);
});

const server = serverForFile();

interface Listed {
  id: string;
}

interface Page {
  records: Listed[];
  total: number;
}

interface List {
  fill(merchant: TestMerchant): Promise<void>;
  read(merchant: TestMerchant, query: object, mode?: 'live'): Promise<Page>;
  filter?: object;
}

const five = [1, 2, 3, 4, 5];
const clientOf = (merchant: TestMerchant, mode?: 'live') => (mode ? merchant.liveClient : merchant.client);

async function fillDeliveries(merchant: TestMerchant): Promise<void> {
  const { id: webhookId } = await merchant.client.webhookEndpoints.register({ url: unreachableUrl });
  await insertDeliveries(server(), merchant, { webhookId, reference: 'order-1' });
  await insertDeliveries(server(), merchant, { webhookId, count: 4, reference: 'order-2', event: 'checkout.failed' });
}

const lists: { [operation: string]: List } = {
  listPayments: {
    fill: async (merchant) => {
      for (const number of five) await startCheckout(merchant, `order-${number}`);
    },
    read: async (merchant, query, mode) => {
      const { payments: records, total } = await clientOf(merchant, mode).payments.list(query);
      return { records, total };
    },
    filter: { reference: 'order-1' },
  },
  listRefunds: {
    fill: async ({ client }) => {
      await client.checkout.create({ email: 'ada@example.com', amount: 5, reference: 'order-1' });
      await client.testHelpers.completePayment('order-1');
      for (const number of five) await client.refunds.create('order-1', { amount: 1, reference: `refund-${number}` });
    },
    read: async (merchant, query, mode) => {
      const { refunds: records, total } = await clientOf(merchant, mode).refunds.list(query);
      return { records, total };
    },
  },
  listCustomers: {
    fill: async ({ client }) => {
      for (const number of five) await client.checkout.create({ email: `customer${number}@example.com`, amount: 5 });
    },
    read: async (merchant, query, mode) => {
      const { customers: records, total } = await clientOf(merchant, mode).customers.list(query);
      return { records, total };
    },
    filter: { search: 'customer1' },
  },
  listTransfers: {
    fill: async ({ client }) => {
      await client.testHelpers.fundWallet({ amount: 5 });
      for (const number of five) {
        await client.transfers.create({ reference: `payout-${number}`, amount: 1, recipient: recipient() });
      }
    },
    read: async (merchant, query, mode) => {
      const { transfers: records, total } = await clientOf(merchant, mode).transfers.list(query);
      return { records, total };
    },
    filter: { reference: 'payout-1' },
  },
  listWalletEntries: {
    fill: async ({ client }) => {
      for (const amount of five) await client.testHelpers.fundWallet({ amount });
    },
    read: async (merchant, query, mode) => {
      const { entries: records, total } = await clientOf(merchant, mode).wallets.listEntries('transfer', query);
      return { records, total };
    },
  },
  listDeliveries: {
    fill: fillDeliveries,
    read: async (merchant, query, mode) => {
      const { deliveries: records, total } = await clientOf(merchant, mode).deliveries.list(query);
      return { records, total };
    },
    filter: { event: 'checkout.success' },
  },
  listEvents: {
    fill: async (merchant) => {
      await fillDeliveries(merchant);
      // With order=asc, an event is not listed while an earlier transaction of another test is open.
      await eventually(async () => (await merchant.client.events.list({ order: 'asc' })).events.length, 5);
    },
    read: async (merchant, query, mode) => {
      const { events: records, total } = await clientOf(merchant, mode).events.list(query);
      return { records, total };
    },
    filter: { event: 'checkout.success' },
  },
};

test('only the lists in this test have the parameter `after`, and each of them has the parameter `order`', (t) => {
  const taking = readContract().model.operations.filter(({ parameters }) =>
    parameters.some(({ name }) => name === 'after'),
  );

  t.deepEqual(
    taking.map(({ id }) => id).sort(),
    [
      ...Object.keys(lists),
      'listAuditEntries',
      'listMerchants',
      'listOpenTransfers',
      'listPaymentLinks',
      'listProducts',
      'listReviews',
    ].sort(),
  );
  for (const { id, parameters } of taking)
    t.true(
      parameters.some(({ name }) => name === 'order'),
      id,
    );
});

for (const [operation, { fill, read, filter }] of Object.entries(lists)) {
  test(`200 returns the records after the record whose id is in \`after\`, with order=asc and order=desc: ${operation}`, async (t) => {
    const merchant = await server().createMerchant();
    await fill(merchant);
    const { records } = await read(merchant, {});
    const ids = records.map(({ id }) => id);

    t.is(ids.length, 5);
    for (const order of ['desc', 'asc']) {
      const all = order === 'asc' ? ids.toReversed() : ids;
      const first = await read(merchant, { limit: 2, order });
      const second = await read(merchant, { limit: 2, order, after: all[1] });
      const third = await read(merchant, { limit: 2, order, after: all[3] });
      const fourth = await read(merchant, { limit: 2, order, after: all[4] });
      const pages = [first, second, third, fourth];
      t.deepEqual(
        pages.map((page) => page.records.map(({ id }) => id)),
        [all.slice(0, 2), all.slice(2, 4), all.slice(4), []],
      );
      t.deepEqual(
        pages.map(({ total }) => total),
        [5, 3, 1, 0],
      );
      t.deepEqual(
        (await read(merchant, { order, offset: 3, limit: 2 })).records.map(({ id }) => id),
        all.slice(3),
      );
      t.deepEqual(await read(merchant, { order, offset: 5 }), { records: [], total: 5 });
    }
    if (filter) {
      const found = await read(merchant, { ...filter, order: 'desc', after: ids[0] });
      t.deepEqual([found.records.map(({ id }) => id), found.total], [ids.slice(4), 1]);
    }
  });

  test(`400 when the record whose id is in \`after\` is not in the list: ${operation}`, async (t) => {
    const [owner, other] = [await server().createMerchant(), await server().createMerchant()];
    await fill(owner);
    const after = (await read(owner, { limit: 1 })).records[0]?.id;
    const unknown = '019aa3c4-7a5b-7c52-8f3a-1b2c3d4e5f62';

    for (const call of [
      read(other, { after }),
      read(owner, { after }, 'live'),
      read(owner, { after: unknown }),
      read(owner, { after: 'first' }),
    ]) {
      const error = await t.throwsAsync(call, { instanceOf: TillhookError });
      t.like(error, { status: 400, code: 'invalid_parameter', param: 'after' });
    }
    const error = await t.throwsAsync(read(owner, { after, offset: 0 }), { instanceOf: TillhookError });
    t.like(error, { status: 400, code: 'invalid_parameter', param: 'offset' });
  });
}

test('200 returns the records after the record whose id is in `after`, in the lists of the dashboard', async (t) => {
  const operator = await signIn(server(), undefined, 'operator');
  const { call, merchant } = await signIn(server());
  for (const number of [1, 2, 3]) await merchant.client.products.create({ name: `Mug ${number}`, price: 5 });
  const read = async (who: typeof call, query: string) => {
    const { total, ...lists } = await (await who(`/api/v1/dashboard/${query}`)).json();
    return { ids: (Object.values(lists).flat() as Listed[]).map(({ id }) => id), total };
  };

  const { ids } = await read(call, 'products');
  t.deepEqual(await read(call, `products?after=${ids[0]}&limit=1`), { ids: [ids[1]], total: 2 });
  t.deepEqual(await read(call, `products?after=${ids[1]}&order=asc`), { ids: [ids[0]], total: 1 });
  const all = await read(operator.call, 'operator/merchants?limit=3');
  const next = await read(operator.call, `operator/merchants?limit=1&after=${all.ids[1]}`);
  t.deepEqual(next.ids, [all.ids[2]]);
  t.is((await operator.call('/api/v1/dashboard/operator/transfers?order=desc')).status, 200);
  t.is((await operator.call('/api/v1/dashboard/operator/payments?order=desc')).status, 200);
  t.is((await call(`/api/v1/dashboard/audit-entries?after=${ids[0]}`)).status, 400);
});
