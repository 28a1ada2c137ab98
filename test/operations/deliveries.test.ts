import { NotFoundError, ValidationError } from '@tillhook/sdk';
import { unwrap } from '@tillhook/sdk/webhooks';
import { roles } from '@tillhook/server/src/kit/permissions.ts';
import test from 'ava';
import { eventually } from '../support/eventually.ts';
import {
  daysAgo,
  insertDeliveries,
  insertFailedAttempts,
  payOnce,
  unreachableUrl,
  waitForDeliveries,
} from '../support/receivers/deliveries.ts';
import { startReceiver } from '../support/receivers/receiver.ts';
import { serverForFile } from '../support/server/tillhook.ts';
import { type SignedIn, signIn } from '../support/users/session.ts';

const server = serverForFile();
const slowServer = serverForFile({ DELIVERY_RETRY_DELAYS_MS: '3600000' });

test('getDelivery 200 shows the request that was sent, without its signatures, and all attempts in order', async (t) => {
  const receiver = await startReceiver({
    answer: (_delivery, index) => ({ status: index === 0 ? 503 : 200, body: index === 0 ? 'restarting' : 'ok' }),
  });
  t.teardown(() => receiver.stop());
  const { client } = await server().createMerchant();
  await client.webhookEndpoints.register({ url: receiver.url });
  await payOnce(client);
  const arrived = await receiver.waitFor(2);
  const sent = arrived.at(-1);
  await waitForDeliveries(client);

  const delivery = await client.deliveries.get(String(sent?.headers['x-service-delivery-id']));

  t.like(delivery, { status: 'delivered', attemptCount: 2 });
  t.is(delivery.request.body, String(sent?.body));
  const shown = Object.entries(delivery.request.headers);
  t.deepEqual(shown.map(([name]) => name).sort(), [
    'Content-Type',
    'User-Agent',
    'X-Service-Attempt',
    'X-Service-Delivery-Id',
    'X-Service-Event',
    'X-Service-Webhook-Id',
    'webhook-id',
    'webhook-timestamp',
  ]);
  for (const [name, value] of shown) t.is(value, String(sent?.headers[name.toLowerCase()]));
  t.like(delivery.attempts, [
    { attempt: 1, statusCode: 503, error: null, responseBody: 'restarting', responseTruncated: false },
    { attempt: 2, statusCode: 200, error: null, responseBody: 'ok', responseTruncated: false },
  ]);
  for (const [index, { requestHeaders }] of delivery.attempts.entries()) {
    const got = arrived[index]?.headers ?? {};
    const names = Object.keys(requestHeaders);
    t.deepEqual(names.sort(), Object.keys(delivery.request.headers).sort());
    for (const name of names) t.is(requestHeaders[name], String(got[name.toLowerCase()]), `${name} of ${index + 1}`);
  }
});

test('getDelivery 200 shows the signatures that were sent to users who may see the secret, until the secrets change', async (t) => {
  const receiver = await startReceiver();
  t.teardown(() => receiver.stop());
  const merchant = await server().createMerchant();
  const { webhookEndpoints } = merchant.client;
  const { id } = await webhookEndpoints.register({ url: receiver.url });
  const users = await Promise.all(roles.map((role) => signIn(server(), merchant, role)));
  const [administrator] = users as [SignedIn];
  const signaturesFor = async (user: SignedIn, delivery: string) => {
    const answer = await user.call(`/api/v1/webhook-deliveries/${delivery}`);
    const { request, attempts } = await answer.json();
    t.deepEqual(request.headers, attempts[0].requestHeaders);
    return signaturesIn(attempts[0].requestHeaders);
  };
  const send = async () => {
    const { data } = await webhookEndpoints.sendTest(id);
    return { id: data.deliveryId, sent: signaturesIn(receiver.deliveries.at(-1)?.headers ?? {}) };
  };

  const first = await send();
  t.is(first.sent.length, 2);
  t.deepEqual(
    await Promise.all(users.map((user) => signaturesFor(user, first.id))),
    roles.map((role) => (role === 'administrator' || role === 'developer' ? first.sent : [])),
  );
  t.deepEqual(signaturesIn((await merchant.client.deliveries.get(first.id)).request.headers), []);

  await webhookEndpoints.rotateSecret(id);
  t.deepEqual(await signaturesFor(administrator, first.id), []);
  const second = await send();
  t.is(second.sent[1]?.split(' ').length, 2);
  t.deepEqual(
    await signaturesFor(administrator, second.id),
    [],
    'the attempt may have been claimed before the rotation',
  );
  await server().database.query(
    `update webhook_endpoint set secrets_changed_at = secrets_changed_at - interval '1 hour' where id = $1`,
    [id],
  );
  t.deepEqual(await signaturesFor(administrator, second.id), second.sent);
});

