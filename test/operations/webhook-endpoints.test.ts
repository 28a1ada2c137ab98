import { ConflictError, NotFoundError, ValidationError } from '@tillhook/sdk';
import test from 'ava';
import { eventually } from '../support/eventually.ts';
import { insertDeliveries, insertFailedAttempts, payOnce, unreachableUrl } from '../support/receivers/deliveries.ts';
import { startReceiver } from '../support/receivers/receiver.ts';
import { serverForFile } from '../support/server/tillhook.ts';

const server = serverForFile();
const url = 'http://127.0.0.1:9/webhooks';

test('registerWebhookEndpoint 201 returns the endpoint with its full secret', async (t) => {
  const { client, id } = await server().createMerchant();

  const endpoint = await client.webhookEndpoints.register({ url });

  t.regex(endpoint.secret, /^whsec_[A-Za-z0-9+/]{32}$/);
  t.like(endpoint, {
    merchantId: id,
    url,
    events: '*',
    isActive: true,
    mode: 'test',
    successCount: 0,
    failureCount: 0,
    lastDeliveredAt: null,
  });
});

test('registerWebhookEndpoint 201 stores the secret encrypted', async (t) => {
  const { client } = await server().createMerchant();

  const { id, secret } = await client.webhookEndpoints.register({ url });

  const [row] = await server().database.query('select * from webhook_endpoint where id = $1', [id]);
  t.truthy(row);
  t.false(JSON.stringify(row).includes(secret.slice('whsec_'.length)));
});

test('registerWebhookEndpoint 201 creates the endpoint in the mode of the key', async (t) => {
  const { liveClient } = await server().createMerchant();

  t.is((await liveClient.webhookEndpoints.register({ url })).mode, 'live');
});

test('registerWebhookEndpoint 201 returns subscribed events in the order of the contract', async (t) => {
  const { client } = await server().createMerchant();
  const events = async (list: string[]) =>
    (await client.webhookEndpoints.register({ url, events: list as never })).events;

  t.is(await events(['*']), '*');
  t.is(await events(['checkout.failed', '*']), '*');
  t.is(await events(['transfer.failed', 'checkout.success']), 'checkout.success,transfer.failed');
  t.is(await events(['checkout.expired', 'checkout.failed']), 'checkout.failed,checkout.expired');
});

test('registerWebhookEndpoint 201 accepts the events in the form in which responses show them, as one string', async (t) => {
  const { client } = await server().createMerchant();
  const { register } = client.webhookEndpoints;

  t.is((await register({ url, events: '*' })).events, '*');
  t.is(
    (await register({ url, events: 'transfer.failed,checkout.success' })).events,
    'checkout.success,transfer.failed',
  );
});

const refused: [situation: string, body: object, code: string, param: string][] = [
  ['the url is missing', {}, 'missing_parameter', 'url'],
  ['the url is a number', { url: 7 }, 'invalid_parameter', 'url'],
  ['the url has the scheme javascript', { url: 'javascript:alert(1)' }, 'invalid_url', 'url'],
  ['the url is not absolute', { url: '/webhooks' }, 'invalid_url', 'url'],
  ['the url has the scheme ftp', { url: 'ftp://example.com/' }, 'invalid_url', 'url'],
  ['the url contains a password', { url: 'https://a:b@example.com/' }, 'invalid_url', 'url'],
  ['the url has a fragment', { url: 'https://example.com/#a' }, 'invalid_url', 'url'],
  ['the url is too long', { url: `https://example.com/${'a'.repeat(2048)}` }, 'invalid_url', 'url'],
  ['the url has a private address', { url: 'http://10.0.0.1/' }, 'invalid_url', 'url'],
  [
    'the url has the address of a cloud metadata service',
    { url: 'http://169.254.169.254/latest' },
    'invalid_url',
    'url',
  ],
  ['events is an empty list', { url, events: [] }, 'invalid_events', 'events'],
  ['an event is unknown', { url, events: ['checkout.done'] }, 'invalid_events', 'events'],
  ['an event is test.event', { url, events: ['test.event'] }, 'invalid_events', 'events'],
  ['an event is a number', { url, events: [1] }, 'invalid_parameter', 'events'],
  ['events is a number', { url, events: 7 }, 'invalid_parameter', 'events'],
  ['events is an empty string', { url, events: '' }, 'invalid_events', 'events'],
  [
    'events is a string with an unknown event',
    { url, events: 'checkout.success,checkout.done' },
    'invalid_events',
    'events',
  ],
  ['events is a string with too many events', { url, events: Array(17).fill('*').join() }, 'invalid_events', 'events'],
  ['a field is unknown', { url, secret: 'mine' }, 'unknown_parameter', 'secret'],
];

