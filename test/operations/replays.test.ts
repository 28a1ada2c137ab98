import { NotFoundError, ValidationError } from '@tillhook/sdk';
import test, { type ExecutionContext } from 'ava';
import { daysAgo, insertDeliveries, unreachableUrl, waitForDeliveries } from '../support/receivers/deliveries.ts';
import { startReceiver } from '../support/receivers/receiver.ts';
import { serverForFile } from '../support/server/tillhook.ts';

const server = serverForFile();
const since = '2026-01-01T00:00:00.000Z';

async function createRecoveredEndpoint(t: ExecutionContext) {
  const receiver = await startReceiver({ answer: () => ({ status: 200 }) });
  t.teardown(() => receiver.stop());
  const merchant = await server().createMerchant();
  const { id: webhookId } = await merchant.client.webhookEndpoints.register({ url: receiver.url });
  const { replay } = merchant.client.webhookEndpoints;
  return { receiver, merchant, client: merchant.client, webhookId, replay };
}

test('replayDeliveries 202 replays failed and skipped deliveries, and no deliveries in another status', async (t) => {
  const { receiver, merchant, client, webhookId, replay } = await createRecoveredEndpoint(t);
  const other = await client.webhookEndpoints.register({ url: unreachableUrl });
  const failed = await insertDeliveries(server(), merchant, { webhookId, count: 3 });
  const skipped = await insertDeliveries(server(), merchant, { webhookId, count: 2, status: 'skipped' });
  await insertDeliveries(server(), merchant, { webhookId, status: 'delivered' });
  await insertDeliveries(server(), merchant, { webhookId: other.id });

  const { success, message, data } = await replay(webhookId, { since });

  t.deepEqual([success, message, data], [true, '5 deliveries are sent again', { count: 5, hasMore: false }]);
  await receiver.waitFor(5);
  await waitForDeliveries(client);
  const { deliveries } = await client.deliveries.list({ webhookId, order: 'asc', limit: 100 });
  const resent = deliveries.filter(({ resentFrom }) => resentFrom !== null);
  t.deepEqual(
    resent.map(({ resentFrom }) => resentFrom),
    [...failed, ...skipped],
  );
  t.true(resent.every(({ status, attemptCount }) => status === 'delivered' && attemptCount === 1));
});

test('replayDeliveries 202 replays only the requested statuses and period', async (t) => {
  const { merchant, webhookId, replay } = await createRecoveredEndpoint(t);
  await insertDeliveries(server(), merchant, { webhookId, createdAt: daysAgo(9) });
  await insertDeliveries(server(), merchant, { webhookId, createdAt: daysAgo(8), status: 'skipped' });
  const count = async (body: Parameters<typeof replay>[1]) => (await replay(webhookId, body)).data.count;

  t.is(await count({ since: daysAgo(8, 1) }), 0);
  t.is(await count({ since, until: daysAgo(9) }), 0);
  t.is(await count({ since: daysAgo(8), statuses: ['failed'] }), 0);
  t.is(await count({ since: daysAgo(8), statuses: ['skipped'] }), 1);
  t.is(await count({ since, until: daysAgo(9, 1), statuses: ['failed'] }), 1);
});

test('replayDeliveries 202 does not replay a delivery that was already resent or replayed', async (t) => {
  const { merchant, client, webhookId, replay } = await createRecoveredEndpoint(t);
  const [resent = ''] = await insertDeliveries(server(), merchant, { webhookId, count: 2 });
  await client.deliveries.resend(resent);

  t.is((await replay(webhookId, { since })).data.count, 1);
  t.is((await replay(webhookId, { since })).data.count, 0);
});

test('replayDeliveries 202 replays a delivery that an earlier replay created and that has failed', async (t) => {
  const { merchant, client, webhookId, replay } = await createRecoveredEndpoint(t);
  await insertDeliveries(server(), merchant, { webhookId });
  await replay(webhookId, { since });
  await waitForDeliveries(client);
  await server().database.query(
    `update delivery set status = 'failed', status_reason = 'attempts_exhausted' where endpoint_id = $1 and resent_from is not null`,
    [webhookId],
  );

  t.is((await replay(webhookId, { since })).data.count, 1);
});