function signaturesIn(headers: object): string[] {
  const found = Object.entries(headers).filter(([name]) => /signature$/i.test(name));
  return found.map(([, value]) => String(value)).sort();
}

test('getDelivery 200 shows the reason why an attempt got no answer', async (t) => {
  const { client } = await server().createMerchant();
  const { id } = await client.webhookEndpoints.register({ url: unreachableUrl });
  const { data } = await client.webhookEndpoints.sendTest(id);

  const { event, status, statusReason, attempts } = await client.deliveries.get(data.deliveryId);

  t.deepEqual([event, status, statusReason], ['test.event', 'failed', 'attempts_exhausted']);
  t.like(attempts, [{ statusCode: null, error: 'connection_refused', responseHeaders: null, responseBody: null }]);
});

test('getDelivery 200 shows the URL of each attempt, even if the endpoint has another URL now', async (t) => {
  const [first, second] = [await startReceiver({ answer: () => ({ status: 500 }) }), await startReceiver()];
  t.teardown(() => Promise.all([first.stop(), second.stop()]));
  const { client } = await slowServer().createMerchant();
  const { id } = await client.webhookEndpoints.register({ url: first.url });
  await payOnce(client);
  const [sent] = await first.waitFor(1);
  const shown = async () => {
    const { url, attempts } = await client.deliveries.get(String(sent?.headers['x-service-delivery-id']));
    return [url, ...attempts.map((attempt) => attempt.url)];
  };
  await eventually(shown, [first.url, first.url]);

  await client.webhookEndpoints.update(id, { url: second.url });
  await client.test.advanceTime({ seconds: 90_000 });

  await eventually(shown, [second.url, first.url, second.url]);
  t.deepEqual(await shown(), [second.url, first.url, second.url]);
});

test('getDelivery 200 shows the request even before the first attempt', async (t) => {
  const merchant = await server().createMerchant();
  const { id: webhookId } = await merchant.client.webhookEndpoints.register({ url: unreachableUrl });
  const [id = ''] = await insertDeliveries(server(), merchant, { webhookId, status: 'pending' });

  const { status, nextAttemptAt, attempts, request } = await merchant.client.deliveries.get(id);

  t.is(status, 'pending');
  t.truthy(nextAttemptAt);
  t.deepEqual(attempts, []);
  t.false('X-Service-Attempt' in request.headers || 'webhook-timestamp' in request.headers);
  t.is(JSON.parse(request.body).webhookId, webhookId);
});

test('getDelivery 200 shows no time of a next attempt while an attempt is in flight', async (t) => {
  const merchant = await server().createMerchant();
  const { id: webhookId } = await merchant.client.webhookEndpoints.register({ url: unreachableUrl });
  const [id = ''] = await insertDeliveries(server(), merchant, { webhookId, status: 'pending' });
  await server().database.query('update pending_delivery set lease = gen_random_uuid() where delivery_id = $1', [id]);

  t.like(await merchant.client.deliveries.get(id), { status: 'pending', nextAttemptAt: null });
});

test('getDelivery 200 shows a delivery of a removed endpoint', async (t) => {
  const merchant = await server().createMerchant();
  const { id: webhookId } = await merchant.client.webhookEndpoints.register({ url: unreachableUrl });
  const [id = ''] = await insertDeliveries(server(), merchant, { webhookId });
  await merchant.client.webhookEndpoints.remove(webhookId);

  t.like(await merchant.client.deliveries.get(id), { id, webhookId, url: unreachableUrl });
});

test('getDelivery 400 when the id is not a UUID', async (t) => {
  const { client } = await server().createMerchant();

  t.like(await t.throwsAsync(client.deliveries.get('first')), { code: 'invalid_parameter', param: 'id' });
});

test('getDelivery 404 when the delivery belongs to another merchant or the other mode', async (t) => {
  const [owner, other] = await Promise.all([server().createMerchant(), server().createMerchant()]);
  const { id: webhookId } = await owner.client.webhookEndpoints.register({ url: unreachableUrl });
  const [id = ''] = await insertDeliveries(server(), owner, { webhookId });

  await t.throwsAsync(other.client.deliveries.get(id), { instanceOf: NotFoundError });
  await t.throwsAsync(owner.liveClient.deliveries.get(id), { instanceOf: NotFoundError });
});

