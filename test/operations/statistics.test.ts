import test from 'ava';
import { type DeliveryRow, type PaymentRow, writeRows } from '../statistics/generated-rows.ts';
import { payOnce, unreachableUrl, waitForDeliveries } from '../support/receivers/deliveries.ts';
import { serverForFile } from '../support/server/tillhook.ts';
import { type RefusedQuery, testRefusedQueries } from '../support/users/refused-queries.ts';
import { errorIn, type SignedIn, signIn, userForFile } from '../support/users/session.ts';

const server = serverForFile({ DELIVERY_RETRY_DELAYS_MS: '', RETENTION_DAYS: '3650' });
const sharedUser = userForFile(server);
const path = '/api/v1/dashboard/statistics';
const ofAda = { owner: 0, mode: 'test' } as const;
const noDeliveries = {
  created: 0,
  delivered: 0,
  failed: 0,
  skipped: 0,
  pending: 0,
  retrying: 0,
  attempts: 0,
  failedAttempts: 0,
};

async function statisticsOf({ call }: SignedIn, query = 'from=2026-03-02T00:00:00Z&to=2026-03-05T00:00:00Z') {
  const response = await call(`${path}?${query}`);
  if (!response.ok) throw new Error(`The answer was ${response.status}: ${await response.text()}`);
  return response.json();
}

type Paid = Partial<Pick<PaymentRow, 'status' | 'amount' | 'currency'>> & { at: string };

async function paid({ merchant: { id } }: SignedIn, { at, ...details }: Paid) {
  const payment = {
    ...ofAda,
    currency: 'NGN',
    status: 'completed',
    amount: 100,
    failure: null,
    isUnderReview: false,
  } as const;
  const payments = [{ ...payment, ...details, at: Date.parse(at) }];
  await writeRows(server().database, [{ id, endpoints: { test: [], live: [] } }], { payments, deliveries: [] });
}

test('getStatistics 200 counts payments by currency and by the day of their creation, in UTC', async (t) => {
  const ada = await signIn(server());
  await paid(ada, { at: '2026-03-02T00:00:00.000Z', amount: 500 });
  await paid(ada, { at: '2026-03-02T23:59:59.999Z', amount: 700 });
  await paid(ada, { at: '2026-03-02T12:00:00.000Z', amount: 11, currency: 'USD' });
  await paid(ada, { at: '2026-03-04T23:59:59.999Z', amount: 900, status: 'failed' });
  await paid(ada, { at: '2026-03-04T01:00:00.000Z', status: 'expired' });
  await paid(ada, { at: '2026-03-04T02:00:00.000Z', status: 'pending' });

  const statistics = await statisticsOf(ada);

  const dollars = { currency: 'USD', created: 1, completed: 1, failed: 0, expired: 0, amount: 11 };
  t.like(statistics, { from: '2026-03-02T00:00:00.000Z', to: '2026-03-05T00:00:00.000Z', interval: 'day' });
  t.deepEqual(statistics.payments, [
    { currency: 'NGN', created: 5, completed: 2, failed: 1, expired: 1, amount: 1200 },
    dollars,
  ]);
  t.deepEqual(statistics.intervals, [
    {
      startsAt: '2026-03-02T00:00:00.000Z',
      payments: [{ currency: 'NGN', created: 2, completed: 2, failed: 0, expired: 0, amount: 1200 }, dollars],
      deliveries: noDeliveries,
    },
    { startsAt: '2026-03-03T00:00:00.000Z', payments: [], deliveries: noDeliveries },
    {
      startsAt: '2026-03-04T00:00:00.000Z',
      payments: [{ currency: 'NGN', created: 3, completed: 0, failed: 1, expired: 1, amount: 0 }],
      deliveries: noDeliveries,
    },
  ]);
});

test('getStatistics 200 adds up amounts exactly, and returns the largest safe integer of JSON for larger sums', async (t) => {
  const ada = await signIn(server());
  const { id } = ada.merchant;
  const highest = 999_999_999_999;
  const payment = { ...ofAda, currency: 'JPY', status: 'completed', failure: null, isUnderReview: false } as const;
  const many = (count: number, at: string) =>
    Array.from({ length: count }, () => ({ ...payment, amount: highest, at: Date.parse(at) }));
  const payments = [...many(5000, '2026-03-02T10:00:00.000Z'), ...many(5000, '2026-03-03T10:00:00.000Z')];
  await writeRows(server().database, [{ id, endpoints: { test: [], live: [] } }], { payments, deliveries: [] });

  const statistics = await statisticsOf(ada);

  t.like(statistics.payments[0], { completed: 10_000, amount: Number.MAX_SAFE_INTEGER });
  t.deepEqual(
    statistics.intervals.map((interval: typeof statistics) => interval.payments[0]?.amount),
    [5000 * highest, 5000 * highest, undefined],
  );
});

