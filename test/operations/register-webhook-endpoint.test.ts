import { ConflictError, ValidationError } from '@tillhook/sdk';
import test from 'ava';
import { serverForFile } from '../support/server/tillhook.ts';

const server = serverForFile();
const url = 'http://127.0.0.1:9/webhooks';

test('201 returns the endpoint with its full secret', async (t) => {
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

test('201 stores the secret encrypted', async (t) => {
  const { client } = await server().createMerchant();

  const { id, secret } = await client.webhookEndpoints.register({ url });

  const [row] = await server().database.query('select * from webhook_endpoint where id = $1', [id]);
  t.truthy(row);
  t.false(JSON.stringify(row).includes(secret.slice('whsec_'.length)));
});

test('201 creates the endpoint in the mode of the key', async (t) => {
  const { liveClient } = await server().createMerchant();

  t.is((await liveClient.webhookEndpoints.register({ url })).mode, 'live');
});

test('201 returns subscribed events in the order of the contract', async (t) => {
  const { client } = await server().createMerchant();
  const events = async (list: string[]) =>
    (await client.webhookEndpoints.register({ url, events: list as never })).events;

  t.is(await events(['*']), '*');
  t.is(await events(['checkout.failed', '*']), '*');
  t.is(await events(['transfer.failed', 'checkout.success']), 'checkout.success,transfer.failed');
  t.is(await events(['checkout.expired', 'checkout.failed']), 'checkout.failed,checkout.expired');
});

test('201 takes the events as the string that an endpoint shows', async (t) => {
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
  ['the url runs script', { url: 'javascript:alert(1)' }, 'invalid_url', 'url'],
  ['the url is not absolute', { url: '/webhooks' }, 'invalid_url', 'url'],
  ['the url is of another scheme', { url: 'ftp://example.com/' }, 'invalid_url', 'url'],
  ['the url holds a password', { url: 'https://a:b@example.com/' }, 'invalid_url', 'url'],
  ['the url has a fragment', { url: 'https://example.com/#a' }, 'invalid_url', 'url'],
  ['the url is too long', { url: `https://example.com/${'a'.repeat(2048)}` }, 'invalid_url', 'url'],
  ['the url leads into a private network', { url: 'http://10.0.0.1/' }, 'invalid_url', 'url'],
  ['the url leads to cloud metadata', { url: 'http://169.254.169.254/latest' }, 'invalid_url', 'url'],
  ['the events are empty', { url, events: [] }, 'invalid_events', 'events'],
  ['an event is unknown', { url, events: ['checkout.done'] }, 'invalid_events', 'events'],
  ['an event is test.event', { url, events: ['test.event'] }, 'invalid_events', 'events'],
  ['an event is a number', { url, events: [1] }, 'invalid_parameter', 'events'],
  ['the events are a number', { url, events: 7 }, 'invalid_parameter', 'events'],
  ['the events are an empty string', { url, events: '' }, 'invalid_events', 'events'],
  ['a string has an unknown event', { url, events: 'checkout.success,checkout.done' }, 'invalid_events', 'events'],
  ['a string has too many events', { url, events: Array(17).fill('*').join() }, 'invalid_events', 'events'],
  ['a field is unknown', { url, secret: 'mine' }, 'unknown_parameter', 'secret'],
];

for (const [situation, body, code, param] of refused) {
  test(`400 when ${situation}`, async (t) => {
    const { client } = await server().createMerchant();

    const error = await t.throwsAsync(client.webhookEndpoints.register(body as never), { instanceOf: ValidationError });

    t.like(error, { code, param });
    t.is((await client.webhookEndpoints.list()).total, 0);
  });
}

test('409 for the seventeenth endpoint, also for concurrent calls', async (t) => {
  const { client } = await server().createMerchant();

  const results = await Promise.allSettled(Array.from({ length: 20 }, () => client.webhookEndpoints.register({ url })));

  const refusals = results.flatMap((result) => (result.status === 'rejected' ? [result.reason] : []));
  t.is(refusals.length, 4);
  t.true(refusals.every((error) => error instanceof ConflictError && error.code === 'endpoint_limit_reached'));
  t.is((await client.webhookEndpoints.list()).total, 16);
});

test('413 when the body is larger than 100 KiB', async (t) => {
  const { client } = await server().createMerchant();

  const error = await t.throwsAsync(client.webhookEndpoints.register({ url: `https://a.co/${'a'.repeat(102_400)}` }));

  t.like(error, { status: 413 });
});

test('415 when the body is plain text', async (t) => {
  const { testKey } = await server().createMerchant();

  const response = await server().request('/api/v1/merchant-webhooks', {
    method: 'POST',
    key: testKey,
    headers: { 'content-type': 'text/plain' },
    body: JSON.stringify({ url }),
  });

  t.is(response.status, 415);
});