for (const [situation, body, code, param] of refused) {
  test(`registerWebhookEndpoint 400 when ${situation}`, async (t) => {
    const { client } = await server().createMerchant();

    const error = await t.throwsAsync(client.webhookEndpoints.register(body as never), { instanceOf: ValidationError });

    t.like(error, { code, param });
    t.is((await client.webhookEndpoints.list()).total, 0);
  });
}

test('registerWebhookEndpoint 409 for the seventeenth endpoint, also for concurrent calls', async (t) => {
  const { client } = await server().createMerchant();

  const results = await Promise.allSettled(Array.from({ length: 20 }, () => client.webhookEndpoints.register({ url })));

  const errors = results.flatMap((result) => (result.status === 'rejected' ? [result.reason] : []));
  t.is(errors.length, 4);
  t.true(errors.every((error) => error instanceof ConflictError && error.code === 'endpoint_limit_reached'));
  t.is((await client.webhookEndpoints.list()).total, 16);
});

test('registerWebhookEndpoint 413 when the body is larger than 100 KiB', async (t) => {
  const { client } = await server().createMerchant();

  const error = await t.throwsAsync(client.webhookEndpoints.register({ url: `https://a.co/${'a'.repeat(102_400)}` }));

  t.like(error, { status: 413 });
});

test('registerWebhookEndpoint 415 when the body is plain text', async (t) => {
  const { testKey } = await server().createMerchant();

  const response = await server().request('/api/v1/merchant-webhooks', {
    method: 'POST',
    key: testKey,
    headers: { 'content-type': 'text/plain' },
    body: JSON.stringify({ url }),
  });

  t.is(response.status, 415);
});

test('getWebhookEndpoint 200 returns the endpoint with its secret masked', async (t) => {
  const { client } = await server().createMerchant();
  const { secret, ...registered } = await client.webhookEndpoints.register({ url: unreachableUrl });

  const endpoint = await client.webhookEndpoints.get(registered.id);

  t.deepEqual(endpoint, { ...registered, secret: `whsec_••••••••${secret.slice(-4)}` });
});

test('getWebhookEndpoint 200 has the reason and the time when the service disabled the endpoint', async (t) => {
  const { client } = await server().createMerchant();
  const { id } = await client.webhookEndpoints.register({ url: unreachableUrl });
  await server().database.query(
    `update webhook_endpoint set is_active = false, disabled_reason = 'repeated_failures',
     disabled_at = '2026-11-21T10:15:30.250Z' where id = $1`,
    [id],
  );

  t.like(await client.webhookEndpoints.get(id), {
    isActive: false,
    disabledReason: 'repeated_failures',
    disabledAt: '2026-11-21T10:15:30.250Z',
  });
});

test('getWebhookEndpoint 400 when the id is not a UUID', async (t) => {
  const { client } = await server().createMerchant();

  t.like(await t.throwsAsync(client.webhookEndpoints.get('first')), { code: 'invalid_parameter', param: 'id' });
});

test('getWebhookEndpoint 404 when the endpoint was removed', async (t) => {
  const { client } = await server().createMerchant();
  const { id } = await client.webhookEndpoints.register({ url: unreachableUrl });
  await client.webhookEndpoints.remove(id);

  await t.throwsAsync(client.webhookEndpoints.get(id), { instanceOf: NotFoundError });
});

