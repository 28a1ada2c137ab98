import { startReceiver } from '@tillhook/mock/receiver';
import type { OperationOutput } from '@tillhook/openapi';
import test from 'ava';
import {
  insertDeliveries,
  insertFailedAttempts,
  payOnce,
  unreachableUrl,
  waitForDeliveries,
} from '../support/receivers/deliveries.ts';
import { serverWithoutRetries } from '../support/server/tillhook.ts';
import { type RefusedQuery, type SignedIn, signIn, testRefusedQueries, userForFile } from '../support/users/session.ts';

const server = serverWithoutRetries();
const sharedUser = userForFile(server);
const path = '/api/v1/dashboard/endpoint-health';

async function healthOf({ call }: SignedIn, query = ''): Promise<OperationOutput<'listEndpointHealth'>> {
  return (await call(`${path}${query}`)).json();
}

test('200 has the last 24 hours of each endpoint, newest first, without removed endpoints', async (t) => {
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

test('200 says which endpoints fail: the newest attempts failed and none succeeded since', async (t) => {
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

test('200 counts an attempt without an answer, but without an answer time', async (t) => {
  const ada = await signIn(server());
  await ada.merchant.client.webhookEndpoints.register({ url: unreachableUrl });
  await payOnce(ada.merchant.client);
  await waitForDeliveries(ada.merchant.client);

  const { endpoints } = await healthOf(ada, '?hours=2');

  const [hours = []] = endpoints.map((endpoint) => endpoint.hours);
  t.is(hours.length, 2);
  // A new hour may have just begun.
  const busy = hours.filter(({ attempts }) => attempts > 0);
  t.deepEqual(
    busy.map(({ delivered, failed, attempts, median, p95 }) => [delivered, failed, attempts, median, p95]),
    [[0, 1, 1, null, null]],
  );
});

test('200 has the median and the 95th percentile of answer times, by the hour of the delivery', async (t) => {
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

test('200 shows nothing of another merchant or the other mode', async (t) => {
  const [ada, other] = [await signIn(server()), await signIn(server())];
  await ada.merchant.client.webhookEndpoints.register({ url: unreachableUrl });

  t.deepEqual((await healthOf(other)).endpoints, []);
  t.deepEqual((await (await ada.call(path, { mode: 'live' })).json()).endpoints, []);
});

const refused: RefusedQuery[] = [
  ['hours are more than a week', 'hours=169', 'invalid_parameter', 'hours'],
  ['there is no hour', 'hours=0', 'invalid_parameter', 'hours'],
  ['hours are no whole number', 'hours=1.5', 'invalid_parameter', 'hours'],
  ['a parameter is unknown', 'days=1', 'unknown_parameter', 'days'],
];

testRefusedQueries(path, sharedUser, refused);
