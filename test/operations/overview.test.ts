import type { OperationOutput } from '@tillhook/openapi';
import test from 'ava';
import { payByForm } from '../support/money/hosted-page.ts';
import { chargeFee, recipient } from '../support/money/transfers.ts';
import {
  insertDeliveries,
  insertFailedAttempts,
  payOnce,
  unreachableUrl,
  waitForDeliveries,
} from '../support/receivers/deliveries.ts';
import { startReceiver } from '../support/receivers/receiver.ts';
import { serverWithoutRetries } from '../support/server/tillhook.ts';
import { type RefusedQuery, testRefusedQueries } from '../support/users/refused-queries.ts';
import { createKey, type SignedIn, signIn, userForFile } from '../support/users/session.ts';

const server = serverWithoutRetries();
const sharedUser = userForFile(server);
const path = '/api/v1/dashboard/overview';
const dayMs = 86_400_000;
const quarterMs = 900_000;
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
const noAnswers = { answered: 0, median: null, p95: null };

async function overviewOf({ call }: SignedIn, query = ''): Promise<OperationOutput<'getOverview'>> {
  const response = await call(`${path}${query}`);
  if (!response.ok) throw new Error(`The answer was ${response.status}: ${await response.text()}`);
  return response.json();
}

test('getOverview 200 is empty for a new account, and none of the first steps is done except the key, which came with the account', async (t) => {
  const overview = await overviewOf(await signIn(server()));

  t.like(overview, { days: 7, interval: 'day', attention: [] });
  for (const time of [overview.now, overview.before]) {
    t.like(time, { payments: [], deliveries: noDeliveries, answers: noAnswers, declines: [] });
  }
  t.deepEqual(overview.firstSteps, {
    endpointCreated: false,
    testEventSent: false,
    paymentCompleted: false,
    deliveryAccepted: false,
    apiKeyCreated: true,
    liveReady: false,
    isEstablished: false,
  });
});

test('getOverview 200 compares a number of days in UTC with the same number of earlier days, up to the same quarter of an hour', async (t) => {
  const ada = await sharedUser();

  for (const [days, intervals] of [
    [1, null],
    [7, 7],
    [30, 30],
    [90, 90],
  ] as const) {
    const { now, before, interval, intervals: shown } = await overviewOf(ada, `?days=${days}`);
    const [from, to] = [Date.parse(now.from), Date.parse(now.to)];

    t.true(Math.abs(to - Date.now()) < 60_000);
    t.is(from, Math.floor(to / dayMs) * dayMs - (days - 1) * dayMs);
    const quarter = Math.floor(to / quarterMs) * quarterMs;
    t.deepEqual([Date.parse(before.from), Date.parse(before.to)], [from - days * dayMs, quarter - days * dayMs]);
    t.is(interval, days === 1 ? 'hour' : 'day');
    t.is(shown.length, intervals ?? Math.ceil((to - from) / 3_600_000));
  }
});

test('getOverview 200 has the days of the merchant’s time zone', async (t) => {
  const ada = await signIn(server());
  const date = new Intl.DateTimeFormat('sv-SE', { timeZone: 'Asia/Kolkata' });
  await ada.call('/api/v1/dashboard/settings', { method: 'PATCH', json: { timeZone: 'Asia/Kolkata' } });

  const overview = await overviewOf(ada, '?days=30');

  t.is(overview.timeZone, 'Asia/Kolkata');
  t.is(overview.intervals.length, 30);
  for (const { startsAt } of overview.intervals) t.regex(startsAt, /T18:30:00\.000Z$/);
  t.is(date.format(new Date(overview.intervals.at(-1)?.startsAt ?? '')), date.format(new Date(overview.now.to)));
  t.is(overview.intervals[0]?.startsAt, overview.now.from);
});

test('getOverview 200 counts money on the day on which it moved, and subtracts refunds and fees', async (t) => {
  const ada = await signIn(server());
  const { client } = ada.merchant;
  await chargeFee(server(), ada.merchant, 25);
  for (const reference of ['order-old', 'order-new'])
    await client.checkout.create({ email: 'ada@example.com', amount: 10_000, reference });
  await server().database.query(
    `update payment set created_at = created_at - interval '20 days' where merchant_id = $1 and reference = 'order-old'`,
    [ada.merchant.id],
  );
  for (const reference of ['order-old', 'order-new']) await client.testHelpers.completePayment(reference);
  await client.refunds.create('order-old', { amount: 3000 });
  await client.wallets.topUp({ amount: 5000 });
  await client.transfers.create({ amount: 1000, reference: 'pay-1042', recipient: recipient() });

  const overview = await overviewOf(ada, '?days=7');

  const volume = [{ currency: 'NGN', payments: 2, gross: 20_000, refunds: 3000, fees: 25, net: 16_975 }];
  t.deepEqual([overview.now.volume, overview.before.volume], [volume, []]);
  t.deepEqual(overview.intervals.at(-1)?.volume, volume);
  t.deepEqual(
    overview.intervals.slice(0, -1).map((interval) => interval.volume),
    Array(6).fill([]),
  );
  t.like(overview.now.payments[0], { created: 1, completed: 1 }, 'outcomes are counted by the creation of payments');
});