test('listDeliveries 200 lists the deliveries of every endpoint, newest first', async (t) => {
  const receiver = await startReceiver();
  t.teardown(() => receiver.stop());
  const { client } = await server().createMerchant();
  const endpoint = await client.webhookEndpoints.register({ url: receiver.url });
  const first = await payOnce(client);
  const second = await payOnce(client);
  await waitForDeliveries(client);

  const { deliveries, total } = await client.deliveries.list();

  t.is(total, 2);
  t.deepEqual(
    deliveries.map(({ reference }) => reference),
    [second, first],
  );
  const sent = receiver.deliveries.find(({ headers }) => headers['x-service-delivery-id'] === deliveries[0]?.id);
  t.like(deliveries[0], {
    eventId: sent?.headers['webhook-id'],
    webhookId: endpoint.id,
    event: 'checkout.success',
    url: receiver.url,
    mode: 'test',
    status: 'delivered',
    statusReason: null,
    attemptCount: 1,
    nextAttemptAt: null,
    resentFrom: null,
  });
  t.truthy(deliveries[0]?.completedAt);
});

test('listDeliveries 200 lists the oldest first with order=asc, skips `offset` deliveries and returns at most `limit`', async (t) => {
  const merchant = await server().createMerchant();
  const { id: webhookId } = await merchant.client.webhookEndpoints.register({ url: unreachableUrl });
  const ids = await insertDeliveries(server(), merchant, { webhookId, count: 25 });
  const list = async (query: Parameters<typeof merchant.client.deliveries.list>[0]) =>
    (await merchant.client.deliveries.list(query)).deliveries.map(({ id }) => id);

  t.deepEqual(await list({ order: 'asc', limit: 3, offset: 1 }), ids.slice(1, 4));
  t.deepEqual(await list({ order: 'desc', limit: 2 }), ids.slice(-2).reverse());
  t.is((await list({})).length, 20);
  t.is((await merchant.client.deliveries.list({ limit: 1 })).total, 25);
});

test('listDeliveries 200 filters by endpoint, event, event id, status, reference and time, also combined', async (t) => {
  const merchant = await server().createMerchant();
  const [one, two] = await Promise.all([
    merchant.client.webhookEndpoints.register({ url: unreachableUrl }),
    merchant.client.webhookEndpoints.register({ url: unreachableUrl }),
  ]);
  const at = daysAgo(9);
  const [a] = await insertDeliveries(server(), merchant, { webhookId: one.id, reference: 'order-a', createdAt: at });
  const [b] = await insertDeliveries(server(), merchant, {
    webhookId: one.id,
    reference: 'order-b',
    event: 'checkout.failed',
  });
  const [c] = await insertDeliveries(server(), merchant, {
    webhookId: two.id,
    reference: 'order-a',
    status: 'skipped',
  });
  const list = async (query: Parameters<typeof merchant.client.deliveries.list>[0]) => {
    const { deliveries, total } = await merchant.client.deliveries.list({ ...query, order: 'asc' });
    t.is(total, deliveries.length);
    return deliveries.map(({ id }) => id);
  };

  t.deepEqual(await list({ webhookId: one.id }), [a, b]);
  t.deepEqual(await list({ event: 'checkout.failed' }), [b]);
  const { deliveries: ofA } = await merchant.client.deliveries.list({ webhookId: one.id, reference: 'order-a' });
  t.deepEqual(await list({ eventId: ofA[0]?.eventId ?? '' }), [a]);
  t.deepEqual(await list({ eventId: ofA[0]?.eventId ?? '', webhookId: two.id }), []);
  t.deepEqual(await list({ status: 'skipped' }), [c]);
  t.deepEqual(await list({ status: ['skipped', 'failed'] }), [a, b, c]);
  t.deepEqual(await list({ status: ['skipped', 'delivered'] }), [c]);
  t.deepEqual(await list({ status: ['pending', 'delivered'] }), []);
  t.deepEqual(await list({ event: ['checkout.failed', 'transfer.failed'] }), [b]);
  t.deepEqual(await list({ event: ['checkout.failed', 'checkout.success'], webhookId: one.id }), [a, b]);
  t.deepEqual(await list({ reference: 'order-a' }), [a, c]);
  t.deepEqual(await list({ from: at, to: daysAgo(9, 1) }), [a]);
  t.deepEqual(await list({ to: at }), []);
  t.deepEqual(await list({ reference: 'order-a', event: 'checkout.success', status: 'failed' }), [a]);
  t.deepEqual(await list({ reference: 'order-a', event: 'checkout.failed' }), []);
});

