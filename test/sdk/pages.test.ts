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

test('an iterated list gives every record, in pages of 100 that end at the newest record of the first page', async (t) => {
  const { seen, tillhook } = await serve(t, [page(paymentsFrom(0, 100), 150), page(paymentsFrom(100, 50), 150)]);

  const ids: string[] = [];
  for await (const payment of tillhook.payments.list({ status: 'failed' })) ids.push(payment.id);

  t.deepEqual(ids, idsOf(paymentsFrom(0, 150)));
  t.deepEqual(
    seen.map(({ url }) => queryOf(url)),
    [
      { limit: '100', offset: '0', status: 'failed' },
      { limit: '100', offset: '100', status: 'failed', to: '2026-11-21T10:00:00.001Z' },
    ],
  );
});

test('every page after the first ends at the newest record of the first page', async (t) => {
  const pages = [0, 10, 20].map((from) => page(paymentsFrom(from, Math.min(10, 25 - from)), 25));
  const { seen, tillhook } = await serve(t, pages);

  const records = await tillhook.payments.list({ limit: 10 }).toArray({ max: 99 });

  t.deepEqual(idsOf(records), idsOf(paymentsFrom(0, 25)));
  t.deepEqual(
    seen.map(({ url }) => queryOf(url).to),
    [undefined, '2026-11-21T10:00:00.001Z', '2026-11-21T10:00:00.001Z'],
  );
});

test('undefined values are left out of a query, and a Date is sent as its ISO time', async (t) => {
  const { seen, tillhook } = await serve(t, [page(paymentsFrom(0, 100), 150), page(paymentsFrom(100, 50), 150)]);
  const query = { limit: undefined, offset: undefined, from: new Date(0) } as object;

  const records = await tillhook.payments.list(query).toArray({ max: 999 });

  t.is(records.length, 150);
  t.deepEqual(queryOf(seen[0]?.url), { limit: '100', offset: '0', from: '1970-01-01T00:00:00.000Z' });
});

test('an iteration ends if the server answers the same page again and again', async (t) => {
  const { seen, tillhook } = await serve(t, [{ status: 200, body: { payments: paymentsFrom(0, 2) } }]);

  const records = await tillhook.payments.list({ limit: 2 }).toArray({ max: 99 });

  t.deepEqual([records.length, seen.length], [2, 2]);
});

test('a record that comes on two pages is given once', async (t) => {
  const shifted = [...paymentsFrom(1, 1), ...paymentsFrom(2, 1)];
  const { tillhook } = await serve(t, [page(paymentsFrom(0, 2), 3), page(shifted, 4), page([], 4)]);

  const records = await tillhook.payments.list({ limit: 2 }).toArray({ max: 10 });

  t.deepEqual(idsOf(records), ['payment-0', 'payment-1', 'payment-2']);
});

for (const [what, last] of [
  ['total', page(paymentsFrom(2, 2), 4)],
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

test('with the oldest first the SDK adds no end, and keeps that of the caller', async (t) => {
  const events = (from: number): Act => {
    const [id, next] = [from, from + 1].map((place) => `019aa3c4-9d1${place}-7c52-8f3a-1b2c3d4e5f60`);
    return { status: 200, body: { events: [{ id }, { id: next }], total: 9 } };
  };
  const to = '2020-01-01T00:00:00.000Z';
  const growing = await serve(t, [events(0), events(2)]);
  const cut = await serve(t, [page(paymentsFrom(0, 2), 9), page([], 9)]);

  await growing.tillhook.events.list({ order: 'asc', limit: 2 }).toArray({ max: 3 });
  await cut.tillhook.payments.list({ to, limit: 2 }).toArray({ max: 9 });

  t.deepEqual(
    growing.seen.map(({ url }) => queryOf(url)),
    [
      { order: 'asc', limit: '2', offset: '0' },
      { order: 'asc', limit: '2', offset: '2' },
    ],
  );
  t.is(queryOf(cut.seen[1]?.url).to, to);
});

test('after the largest offset the iteration continues from the last record', async (t) => {
  const { seen, tillhook } = await serve(t, [
    page(paymentsFrom(0, 2), 200_000),
    page(paymentsFrom(1, 2), 200_000),
    page([], 0),
  ]);

  const records = await tillhook.payments.list({ limit: 2, offset: 99_999 }).toArray({ max: 9 });

  t.deepEqual(idsOf(records), ['payment-0', 'payment-1', 'payment-2']);
  t.deepEqual(queryOf(seen[1]?.url), { limit: '2', offset: '0', to: '2026-11-21T09:59:59.001Z' });
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
    const [limit, offset] = [Number(searchParams.get('limit')), Number(searchParams.get('offset'))];
    const to = searchParams.get('to');
    const listed = payments.filter(({ createdAt }) => to === null || createdAt < to);
    const answer = { payments: listed.slice(offset, offset + limit), total: listed.length };
    // After each page more than a page of new records comes, some in the same millisecond as the newest one.
    payments.unshift(...paymentsFrom(-130 - payments.length, 130), {
      ...paymentsFrom(0, 1)[0],
      id: `late-${offset}`,
    } as never);
    return Response.json(answer);
  };
  const growing = new Tillhook(apiKey, { baseUrl: tillhook.baseUrl, fetch: asked as typeof fetch });

  const ids = idsOf(await growing.payments.list().toArray({ max: 10_000 })).filter((id) => !id.startsWith('late'));

  t.deepEqual(ids.sort(), idsOf(paymentsFrom(0, 550)).sort());
});