test('getStatistics 200 counts deliveries by their status, and attempts, also of those that have not ended', async (t) => {
  const ada = await signIn(server());
  const { id: webhookId } = await ada.merchant.client.webhookEndpoints.register({ url: unreachableUrl });
  const attempt = (statusCode: number) => ({ afterMs: 0, durationMs: 5, statusCode, error: null });
  const some = (count: number, status: DeliveryRow['status'], at: string, codes: number[] = []): DeliveryRow[] =>
    Array.from({ length: count }, () => ({
      ...ofAda,
      endpoint: 0,
      status,
      event: 'checkout.success',
      isResent: false,
      attempts: codes.map(attempt),
      at: Date.parse(at),
    }));
  const deliveriesOfMarch = [
    ...some(4, 'delivered', '2026-03-03T10:00:00.000Z', [200]),
    ...some(3, 'failed', '2026-03-03T10:00:00.000Z'),
    ...some(2, 'skipped', '2026-03-03T10:00:00.000Z'),
    ...some(1, 'pending', '2026-03-04T10:00:00.000Z'),
    ...some(1, 'pending', '2026-03-04T10:00:00.000Z', [500, 503]),
  ];
  const owner = { id: ada.merchant.id, endpoints: { test: [webhookId], live: [] } };
  await writeRows(server().database, [owner], { payments: [], deliveries: deliveriesOfMarch });

  const { deliveries, intervals } = await statisticsOf(ada);

  const third = { ...noDeliveries, created: 9, delivered: 4, failed: 3, skipped: 2, attempts: 4 };
  const fourth = { ...noDeliveries, created: 2, pending: 2, retrying: 1, attempts: 2, failedAttempts: 2 };
  t.deepEqual(deliveries, { ...third, created: 11, pending: 2, retrying: 1, attempts: 6, failedAttempts: 2 });
  t.deepEqual(
    intervals.map((interval: { deliveries: object }) => interval.deliveries),
    [noDeliveries, third, fourth],
  );
});

test('getStatistics 200 includes the time `from` and excludes the time `to`, as the lists do', async (t) => {
  const ada = await signIn(server());
  await paid(ada, { at: '2026-03-03T09:30:00.000Z' });
  await paid(ada, { at: '2026-03-03T10:29:59.999Z' });
  await paid(ada, { at: '2026-03-03T10:30:00.000Z' });
  const [from, to] = ['2026-03-03T09:30:00.000Z', '2026-03-03T10:30:00.000Z'];

  const { payments, intervals } = await statisticsOf(ada, `from=${from}&to=${to}`);

  t.is(payments[0].created, 2);
  t.is((await ada.merchant.client.payments.list({ from, to })).total, 2);
  t.is(intervals.length, 1);
});

test('getStatistics 200 begins intervals at the full hour, even if `from` is not a full hour', async (t) => {
  const ada = await signIn(server());
  await paid(ada, { at: '2026-03-03T09:45:00.000Z' });
  await paid(ada, { at: '2026-03-03T11:15:00.000Z' });

  const { interval, intervals } = await statisticsOf(
    ada,
    'from=2026-03-03T10:30:00%2B01:00&to=2026-03-03T11:20:00Z&interval=hour',
  );

  t.is(interval, 'hour');
  t.deepEqual(
    intervals.map(({ startsAt, payments }: { startsAt: string; payments: { created: number }[] }) => [
      startsAt,
      payments[0]?.created ?? 0,
    ]),
    [
      ['2026-03-03T09:00:00.000Z', 1],
      ['2026-03-03T10:00:00.000Z', 0],
      ['2026-03-03T11:00:00.000Z', 1],
    ],
  );
});