test('getWebhookEndpoint 404 when the endpoint belongs to another merchant or the other mode', async (t) => {
  const [owner, other] = await Promise.all([server().createMerchant(), server().createMerchant()]);
  const { id } = await owner.client.webhookEndpoints.register({ url: unreachableUrl });

  await t.throwsAsync(other.client.webhookEndpoints.get(id), { instanceOf: NotFoundError });
  await t.throwsAsync(owner.liveClient.webhookEndpoints.get(id), { instanceOf: NotFoundError });
});

test('listWebhookEndpoints 200 lists every endpoint, newest first, with masked secrets', async (t) => {
  const { client } = await server().createMerchant();
  const first = await client.webhookEndpoints.register({ url: 'http://127.0.0.1:9/1' });
  const second = await client.webhookEndpoints.register({ url: 'http://127.0.0.1:9/2' });

  const { webhooks, total } = await client.webhookEndpoints.list();

  t.is(total, 2);
  t.deepEqual(webhooks, [
    { ...second, secret: `whsec_••••••••${second.secret.slice(-4)}` },
    { ...first, secret: `whsec_••••••••${first.secret.slice(-4)}` },
  ]);
});

test('listWebhookEndpoints 200 lists all endpoints, whatever `limit` and `offset` are', async (t) => {
  const { client } = await server().createMerchant();
  await client.webhookEndpoints.register({ url: 'http://127.0.0.1:9/1' });
  await client.webhookEndpoints.register({ url: 'http://127.0.0.1:9/2' });

  const { webhooks } = await client.webhookEndpoints.list({ limit: 1, offset: 1 });

  t.is(webhooks.length, 2);
});

test('listWebhookEndpoints 200 never shows an endpoint of another merchant or of the other mode', async (t) => {
  const [owner, other] = await Promise.all([server().createMerchant(), server().createMerchant()]);
  await owner.client.webhookEndpoints.register({ url: 'http://127.0.0.1:9/1' });

  t.is((await other.client.webhookEndpoints.list()).total, 0);
  t.is((await owner.liveClient.webhookEndpoints.list()).total, 0);
});

test('listWebhookEndpoints 400 when `limit` is out of bounds', async (t) => {
  const { client } = await server().createMerchant();

  t.like(await t.throwsAsync(client.webhookEndpoints.list({ limit: 101 })), {
    code: 'invalid_parameter',
    param: 'limit',
  });
});

test('updateWebhookEndpoint 200 changes the fields of the body, and no other fields', async (t) => {
  const { client } = await server().createMerchant();
  const { secret, ...before } = await client.webhookEndpoints.register({ url: unreachableUrl });
  const masked = { ...before, secret: `whsec_••••••••${secret.slice(-4)}` };
  const { update } = client.webhookEndpoints;

  t.deepEqual(await update(before.id, { url: 'http://127.0.0.1:9/other' }), {
    ...masked,
    url: 'http://127.0.0.1:9/other',
  });
  t.is(
    (await update(before.id, { events: ['transfer.failed', 'checkout.success'] })).events,
    'checkout.success,transfer.failed',
  );
  t.is((await update(before.id, { events: ['*', 'checkout.success'] })).events, '*');
  t.false((await update(before.id, { isActive: false })).isActive);
  t.deepEqual(await client.webhookEndpoints.get(before.id), {
    ...masked,
    url: 'http://127.0.0.1:9/other',
    isActive: false,
  });
});

test('updateWebhookEndpoint 200 accepts events in the form of a response, and an error names the unknown event', async (t) => {
  const { client } = await server().createMerchant();
  const { register, update } = client.webhookEndpoints;
  const some = await register({ url: unreachableUrl, events: ['transfer.failed', 'checkout.success'] });
  const every = await register({ url: unreachableUrl });

  t.is((await update(every.id, { events: some.events })).events, 'checkout.success,transfer.failed');
  t.is((await update(some.id, { events: every.events })).events, '*');
  const error = await t.throwsAsync(update(some.id, { events: 'checkout.success,checkout.done' }));
  t.regex(String(error?.message), /events\/1 must be one of: \*, checkout\.success/);
  const tooMany = await t.throwsAsync(update(some.id, { events: Array(40).fill('*').join() }));
  t.regex(String(tooMany?.message), /^events has 40 items; at most 16 are allowed/);
});

