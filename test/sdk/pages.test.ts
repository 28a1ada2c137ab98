import { text } from 'node:stream/consumers';
import { inspect } from 'node:util';
import { type ModelOperation, readContract } from '@tillhook/openapi';
import { ApiError, RateLimitError, Tillhook, type TillhookError, TimeoutError, ValidationError } from '@tillhook/sdk';
import { TillhookSession } from '@tillhook/sdk/session';
import test from 'ava';
import { serverForFile } from '../support/server/tillhook.ts';
import { type Act, apiKey, failure, serve } from './scripted-server.ts';

const newest = Date.parse('2026-11-21T10:00:00.000Z');

const paymentsFrom = (first: number, count: number) =>
  Array.from({ length: count }, (_, place) => ({
    id: `payment-${first + place}`,
    createdAt: new Date(newest - 1000 * (first + place)).toISOString(),
  }));

const page = (payments: object[], total: number): Act => ({ status: 200, body: { payments, total } });
const idsOf = (records: object[]) => records.map((record) => (record as { id: string }).id);
const queryOf = (url = '') => Object.fromEntries(new URL(url, 'http://a').searchParams);

test('an awaited list returns one page, with the query of the call', async (t) => {
  const { seen, tillhook } = await serve(t, [page(paymentsFrom(0, 2), 5)]);

  const { payments, total } = await tillhook.payments.list({ limit: 2 });

  t.deepEqual([payments.length, total], [2, 5]);
  t.deepEqual(
    seen.map(({ url }) => queryOf(url)),
    [{ limit: '2' }],
  );
});

test('an iteration over a list returns every record in pages of 100, and each page begins after the last record of the previous page', async (t) => {
  const { seen, tillhook } = await serve(t, [page(paymentsFrom(0, 100), 150), page(paymentsFrom(100, 50), 50)]);

  const ids: string[] = [];
  for await (const payment of tillhook.payments.list({ status: 'failed' })) ids.push(payment.id);

  t.deepEqual(ids, idsOf(paymentsFrom(0, 150)));
  t.deepEqual(
    seen.map(({ url }) => queryOf(url)),
    [
      { limit: '100', status: 'failed' },
      { limit: '100', status: 'failed', after: 'payment-99' },
    ],
  );
});

test('an iteration over a list begins at `offset` or `after`, and sends `offset` only with the first request', async (t) => {
  const counted = await serve(t, [page(paymentsFrom(3, 2), 9), page(paymentsFrom(5, 1), 1)]);
  const continued = await serve(t, [page(paymentsFrom(3, 2), 3), page(paymentsFrom(5, 1), 1)]);

  const behind = await counted.tillhook.payments.list({ limit: 2, offset: 3 }).toArray({ max: 99 });
  await continued.tillhook.payments.list({ limit: 2, after: 'payment-2', order: 'asc' }).toArray({ max: 99 });

  t.deepEqual(idsOf(behind), idsOf(paymentsFrom(3, 3)));
  t.deepEqual(
    counted.seen.map(({ url }) => queryOf(url)),
    [
      { limit: '2', offset: '3' },
      { limit: '2', after: 'payment-4' },
    ],
  );
  t.deepEqual(
    continued.seen.map(({ url }) => queryOf(url)),
    [
      { limit: '2', after: 'payment-2', order: 'asc' },
      { limit: '2', after: 'payment-4', order: 'asc' },
    ],
  );
});

test('a query omits undefined values, and contains a Date as ISO time', async (t) => {
  const { seen, tillhook } = await serve(t, [page(paymentsFrom(0, 100), 150), page(paymentsFrom(100, 50), 150)]);
  const query = { limit: undefined, offset: undefined, from: new Date(0) } as object;

  const records = await tillhook.payments.list(query).toArray({ max: 999 });

  t.is(records.length, 150);
  t.deepEqual(queryOf(seen[0]?.url), { limit: '100', from: '1970-01-01T00:00:00.000Z' });
});

test('an iteration over a list ends if the server returns the same page again and again', async (t) => {
  const { seen, tillhook } = await serve(t, [{ status: 200, body: { payments: paymentsFrom(0, 2) } }]);

  const records = await tillhook.payments.list({ limit: 2 }).toArray({ max: 99 });

  t.deepEqual([records.length, seen.length], [4, 2]);
});