test('getStatistics 200 counts the last seven days when the query has no period', async (t) => {
  const ada = await signIn(server());
  await payOnce(ada.merchant.client);
  await paid(ada, { at: new Date(Date.now() - 8 * 86_400_000).toISOString() });

  const { from, to, payments, intervals } = await statisticsOf(ada, '');

  t.true(Math.abs(Date.parse(to) - Date.now()) < 60_000);
  t.is(Date.parse(to) - Date.parse(from), 7 * 86_400_000);
  t.deepEqual(payments, [{ currency: 'NGN', created: 1, completed: 1, failed: 0, expired: 0, amount: 500_000 }]);
  // Intervals are days. Seven times 24 hours touch eight days, or seven if they begin at midnight.
  const dayOf = (timeMs: number) => Math.floor(timeMs / 86_400_000);
  t.is(intervals.length, dayOf(Date.parse(to) - 1) - dayOf(Date.parse(from)) + 1);
});

test('getStatistics 200 shows nothing of another merchant or the other mode', async (t) => {
  const [ada, other] = [await signIn(server()), await signIn(server())];
  await ada.merchant.client.webhookEndpoints.register({ url: unreachableUrl });
  await payOnce(ada.merchant.client);
  await waitForDeliveries(ada.merchant.client);

  const foreign = await (await other.call(path)).json();
  const live = await (await ada.call(path, { mode: 'live' })).json();

  for (const { payments, deliveries, failingEndpoints } of [foreign, live]) {
    t.deepEqual([payments, deliveries, failingEndpoints], [[], noDeliveries, []]);
  }
});

test('getStatistics 200 lists failing endpoints, and endpoints that were disabled after failures', async (t) => {
  const ada = await signIn(server());
  const { webhookEndpoints } = ada.merchant.client;
  const [failing, disabled, paused] = await Promise.all(
    [1, 2, 3].map(() => webhookEndpoints.register({ url: unreachableUrl })),
  );
  if (!failing || !disabled || !paused) return t.fail('One of the three endpoints was not registered.');
  await webhookEndpoints.update(paused.id, { isActive: false });
  await server().database.query(
    `update webhook_endpoint set is_active = false, disabled_reason = 'endpoint_gone', disabled_at = now() where id = $1`,
    [disabled.id],
  );
  await payOnce(ada.merchant.client);
  await waitForDeliveries(ada.merchant.client);

  const { failingEndpoints } = await statisticsOf(ada, '');

  const known = new Map<string, object>(failingEndpoints.map((endpoint: { id: string }) => [endpoint.id, endpoint]));
  t.deepEqual([...known.keys()].sort(), [failing.id, disabled.id].sort());
  const { id } = failing;
  t.deepEqual(known.get(id), {
    id,
    url: unreachableUrl,
    isActive: true,
    failuresInARow: 1,
    lastDeliveredAt: null,
    disabledReason: null,
  });
  t.like(known.get(disabled.id), { isActive: false, failuresInARow: 0, disabledReason: 'endpoint_gone' });
});

test('getStatistics 200 for up to 750 intervals', async (t) => {
  const { intervals } = await statisticsOf(
    await sharedUser(),
    'from=2026-03-01T00:00:00Z&to=2026-04-01T06:00:00Z&interval=hour',
  );

  t.is(intervals.length, 750);
});

const refused: RefusedQuery[] = [
  ['from is to', 'from=2026-03-01T00:00:00Z&to=2026-03-01T00:00:00Z', 'invalid_parameter', 'from'],
  ['from is after to', 'from=2026-03-02T00:00:00Z&to=2026-03-01T00:00:00Z', 'invalid_parameter', 'from'],
  ['from is after now', 'from=2999-01-01T00:00:00Z', 'invalid_parameter', 'from'],
  ['from is not a time', 'from=yesterday', 'invalid_parameter', 'from'],
  ['there are more than 750 days', 'from=2024-01-01T00:00:00Z&to=2026-03-01T00:00:00Z', 'invalid_parameter', 'from'],
  [
    'there are more than 750 hours',
    'from=2026-03-01T00:00:00Z&to=2026-04-01T06:00:01Z&interval=hour',
    'invalid_parameter',
    'from',
  ],
  ['the interval is unknown', 'interval=week', 'invalid_parameter', 'interval'],
  ['a parameter is unknown', 'currency=NGN', 'unknown_parameter', 'currency'],
];

testRefusedQueries({ operation: 'getStatistics', path }, sharedUser, refused);

test('getStatistics 400 when `from` is omitted and the seven days before `to` begin before the year 1', async (t) => {
  const { call } = await sharedUser();

  const response = await call(`${path}?to=0001-01-01T00:00:00Z`);

  t.deepEqual(await errorIn(response), [400, 'invalid_parameter']);
});