test('updateWebhookEndpoint 200 enables an endpoint, clears the reason why it was disabled, and resets its failures', async (t) => {
  const { client } = await server().createMerchant();
  const { id } = await client.webhookEndpoints.register({ url: unreachableUrl });
  await server().database.query(
    `update webhook_endpoint set is_active = false, failure_streak = 20, disabled_reason = 'repeated_failures',
     disabled_at = now() where id = $1`,
    [id],
  );

  const enabled = await client.webhookEndpoints.update(id, { isActive: true });

  t.true(enabled.isActive);
  t.false('disabledReason' in enabled || 'disabledAt' in enabled);
  const [row] = await server().database.query('select * from webhook_endpoint where id = $1', [id]);
  t.like(row, { failure_streak: 0, disabled_reason: null, disabled_at: null });
});

test('updateWebhookEndpoint 200 sends pending deliveries to the new URL', async (t) => {
  const receiver = await startReceiver();
  t.teardown(() => receiver.stop());
  const merchant = await server().createMerchant();
  const { id } = await merchant.client.webhookEndpoints.register({ url: unreachableUrl });
  const [waiting] = await insertDeliveries(server(), merchant, { webhookId: id, status: 'pending' });

  await merchant.client.webhookEndpoints.update(id, { url: receiver.url });
  await merchant.client.test.advanceTime({ seconds: 3600 });

  const [delivery] = await receiver.waitFor(1);
  t.is(delivery?.headers['x-service-delivery-id'], waiting);
});

test('updateWebhookEndpoint 200 pauses an endpoint, and deliveries that are created later are skipped', async (t) => {
  const { client } = await server().createMerchant();
  const { id } = await client.webhookEndpoints.register({ url: unreachableUrl });
  await client.webhookEndpoints.update(id, { isActive: false });

  const reference = await payOnce(client);

  const { deliveries } = await client.deliveries.list({ webhookId: id });
  t.like(deliveries[0], { reference, status: 'skipped', statusReason: 'endpoint_inactive', attemptCount: 0 });
});

test('updateWebhookEndpoint 200 when changes of different fields race, and no change is lost', async (t) => {
  const { client } = await server().createMerchant();
  const { id } = await client.webhookEndpoints.register({ url: unreachableUrl });
  const { update, rotateSecret } = client.webhookEndpoints;

  await Promise.all([
    update(id, { url: 'http://127.0.0.1:9/other' }),
    update(id, { events: ['checkout.success'] }),
    rotateSecret(id),
    update(id, { isActive: false }),
  ]);

  const endpoint = await client.webhookEndpoints.get(id);
  t.like(endpoint, { url: 'http://127.0.0.1:9/other', events: 'checkout.success', isActive: false });
  t.truthy(endpoint.nextSecretAt);
});

const refusedUpdates: [situation: string, body: object, code: string, param: string | null][] = [
  ['the body has no field', {}, 'invalid_parameter', null],
  ['the url is null', { url: null }, 'invalid_parameter', 'url'],
  ['the url has the scheme ftp', { url: 'ftp://example.com/' }, 'invalid_url', 'url'],
  ['the url contains a password', { url: 'https://a:b@example.com/' }, 'invalid_url', 'url'],
  ['the url has a fragment', { url: 'https://example.com/#a' }, 'invalid_url', 'url'],
  ['the url has a private address', { url: 'http://10.0.0.1/' }, 'invalid_url', 'url'],
  ['events is an empty list', { events: [] }, 'invalid_events', 'events'],
  ['an event is unknown', { events: ['checkout.done'] }, 'invalid_events', 'events'],
  ['an event is test.event', { events: ['test.event'] }, 'invalid_events', 'events'],
  ['events is an empty string', { events: '' }, 'invalid_events', 'events'],
  [
    'events is a string with an unknown event',
    { events: 'checkout.success,checkout.done' },
    'invalid_events',
    'events',
  ],
  ['events is a string with spaces', { events: 'checkout.success, checkout.failed' }, 'invalid_events', 'events'],
  ['isActive is not a boolean', { isActive: 'yes' }, 'invalid_parameter', 'isActive'],
  ['the body has a secret', { secret: 'whsec_x2bT0mJ5c8Zq1vN4rYk7LdHs9GfWpQ3u' }, 'unknown_parameter', 'secret'],
];