test('getOverview 200 does not compare deliveries with a period whose deliveries were purged', async (t) => {
  const ada = await sharedUser();

  const month = await overviewOf(ada, '?days=30');
  const week = await overviewOf(ada, '?days=7');

  t.is(Date.parse(month.now.to) - Date.parse(month.deliveriesKeptFrom), 30 * dayMs);
  t.deepEqual([month.now.deliveries, month.now.answers], [noDeliveries, noAnswers]);
  t.deepEqual([month.before.deliveries, month.before.answers], [null, null]);
  t.deepEqual([week.before.deliveries, week.before.answers], [noDeliveries, noAnswers]);
});

test('getOverview 200 counts declines by reason, without payments that were completed later', async (t) => {
  const ada = await signIn(server());
  const { client } = ada.merchant;
  for (const cards of [['4000000000009995'], ['4000000000009995'], ['4000000000000069', '4242424242424242']]) {
    const { data } = await client.checkout.create({ email: 'ada@example.com', amount: 100 });
    for (const card of cards) await payByForm(data.checkoutUrl, card);
  }

  const { now } = await overviewOf(ada, '?days=7');

  t.deepEqual(now.declines, [{ code: 'insufficient_funds', message: 'The card has insufficient funds', count: 2 }]);
});

test('getOverview 200 marks each of the first steps as done when the merchant has done it', async (t) => {
  const ada = await signIn(server());
  const { client } = ada.merchant;
  const steps = async () => Object.values((await overviewOf(ada)).firstSteps).slice(0, 4);
  const { id } = await client.webhookEndpoints.register({ url: unreachableUrl });

  t.deepEqual(await steps(), [true, false, false, false]);
  await client.webhookEndpoints.sendTest(id);
  t.deepEqual(await steps(), [true, true, false, false]);
  await payOnce(client);
  t.deepEqual(await steps(), [true, true, true, false]);
  await waitForDeliveries(client);
  await server().database.query('update webhook_endpoint set last_delivered_at = now() where id = $1', [id]);
  t.deepEqual(await steps(), [true, true, true, true]);
});

test('getOverview 200 says that an account with payments is established after two weeks, or after a live payment', async (t) => {
  const isEstablished = async (user: SignedIn) => (await overviewOf(user)).firstSteps.isEstablished;
  const { query } = server().database;
  const grow = ({ merchant }: SignedIn, days: number) =>
    query('update merchant set created_at = now() - make_interval(days => $2) where id = $1', [merchant.id, days]);
  const [quiet, ada] = [await signIn(server()), await signIn(server())];
  await payOnce(ada.merchant.client);

  await grow(quiet, 15);
  t.false(await isEstablished(quiet), 'it has no payment');
  await grow(ada, 13);
  t.false(await isEstablished(ada));
  await grow(ada, 15);
  t.true(await isEstablished(ada));
  await grow(ada, 0);
  await query(`update ledger_account set mode = 'live' where merchant_id = $1`, [ada.merchant.id]);
  t.true(await isEstablished(ada));
});