for (const [what, last] of [
  ['the page on which the total is reached', page(paymentsFrom(2, 2), 2)],
  ['an empty page', page([], 99)],
  ['a page with fewer records than the limit', page(paymentsFrom(2, 1), 99)],
] as const) {
  test(`an iteration over a list ends after ${what}`, async (t) => {
    const { seen, tillhook } = await serve(t, [page(paymentsFrom(0, 2), 99), last, page(paymentsFrom(50, 2), 99)]);

    for await (const { payments } of tillhook.payments.list({ limit: 2 }).pages()) t.true(payments.length > 0);

    t.is(seen.length, 2);
  });
}

test('toArray returns at most `max` records, and fetches no more pages than necessary', async (t) => {
  const { seen, tillhook } = await serve(t, [page(paymentsFrom(0, 3), 99)]);

  const records = await tillhook.payments.list().toArray({ max: 3 });

  t.is(records.length, 3);
  t.deepEqual(
    seen.map(({ url }) => queryOf(url).limit),
    ['3'],
  );
  await t.throwsAsync(tillhook.payments.list().toArray({ max: 0 }), { instanceOf: TypeError });
});

test('an iteration over a list without pages sends one request', async (t) => {
  const webhooks = paymentsFrom(0, 300);
  const { seen, tillhook } = await serve(t, [{ status: 200, body: { webhooks, total: 300 } }]);

  const records = await tillhook.webhookEndpoints.list().toArray({ max: 1000 });

  t.is(records.length, 300);
  t.is(seen.length, 1);
});

test('an iteration throws an error that asks about baseUrl when a page has no list of records', async (t) => {
  const { tillhook } = await serve(t, [{ status: 200, body: { items: [] } }]);

  const error = await t.throwsAsync(tillhook.payments.list().toArray({ max: 1 }), { instanceOf: ApiError });

  t.regex(error?.message ?? '', /no list payments. Is baseUrl/);
});

test('an iteration over a list throws the error of a later page', async (t) => {
  const { tillhook } = await serve(t, [page(paymentsFrom(0, 2), 9), { status: 400, body: 'no' }]);

  const ids: string[] = [];
  const walk = async () => {
    for await (const { id } of tillhook.payments.list({ limit: 2 })) ids.push(id);
  };

  await t.throwsAsync(walk(), { instanceOf: ApiError });
  t.is(ids.length, 2);
});

test('an iteration over a growing list returns the records that existed at its start', async (t) => {
  const { tillhook } = await serve(t, [page([], 0)]);
  const payments = paymentsFrom(0, 550);
  const growingFetch = async (input: unknown) => {
    const { searchParams } = new URL(String(input));
    const limit = Number(searchParams.get('limit'));
    const behind = payments.slice(payments.findIndex(({ id }) => id === searchParams.get('after')) + 1);
    const answer = { payments: behind.slice(0, limit), total: behind.length };
    // After each page, the list gets more new records than fit a page.
    payments.unshift(...paymentsFrom(-130 - payments.length, 130));
    return Response.json(answer);
  };
  const growing = new Tillhook(apiKey, { baseUrl: tillhook.baseUrl, fetch: growingFetch as typeof fetch });

  const ids = idsOf(await growing.payments.list().toArray({ max: 10_000 }));

  t.deepEqual(ids, idsOf(paymentsFrom(0, 550)));
});

const csv = { 'content-type': 'text/csv; charset=utf-8; header=present' };
const file: Act = { status: 200, headers: csv, body: 'id,amount\r\npayment-1,5\r\n' };

test('csv() requests the file with the filters of the list, and returns its bytes', async (t) => {
  const { seen, tillhook } = await serve(t, [file]);

  const stream = await tillhook.payments.list({ status: ['failed', 'expired'] }).csv();

  t.is(await text(stream), 'id,amount\r\npayment-1,5\r\n');
  t.deepEqual(
    seen.map(({ url, headers }) => [url, headers.accept]),
    [['/api/v1/payments?status=failed&status=expired', 'text/csv']],
  );
});

test('a CSV request is retried after a temporary failure', async (t) => {
  const { seen, tillhook } = await serve(t, [failure(503, 'api_error', 'service_unavailable'), file]);

  t.is(await text(await tillhook.transfers.list().csv()), 'id,amount\r\npayment-1,5\r\n');
  t.is(seen.length, 2);
});