for (const [situation, body, code, param] of refusedUpdates) {
  test(`updateWebhookEndpoint 400 when ${situation}`, async (t) => {
    const { client } = await server().createMerchant();
    const { id } = await client.webhookEndpoints.register({ url: unreachableUrl });
    const before = await client.webhookEndpoints.get(id);

    const error = await t.throwsAsync(client.webhookEndpoints.update(id, body as never), {
      instanceOf: ValidationError,
    });

    t.like(error, { code, param });
    t.deepEqual(await client.webhookEndpoints.get(id), before);
  });
}

test('updateWebhookEndpoint 404 when the endpoint was removed', async (t) => {
  const { client } = await server().createMerchant();
  const { id } = await client.webhookEndpoints.register({ url: unreachableUrl });
  await client.webhookEndpoints.remove(id);

  await t.throwsAsync(client.webhookEndpoints.update(id, { isActive: true }), { instanceOf: NotFoundError });
});

test('updateWebhookEndpoint 404 when the endpoint belongs to another merchant or the other mode', async (t) => {
  const [owner, other] = await Promise.all([server().createMerchant(), server().createMerchant()]);
  const { id } = await owner.client.webhookEndpoints.register({ url: unreachableUrl });

  await t.throwsAsync(other.client.webhookEndpoints.update(id, { isActive: false }), { instanceOf: NotFoundError });
  await t.throwsAsync(owner.liveClient.webhookEndpoints.update(id, { isActive: false }), { instanceOf: NotFoundError });
  t.true((await owner.client.webhookEndpoints.get(id)).isActive);
});

test('removeWebhookEndpoint 200 removes the endpoint', async (t) => {
  const { client } = await server().createMerchant();
  const { id } = await client.webhookEndpoints.register({ url: 'http://127.0.0.1:9/' });

  const removal = await client.webhookEndpoints.remove(id);

  t.deepEqual(removal, { success: true, message: 'Webhook endpoint removed', data: { id, deleted: true } });
  t.is((await client.webhookEndpoints.list()).total, 0);
});

test('removeWebhookEndpoint 200 immediately ends the deliveries of the endpoint that wait for a retry', async (t) => {
  const merchant = await server().createMerchant();
  const { client } = merchant;
  const { id: webhookId } = await client.webhookEndpoints.register({ url: 'http://127.0.0.1:9/' });
  const [id = ''] = await insertDeliveries(server(), merchant, { webhookId, status: 'pending' });
  await insertFailedAttempts(server(), [id]);

  await client.webhookEndpoints.remove(webhookId);

  await eventually(async () => (await client.deliveries.get(id)).status, 'skipped');
  t.like(await client.deliveries.get(id), { statusReason: 'endpoint_removed', nextAttemptAt: null });
});

test('removeWebhookEndpoint 400 when the id is not a UUID', async (t) => {
  const { client } = await server().createMerchant();

  t.like(await t.throwsAsync(client.webhookEndpoints.remove('first')), { code: 'invalid_parameter', param: 'id' });
});

test('removeWebhookEndpoint 404 when the endpoint was already removed', async (t) => {
  const { client } = await server().createMerchant();
  const { id } = await client.webhookEndpoints.register({ url: 'http://127.0.0.1:9/' });
  await client.webhookEndpoints.remove(id);

  await t.throwsAsync(client.webhookEndpoints.remove(id), { instanceOf: NotFoundError });
});

test('removeWebhookEndpoint 404 when the endpoint belongs to another merchant or the other mode', async (t) => {
  const [owner, other] = await Promise.all([server().createMerchant(), server().createMerchant()]);
  const { id } = await owner.client.webhookEndpoints.register({ url: 'http://127.0.0.1:9/' });

  await t.throwsAsync(other.client.webhookEndpoints.remove(id), { instanceOf: NotFoundError });
  await t.throwsAsync(owner.liveClient.webhookEndpoints.remove(id), { instanceOf: NotFoundError });
  t.is((await owner.client.webhookEndpoints.list()).total, 1);
});
