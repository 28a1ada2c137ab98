import { startReceiver } from '@tillhook/mock/receiver';
import { NotFoundError, ValidationError } from '@tillhook/sdk';
import test from 'ava';
import { insertDeliveries, payOnce, unreachableUrl } from '../support/receivers/deliveries.ts';
import { serverForFile } from '../support/server/tillhook.ts';

const server = serverForFile();

test('200 changes the fields of the body and no others', async (t) => {
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

test('200 takes the events that another answer shows, and a refusal says which name is wrong', async (t) => {
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

test('200 enables an endpoint, removes the reason why it was disabled, and counts failures from zero', async (t) => {
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

test('200 sends pending deliveries to the new address', async (t) => {
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

test('200 pauses an endpoint, whose later deliveries are skipped', async (t) => {
  const { client } = await server().createMerchant();
  const { id } = await client.webhookEndpoints.register({ url: unreachableUrl });
  await client.webhookEndpoints.update(id, { isActive: false });

  const reference = await payOnce(client);

  const { deliveries } = await client.deliveries.list({ webhookId: id });
  t.like(deliveries[0], { reference, status: 'skipped', statusReason: 'endpoint_inactive', attemptCount: 0 });
});

test('200 for concurrent changes of different fields, none of which is lost', async (t) => {
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

const refused: [situation: string, body: object, code: string, param: string | null][] = [
  ['nothing is to be changed', {}, 'invalid_parameter', null],
  ['the url is null', { url: null }, 'invalid_parameter', 'url'],
  ['the url is of another scheme', { url: 'ftp://example.com/' }, 'invalid_url', 'url'],
  ['the url holds a password', { url: 'https://a:b@example.com/' }, 'invalid_url', 'url'],
  ['the url has a fragment', { url: 'https://example.com/#a' }, 'invalid_url', 'url'],
  ['the url leads into a private network', { url: 'http://10.0.0.1/' }, 'invalid_url', 'url'],
  ['the events are empty', { events: [] }, 'invalid_events', 'events'],
  ['an event is unknown', { events: ['checkout.done'] }, 'invalid_events', 'events'],
  ['an event is test.event', { events: ['test.event'] }, 'invalid_events', 'events'],
  ['the events are an empty string', { events: '' }, 'invalid_events', 'events'],
  ['a string has an unknown event', { events: 'checkout.success,checkout.done' }, 'invalid_events', 'events'],
  ['a string has spaces', { events: 'checkout.success, checkout.failed' }, 'invalid_events', 'events'],
  ['isActive is a word', { isActive: 'yes' }, 'invalid_parameter', 'isActive'],
  ['the secret is to be changed', { secret: 'whsec_x2bT0mJ5c8Zq1vN4rYk7LdHs9GfWpQ3u' }, 'unknown_parameter', 'secret'],
];

for (const [situation, body, code, param] of refused) {
  test(`400 when ${situation}`, async (t) => {
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

test('404 when the endpoint was removed', async (t) => {
  const { client } = await server().createMerchant();
  const { id } = await client.webhookEndpoints.register({ url: unreachableUrl });
  await client.webhookEndpoints.remove(id);

  await t.throwsAsync(client.webhookEndpoints.update(id, { isActive: true }), { instanceOf: NotFoundError });
});

test('404 when the endpoint belongs to another merchant or the other mode', async (t) => {
  const [owner, other] = await Promise.all([server().createMerchant(), server().createMerchant()]);
  const { id } = await owner.client.webhookEndpoints.register({ url: unreachableUrl });

  await t.throwsAsync(other.client.webhookEndpoints.update(id, { isActive: false }), { instanceOf: NotFoundError });
  await t.throwsAsync(owner.liveClient.webhookEndpoints.update(id, { isActive: false }), { instanceOf: NotFoundError });
  t.true((await owner.client.webhookEndpoints.get(id)).isActive);
});