test('csv() throws the error of the service', async (t) => {
  const { tillhook } = await serve(t, [failure(429, 'rate_limit_error', 'rate_limited')], { maxRetries: 0 });

  await t.throwsAsync(tillhook.refunds.list().csv(), { instanceOf: RateLimitError });
});

test('csv() throws an error when the response is not a CSV file', async (t) => {
  const { tillhook } = await serve(t, [
    { status: 200, headers: { 'content-type': 'text/html' }, body: '<p>Hello</p>' },
  ]);

  await t.throwsAsync(tillhook.payments.list().csv(), { instanceOf: ApiError });
});

test('the stream of a CSV file fails when the connection breaks', async (t) => {
  const { tillhook } = await serve(t, [
    (res) => {
      res.writeHead(200, { ...csv, 'content-length': '1000' });
      res.write('id,amount\r\n', () => setTimeout(() => res.destroy(), 50));
    },
  ]);

  const stream = await tillhook.wallets.listEntries('transfer').csv();

  await t.throwsAsync(text(stream));
});

test('csv() throws a TimeoutError when the file does not begin in time', async (t) => {
  const { tillhook } = await serve(t, [() => {}], { timeoutMs: 50, maxRetries: 0 });

  await t.throwsAsync(tillhook.payments.list().csv(), { instanceOf: TimeoutError });
});

// A filter without values must not return all records.

const server = serverForFile();
const { operations } = readContract().model;
const takesList = ({ parameters }: ModelOperation) =>
  parameters.flatMap(({ in: place, name, schema }) => (place === 'query' && schema.type === 'array' ? [name] : []));
const filters = operations.flatMap((operation) => takesList(operation).map((name) => ({ operation, name })));

type Lists = Record<string, Record<string, (query: object) => Promise<unknown> & { csv?: () => Promise<unknown> }>>;

test('the contract has filters that accept several values', (t) => {
  t.true(filters.length >= 5, `${filters.length}`);
});

for (const { operation, name } of filters) {
  test(`${operation.id} sends an empty list in the filter ${name}, also for a CSV file`, async (t) => {
    const { seen, baseUrl } = await serve(t, [{ status: 400, body: {} }]);
    const [resource = '', verb = ''] = operation.sdkMethod?.split('.') ?? [];
    const clients = new TillhookSession({ mode: 'test', baseUrl }) as unknown as Lists;
    const ask = () => clients[resource]?.[verb]?.({ [name]: [] });

    await t.throwsAsync(async () => ask(), { instanceOf: ApiError });
    if (operation.success.csv) await t.throwsAsync(async () => ask()?.csv?.(), { instanceOf: ApiError });

    const address = `${operation.path}?${name}=`;
    t.deepEqual(
      seen.map(({ url }) => url),
      operation.success.csv ? [address, address] : [address],
    );
  });

  for (const value of [null, [null], [undefined], ['completed', undefined]]) {
    test(`${operation.id} throws for ${name}: ${inspect(value)} and sends no request`, async (t) => {
      const { seen, baseUrl } = await serve(t, [{ status: 400, body: {} }]);
      const [resource = '', verb = ''] = operation.sdkMethod?.split('.') ?? [];
      const clients = new TillhookSession({ mode: 'test', baseUrl }) as unknown as Lists;

      t.throws(() => clients[resource]?.[verb]?.({ [name]: value }), {
        instanceOf: TypeError,
        message: /Leave it out/,
      });

      t.is(seen.length, 0);
    });
  }
}

test('for a page, an iteration, a CSV file and a feed, the service rejects a filter with an empty list and names the filter', async (t) => {
  const { client } = await server().createMerchant();
  const nothing = { status: [] as const };
  const event = { event: [] as const };
  const calls: [param: string, ask: () => PromiseLike<unknown>][] = [
    ['status', () => client.payments.list(nothing)],
    ['status', () => client.payments.list(nothing).toArray({ max: 10 })],
    ['status', () => client.payments.list(nothing).csv()],
    ['event', () => client.events.list(event)],
    ['event', () => firstOf(client, event)],
  ];

  for (const [param, ask] of calls) {
    const error = await t.throwsAsync(async () => ask(), { instanceOf: ValidationError });
    t.is((error as TillhookError).param, param);
  }
});

async function firstOf(client: Tillhook, query: { event: readonly [] }): Promise<unknown> {
  for await (const event of client.events.follow({ ...query, from: 'oldest' })) return event;
  return undefined;
}