test('listDeliveries 200 tells deliveries that are tried again from those that wait for their first attempt', async (t) => {
  const merchant = await server().createMerchant();
  const { id: webhookId } = await merchant.client.webhookEndpoints.register({ url: unreachableUrl });
  // The job that closes hours has closed none of these hours, so all of them are counted one by one.
  const [ended] = await insertDeliveries(server(), merchant, { webhookId });
  const [waiting] = await insertDeliveries(server(), merchant, { webhookId, status: 'pending' });
  const [retried = ''] = await insertDeliveries(server(), merchant, { webhookId, status: 'pending' });
  await insertFailedAttempts(server(), [retried]);
  const list = async (query: Parameters<typeof merchant.client.deliveries.list>[0]) => {
    const { deliveries, total } = await merchant.client.deliveries.list({ ...query, order: 'asc' });
    t.is(total, deliveries.length);
    return deliveries.map(({ id }) => id);
  };

  t.deepEqual(await list({ status: 'pending' }), [waiting, retried]);
  t.deepEqual(await list({ retrying: true }), [retried]);
  t.deepEqual(await list({ retrying: false }), [ended, waiting]);
  t.deepEqual(await list({ status: 'pending', retrying: false }), [waiting]);
  t.deepEqual(await list({ status: ['pending', 'failed'], retrying: true }), [retried]);
  t.deepEqual(await list({ status: 'failed', retrying: true }), []);
  t.deepEqual(await list({ event: 'checkout.success', retrying: true }), [retried]);
  t.deepEqual(await list({ retrying: true, after: ended }), [retried]);
});

test('listDeliveries 200 still lists deliveries of a removed endpoint', async (t) => {
  const merchant = await server().createMerchant();
  const { id } = await merchant.client.webhookEndpoints.register({ url: unreachableUrl });
  const [delivery] = await insertDeliveries(server(), merchant, { webhookId: id });
  await merchant.client.webhookEndpoints.remove(id);

  const { deliveries } = await merchant.client.deliveries.list({ webhookId: id });

  t.like(deliveries[0], { id: delivery, webhookId: id, url: unreachableUrl });
});

test('listDeliveries 200 never shows a delivery of another merchant or of the other mode, whatever the filter', async (t) => {
  const [owner, other] = await Promise.all([server().createMerchant(), server().createMerchant()]);
  const { id: webhookId } = await owner.client.webhookEndpoints.register({ url: unreachableUrl });
  await insertDeliveries(server(), owner, { webhookId, reference: 'order-1' });

  const eventId = (await owner.client.deliveries.list({ webhookId })).deliveries[0]?.eventId ?? '';
  for (const query of [
    {},
    { webhookId },
    { eventId },
    { reference: 'order-1' },
    { event: 'checkout.success' as const },
  ]) {
    t.deepEqual(await other.client.deliveries.list(query), { deliveries: [], total: 0 });
    t.deepEqual(await owner.liveClient.deliveries.list(query), { deliveries: [], total: 0 });
  }
});

const refused: [situation: string, query: string, code: string, param: string][] = [
  ['webhookId is not a UUID', 'webhookId=first', 'invalid_parameter', 'webhookId'],
  ['eventId is not a UUID', 'eventId=first', 'invalid_parameter', 'eventId'],
  ['an event is unknown', 'event=checkout.done', 'invalid_parameter', 'event'],
  ['a status is unknown', 'status=sent', 'invalid_parameter', 'status'],
  ['one of two statuses is unknown', 'status=failed&status=sent', 'invalid_parameter', 'status'],
  ['a reference is too short', 'reference=a', 'invalid_parameter', 'reference'],
  ['the order is unknown', 'order=random', 'invalid_parameter', 'order'],
  ['limit is above 100', 'limit=101', 'invalid_parameter', 'limit'],
  ['from is not a time', 'from=yesterday', 'invalid_parameter', 'from'],
  ['a parameter is unknown', 'endpoint=1', 'unknown_parameter', 'endpoint'],
];

for (const [situation, query, code, param] of refused) {
  test(`listDeliveries 400 when ${situation}`, async (t) => {
    const { client } = await server().createMerchant();
    const sent = new URLSearchParams(query);
    const parameters = Object.fromEntries([...sent.keys()].map((name) => [name, sent.getAll(name)]));

    const error = await t.throwsAsync(client.deliveries.list(parameters as never), { instanceOf: ValidationError });

    t.like(error, { code, param });
  });
}