test('getOverview 200 lists what needs attention, the most urgent first', async (t) => {
  const ada = await signIn(server());
  const { client } = ada.merchant;
  await client.checkout.create({ email: 'ada@example.com', amount: 1, reference: 'order-1' });
  await client.testHelpers.completePayment('order-1');
  const register = async (url: string) => (await client.webhookEndpoints.register({ url })).id;
  const staged = await register('http://127.0.0.1:9/staged');
  const failing = await register('http://127.0.0.1:9/failing');
  const disabled = await register('http://127.0.0.1:9/disabled');
  const { nextSecretAt } = await client.webhookEndpoints.rotateSecret(staged);
  const { query } = server().database;
  await query('update webhook_endpoint set failure_streak = 3 where id = $1', [failing]);
  await query(
    `update webhook_endpoint set is_active = false, disabled_reason = 'endpoint_gone', disabled_at = '2026-03-01' where id = $1`,
    [disabled],
  );
  await query(`update payment set review_reason = 'paid_twice' where merchant_id = $1`, [ada.merchant.id]);
  const key = await createKey(ada, { name: 'Web shop' });
  const expiresAt = new Date(Date.now() + 6 * dayMs).toISOString();
  await query('update api_key set expires_at = $2 where id = $1', [key.id, expiresAt]);
  const later = await createKey(ada, { name: 'Later' });
  await query(`update api_key set expires_at = now() + interval '8 days' where id = $1`, [later.id]);
  const live = await createKey(ada, { name: 'Live', mode: 'live' });
  await query(`update api_key set expires_at = now() + interval '1 day' where id = $1`, [live.id]);

  const { attention } = await overviewOf(ada);

  const [attempt] = await query<{ settled_at: Date }>(
    'select settled_at from payment_attempt join payment on payment.id = payment_id where merchant_id = $1',
    [ada.merchant.id],
  );
  const paidAt = attempt?.settled_at.toISOString() ?? null;
  const nothing = { reason: null, count: null, since: null, until: null };
  const url = 'http://127.0.0.1:9';
  t.deepEqual(attention, [
    {
      ...nothing,
      kind: 'endpoint_disabled',
      subject: disabled,
      label: `${url}/disabled`,
      reason: 'endpoint_gone',
      since: '2026-03-01T00:00:00.000Z',
    },
    { ...nothing, kind: 'endpoint_failing', subject: failing, label: `${url}/failing`, count: 3 },
    {
      ...nothing,
      kind: 'payment_under_review',
      subject: 'order-1',
      label: 'order-1',
      reason: 'paid_twice',
      since: paidAt,
    },
    { ...nothing, kind: 'key_expiring', subject: key.id, label: 'Web shop', until: expiresAt },
    { ...nothing, kind: 'rotation_staged', subject: staged, label: `${url}/staged`, until: nextSecretAt ?? '' },
  ]);
});

test('getOverview 200 lists an endpoint whose newest attempt failed, although none of its deliveries has the status failed', async (t) => {
  const ada = await signIn(server());
  const { webhookEndpoints } = ada.merchant.client;
  const { id: webhookId } = await webhookEndpoints.register({ url: unreachableUrl });
  const setLastDelivered = (at: string) =>
    server().database.query('update webhook_endpoint set last_delivered_at = now() + $2 where id = $1', [
      webhookId,
      at,
    ]);
  const ids = await insertDeliveries(server(), ada.merchant, { webhookId, status: 'pending' });
  const kinds = async () => (await overviewOf(ada)).attention.map(({ kind, count }) => [kind, count]);

  t.deepEqual(await kinds(), [], 'the endpoint waits for its first attempt');
  await insertFailedAttempts(server(), ids);
  t.deepEqual(await kinds(), [['endpoint_failing', 0]]);
  await setLastDelivered('-1 hour');
  t.deepEqual(await kinds(), [['endpoint_failing', 0]]);
  await setLastDelivered('1 second');
  t.deepEqual(await kinds(), [], 'another delivery has succeeded since the failure');
  await setLastDelivered('-1 hour');
  await webhookEndpoints.update(webhookId, { isActive: false });
  t.deepEqual(await kinds(), [], 'a paused endpoint gets no attempts');
});

test('getOverview 200 shows nothing of another merchant or the other mode', async (t) => {
  const [ada, other] = [await signIn(server()), await signIn(server())];
  await ada.merchant.client.webhookEndpoints.register({ url: unreachableUrl });
  await payOnce(ada.merchant.client);
  const empty = await overviewOf(other);

  const live = await (await ada.call(path, { mode: 'live' })).json();

  for (const { now, attention, firstSteps } of [empty, live]) {
    t.deepEqual([now.payments, now.deliveries, attention], [[], noDeliveries, []]);
    t.false(Object.values({ ...firstSteps, apiKeyCreated: false }).includes(true));
  }
});

const refused: RefusedQuery[] = [
  ['days is a number that is not offered', 'days=2', 'invalid_parameter', 'days'],
  ['days is not a number', 'days=week', 'invalid_parameter', 'days'],
  ['a parameter is unknown', 'from=2026-03-01T00:00:00Z', 'unknown_parameter', 'from'],
];

testRefusedQueries({ operation: 'getOverview', path }, sharedUser, refused);

const healthPath = '/api/v1/dashboard/endpoint-health';

async function healthOf({ call }: SignedIn, query = ''): Promise<OperationOutput<'listEndpointHealth'>> {
  return (await call(`${healthPath}${query}`)).json();
}

