import { ApiError, Tillhook } from '@tillhook/sdk';
import test from 'ava';
import { type Act, apiKey, serve } from './scripted-server.ts';

const newest = Date.parse('2026-11-21T10:00:00.000Z');

/** Payments, one for each second. Number 0 is the newest. */
const paymentsFrom = (first: number, count: number) =>
  Array.from({ length: count }, (_, place) => ({
    id: `payment-${first + place}`,
    createdAt: new Date(newest - 1000 * (first + place)).toISOString(),
  }));

const page = (payments: object[], total: number): Act => ({ status: 200, body: { payments, total } });
const idsOf = (records: object[]) => records.map((record) => (record as { id: string }).id);
const queryOf = (url = '') => Object.fromEntries(new URL(url, 'http://a').searchParams);

test('an awaited list is one page, with the query of the call', async (t) => {
  const { seen, tillhook } = await serve(t, [page(paymentsFrom(0, 2), 5)]);

  const { payments, total } = await tillhook.payments.list({ limit: 2 });

  t.deepEqual([payments.length, total], [2, 5]);
  t.deepEqual(
    seen.map(({ url }) => queryOf(url)),
    [{ limit: '2' }],
  );
});

test('an iterated list gives every record, in pages of 100, each after the last record of the one before', async (t) => {
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

test('an iteration continues from offset or after, and sends offset only once', async (t) => {
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

test('undefined values are left out of a query, and a Date is sent as its ISO time', async (t) => {
  const { seen, tillhook } = await serve(t, [page(paymentsFrom(0, 100), 150), page(paymentsFrom(100, 50), 150)]);
  const query = { limit: undefined, offset: undefined, from: new Date(0) } as object;

  const records = await tillhook.payments.list(query).toArray({ max: 999 });

  t.is(records.length, 150);
  t.deepEqual(queryOf(seen[0]?.url), { limit: '100', from: '1970-01-01T00:00:00.000Z' });
});

test('an iteration ends if the server answers the same page again and again', async (t) => {
  const { seen, tillhook } = await serve(t, [{ status: 200, body: { payments: paymentsFrom(0, 2) } }]);

  const records = await tillhook.payments.list({ limit: 2 }).toArray({ max: 99 });

  t.deepEqual([records.length, seen.length], [4, 2]);
});

for (const [what, last] of [
  ['total', page(paymentsFrom(2, 2), 2)],
  ['an empty page', page([], 99)],
  ['a short page', page(paymentsFrom(2, 1), 99)],
] as const) {
  test(`${what} ends a list`, async (t) => {
    const { seen, tillhook } = await serve(t, [page(paymentsFrom(0, 2), 99), last, page(paymentsFrom(50, 2), 99)]);

    for await (const { payments } of tillhook.payments.list({ limit: 2 }).pages()) t.true(payments.length > 0);

    t.is(seen.length, 2);
  });
}

test('toArray gives at most max records, and fetches no more pages than it needs', async (t) => {
  const { seen, tillhook } = await serve(t, [page(paymentsFrom(0, 3), 99)]);

  const records = await tillhook.payments.list().toArray({ max: 3 });

  t.is(records.length, 3);
  t.deepEqual(
    seen.map(({ url }) => queryOf(url).limit),
    ['3'],
  );
  await t.throwsAsync(tillhook.payments.list().toArray({ max: 0 }), { instanceOf: TypeError });
});

test('a list without pages is fetched once', async (t) => {
  const webhooks = paymentsFrom(0, 300);
  const { seen, tillhook } = await serve(t, [{ status: 200, body: { webhooks, total: 300 } }]);

  const records = await tillhook.webhookEndpoints.list().toArray({ max: 1000 });

  t.is(records.length, 300);
  t.is(seen.length, 1);
});

test('a page without its list is an error with a clear message', async (t) => {
  const { tillhook } = await serve(t, [{ status: 200, body: { items: [] } }]);

  const error = await t.throwsAsync(tillhook.payments.list().toArray({ max: 1 }), { instanceOf: ApiError });

  t.regex(error?.message ?? '', /no list payments. Is baseUrl/);
});

test('a failure on a later page is thrown in the loop', async (t) => {
  const { tillhook } = await serve(t, [page(paymentsFrom(0, 2), 9), { status: 400, body: 'no' }]);

  const ids: string[] = [];
  const walk = async () => {
    for await (const { id } of tillhook.payments.list({ limit: 2 })) ids.push(id);
  };

  await t.throwsAsync(walk(), { instanceOf: ApiError });
  t.is(ids.length, 2);
});

test('an iteration over a growing list gives the records of its beginning', async (t) => {
  const { tillhook } = await serve(t, [page([], 0)]);
  const payments = paymentsFrom(0, 550);
  const asked = async (input: unknown) => {
    const { searchParams } = new URL(String(input));
    const limit = Number(searchParams.get('limit'));
    const behind = payments.slice(payments.findIndex(({ id }) => id === searchParams.get('after')) + 1);
    const answer = { payments: behind.slice(0, limit), total: behind.length };
    // After each page more than a page of new records comes.
    payments.unshift(...paymentsFrom(-130 - payments.length, 130));
    return Response.json(answer);
  };
  const growing = new Tillhook(apiKey, { baseUrl: tillhook.baseUrl, fetch: asked as typeof fetch });

  const ids = idsOf(await growing.payments.list().toArray({ max: 10_000 }));

  t.deepEqual(ids, idsOf(paymentsFrom(0, 550)));
});