test('resendDelivery 202 sends the same event again as a new delivery', async (t) => {
  const receiver = await startReceiver();
  t.teardown(() => receiver.stop());
  const { client } = await server().createMerchant();
  const endpoint = await client.webhookEndpoints.register({ url: receiver.url });
  await payOnce(client);
  await waitForDeliveries(client);
  const [old] = (await client.deliveries.list()).deliveries;

  const { success, data } = await client.deliveries.resend(old?.id ?? '');

  t.true(success);
  t.like(data, { eventId: old?.eventId, status: 'pending', attemptCount: 0, resentFrom: old?.id });
  const [first, second] = await receiver.waitFor(2);
  t.is(String(second?.body), String(first?.body));
  t.is(second?.headers['webhook-id'], first?.headers['webhook-id']);
  t.is(second?.headers['x-service-delivery-id'], data.id);
  t.is(second?.headers['x-service-attempt'], '1');
  await t.notThrowsAsync(unwrap(second?.body ?? '', second?.headers ?? {}, endpoint.secret));
});

test('resendDelivery 202 creates a delivery that is retried like any other', async (t) => {
  const receiver = await startReceiver({ answer: (_delivery, index) => ({ status: index < 2 ? 500 : 200 }) });
  t.teardown(() => receiver.stop());
  const merchant = await server().createMerchant();
  const { id: webhookId } = await merchant.client.webhookEndpoints.register({ url: receiver.url });
  const [old = ''] = await insertDeliveries(server(), merchant, { webhookId });

  const { data } = await merchant.client.deliveries.resend(old);

  await receiver.waitFor(3);
  await waitForDeliveries(merchant.client);
  t.like(await merchant.client.deliveries.get(data.id), { status: 'delivered', attemptCount: 3 });
  t.like(await merchant.client.deliveries.get(old), { status: 'failed', attemptCount: 0 });
});

test('resendDelivery 202 skips the new delivery if the endpoint is inactive, and the message says that it was skipped', async (t) => {
  const merchant = await server().createMerchant();
  const { id: webhookId } = await merchant.client.webhookEndpoints.register({ url: unreachableUrl });
  const [old = ''] = await insertDeliveries(server(), merchant, { webhookId });
  await merchant.client.webhookEndpoints.update(webhookId, { isActive: false });

  const { message, data } = await merchant.client.deliveries.resend(old);

  t.is(message, 'The endpoint is inactive, so nothing is sent');
  t.like(data, { status: 'skipped', statusReason: 'endpoint_inactive', nextAttemptAt: null });
  t.truthy(data.completedAt);
});

test('resendDelivery 400 when the id is not a UUID', async (t) => {
  const { client } = await server().createMerchant();

  t.like(await t.throwsAsync(client.deliveries.resend('first')), { code: 'invalid_parameter', param: 'id' });
});

test('resendDelivery 400 when the delivery is of a test event', async (t) => {
  const { client } = await server().createMerchant();
  const { id } = await client.webhookEndpoints.register({ url: unreachableUrl });
  const { data } = await client.webhookEndpoints.sendTest(id);

  t.like(await t.throwsAsync(client.deliveries.resend(data.deliveryId)), { code: 'invalid_parameter', param: 'id' });
  t.is((await client.deliveries.list()).total, 1);
});

test('resendDelivery 404 when the endpoint was removed', async (t) => {
  const merchant = await server().createMerchant();
  const { id: webhookId } = await merchant.client.webhookEndpoints.register({ url: unreachableUrl });
  const [old = ''] = await insertDeliveries(server(), merchant, { webhookId });
  await merchant.client.webhookEndpoints.remove(webhookId);

  await t.throwsAsync(merchant.client.deliveries.resend(old), { instanceOf: NotFoundError });
});

test('resendDelivery 404 when the delivery belongs to another merchant or the other mode', async (t) => {
  const [owner, other] = await Promise.all([server().createMerchant(), server().createMerchant()]);
  const { id: webhookId } = await owner.client.webhookEndpoints.register({ url: unreachableUrl });
  const [old = ''] = await insertDeliveries(server(), owner, { webhookId });

  await t.throwsAsync(other.client.deliveries.resend(old), { instanceOf: NotFoundError });
  await t.throwsAsync(owner.liveClient.deliveries.resend(old), { instanceOf: NotFoundError });
  t.is((await owner.client.deliveries.list()).total, 1);
});