test('listEndpointHealth 200 has the last 24 hours of each endpoint, newest first, without removed endpoints', async (t) => {
  const ada = await signIn(server());
  const { webhookEndpoints } = ada.merchant.client;
  const first = await webhookEndpoints.register({ url: unreachableUrl });
  const second = await webhookEndpoints.register({ url: 'http://127.0.0.1:9/second' });
  await webhookEndpoints.remove((await webhookEndpoints.register({ url: unreachableUrl })).id);

  const { from, to, endpoints } = await healthOf(ada);

  t.true(Math.abs(Date.parse(to) - Date.now()) < 60_000);
  t.is(Date.parse(from), Math.floor(Date.parse(to) / 3_600_000) * 3_600_000 - 23 * 3_600_000);
  t.deepEqual(
    endpoints.map(({ id, url }) => [id, url]),
    [
      [second.id, 'http://127.0.0.1:9/second'],
      [first.id, unreachableUrl],
    ],
  );
  for (const { hours } of endpoints) {
    t.is(hours.length, 24);
    t.is(hours[0]?.startsAt, from);
    t.true(hours.every(({ attempts, median, p95 }) => attempts === 0 && median === null && p95 === null));
  }
});

test('listEndpointHealth 200 reports an endpoint as failing when its newest attempts failed, with no success since', async (t) => {
  const ada = await signIn(server());
  const { webhookEndpoints } = ada.merchant.client;
  const { id: webhookId } = await webhookEndpoints.register({ url: unreachableUrl });
  await webhookEndpoints.register({ url: unreachableUrl });
  const ids = await insertDeliveries(server(), ada.merchant, { webhookId, status: 'pending' });
  await insertFailedAttempts(server(), ids);

  const { endpoints } = await healthOf(ada);

  t.deepEqual(
    endpoints.map(({ isFailing }) => isFailing),
    [false, true],
  );
});

test('listEndpointHealth 200 counts an attempt that got no answer, but has no answer time for it', async (t) => {
  const ada = await signIn(server());
  await ada.merchant.client.webhookEndpoints.register({ url: unreachableUrl });
  await payOnce(ada.merchant.client);
  await waitForDeliveries(ada.merchant.client);

  const { endpoints } = await healthOf(ada, '?hours=2');

  const [hours = []] = endpoints.map((endpoint) => endpoint.hours);
  t.is(hours.length, 2);
  // A new hour without attempts may have just begun.
  const busy = hours.filter(({ attempts }) => attempts > 0);
  t.deepEqual(
    busy.map(({ delivered, failed, attempts, median, p95 }) => [delivered, failed, attempts, median, p95]),
    [[0, 1, 1, null, null]],
  );
});

test('listEndpointHealth 200 has the median and the 95th percentile of answer times, by the hour of the delivery', async (t) => {
  const ada = await signIn(server());
  const receiver = await startReceiver();
  t.teardown(() => receiver.stop());
  const { id } = await ada.merchant.client.webhookEndpoints.register({ url: receiver.url });
  await payOnce(ada.merchant.client);
  await waitForDeliveries(ada.merchant.client);
  const deliveryIds = '(select id from delivery where endpoint_id = $1)';
  await server().database.query(
    `insert into delivery_attempt (id, delivery_id, attempt, started_at, duration_ms, status_code, response_truncated)
     select gen_random_uuid(), delivery_id, took.attempt, started_at, took.ms, 500, false
     from delivery_attempt, (values (2, 20), (3, 300), (4, 400)) as took (attempt, ms) where delivery_id in ${deliveryIds}`,
    [id],
  );
  await server().database.query(
    `update delivery_attempt set duration_ms = 10 where attempt = 1 and delivery_id in ${deliveryIds}`,
    [id],
  );

  const { endpoints } = await healthOf(ada, '?hours=2');

  const busy = endpoints.flatMap(({ hours }) => hours).filter(({ attempts }) => attempts > 0);
  t.deepEqual(
    busy.map(({ delivered, failed, attempts, median, p95 }) => [delivered, failed, attempts, median, p95]),
    [[1, 0, 4, 20, 400]],
  );
});

test('listEndpointHealth 200 shows nothing of another merchant or the other mode', async (t) => {
  const [ada, other] = [await signIn(server()), await signIn(server())];
  await ada.merchant.client.webhookEndpoints.register({ url: unreachableUrl });

  t.deepEqual((await healthOf(other)).endpoints, []);
  t.deepEqual((await (await ada.call(healthPath, { mode: 'live' })).json()).endpoints, []);
});

const refusedHealth: RefusedQuery[] = [
  ['hours is more than a week', 'hours=169', 'invalid_parameter', 'hours'],
  ['hours is zero', 'hours=0', 'invalid_parameter', 'hours'],
  ['hours is not a whole number', 'hours=1.5', 'invalid_parameter', 'hours'],
  ['a parameter is unknown', 'days=1', 'unknown_parameter', 'days'],
];

testRefusedQueries({ operation: 'listEndpointHealth', path: healthPath }, sharedUser, refusedHealth);