test('replayDeliveries 202 never replays test events', async (t) => {
  const { merchant, client, webhookId, replay } = await createRecoveredEndpoint(t);
  await client.webhookEndpoints.update(webhookId, { url: unreachableUrl });
  await client.webhookEndpoints.sendTest(webhookId);
  await insertDeliveries(server(), merchant, { webhookId, event: 'test.event', status: 'skipped' });

  t.deepEqual((await replay(webhookId, { since })).data, { count: 0, hasMore: false });
});

test('replayDeliveries 202 replays at most 10,000 deliveries, oldest first, and `hasMore` says whether more deliveries are left', async (t) => {
  const { merchant, client, webhookId, replay } = await createRecoveredEndpoint(t);
  const ids = await insertDeliveries(server(), merchant, { webhookId, count: 10_002 });

  const { data } = await replay(webhookId, { since });

  t.deepEqual(data, { count: 10_000, hasMore: true });
  const left = await server().database.query<{ id: string }>(
    'select id from delivery where endpoint_id = $1 and resent_from is null and resent_at is null order by id',
    [webhookId],
  );
  t.deepEqual(
    left.map(({ id }) => id),
    ids.slice(10_000),
  );
  t.deepEqual((await replay(webhookId, { since })).data, { count: 2, hasMore: false });
  // The endpoint is deleted, so that the test does not wait until ten thousand deliveries are sent.
  await client.webhookEndpoints.remove(webhookId);
});

test('replayDeliveries 202 when two replays race, and no delivery is replayed twice', async (t) => {
  const { merchant, webhookId, replay } = await createRecoveredEndpoint(t);
  await insertDeliveries(server(), merchant, { webhookId, count: 500 });

  const replays = await Promise.all(Array.from({ length: 8 }, () => replay(webhookId, { since })));

  t.is(
    replays.reduce((sum, { data }) => sum + data.count, 0),
    500,
  );
  const [row] = await server().database.query(
    'select count(*)::int, count(distinct resent_from)::int as sources from delivery where resent_from is not null and endpoint_id = $1',
    [webhookId],
  );
  t.deepEqual(row, { count: 500, sources: 500 });
});

test('replayDeliveries 202 replays no delivery while the endpoint is inactive, and every delivery after the endpoint is enabled', async (t) => {
  const { merchant, client, webhookId, replay } = await createRecoveredEndpoint(t);
  await insertDeliveries(server(), merchant, { webhookId, count: 2, status: 'skipped' });
  await client.webhookEndpoints.update(webhookId, { isActive: false });

  t.deepEqual((await replay(webhookId, { since })).data, { count: 0, hasMore: false });
  await client.webhookEndpoints.update(webhookId, { isActive: true });
  t.is((await replay(webhookId, { since })).data.count, 2);
});

const refused: [situation: string, body: object, code: string, param: string][] = [
  ['since is missing', {}, 'missing_parameter', 'since'],
  ['since is not a time', { since: 'yesterday' }, 'invalid_parameter', 'since'],
  ['until is not a time', { since, until: 'now' }, 'invalid_parameter', 'until'],
  ['statuses is an empty list', { since, statuses: [] }, 'invalid_parameter', 'statuses'],
  ['a status cannot be replayed', { since, statuses: ['delivered'] }, 'invalid_parameter', 'statuses'],
  ['a field is unknown', { since, limit: 5 }, 'unknown_parameter', 'limit'],
];

for (const [situation, body, code, param] of refused) {
  test(`replayDeliveries 400 when ${situation}`, async (t) => {
    const { webhookId, replay } = await createRecoveredEndpoint(t);

    const error = await t.throwsAsync(replay(webhookId, body as never), { instanceOf: ValidationError });

    t.like(error, { code, param });
  });
}

test('replayDeliveries 404 when the endpoint was removed, or belongs to another merchant or the other mode', async (t) => {
  const { merchant, client, webhookId, replay } = await createRecoveredEndpoint(t);
  const other = await server().createMerchant();
  await insertDeliveries(server(), merchant, { webhookId });

  await t.throwsAsync(other.client.webhookEndpoints.replay(webhookId, { since }), { instanceOf: NotFoundError });
  await t.throwsAsync(merchant.liveClient.webhookEndpoints.replay(webhookId, { since }), { instanceOf: NotFoundError });
  await client.webhookEndpoints.remove(webhookId);
  await t.throwsAsync(replay(webhookId, { since }), { instanceOf: NotFoundError });
  t.is((await client.deliveries.list()).total, 1);
});
