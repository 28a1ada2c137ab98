import { startReceiver } from '@tillhook/mock/receiver';
import { generateSecret, NotFoundError, Tillhook, ValidationError } from '@tillhook/sdk';
import { unwrap } from '@tillhook/sdk/webhooks';
import test from 'ava';
import { selfSigned } from '../support/network/certificates.ts';
import { answersOk, closesInBody, continues } from '../support/receivers/bad-answers.ts';
import { unreachableUrl } from '../support/receivers/deliveries.ts';
import { startRawReceiver } from '../support/receivers/raw-receiver.ts';
import { serverForFile, startServer, type TestServer } from '../support/server/tillhook.ts';
import { startMockInRun } from '../support/shared-fixtures.ts';
import { auditOf, errorIn, type SignedIn, signIn } from '../support/users/session.ts';

const server = serverForFile();

function reveal({ call, password }: SignedIn, id: string, json: unknown = { password }) {
  return call(`/api/v1/dashboard/merchant-webhooks/${id}/reveal-secret`, { method: 'POST', json });
}

async function withEndpoint(own: TestServer = server()) {
  const ada = await signIn(own);
  const { id, secret } = await ada.merchant.client.webhookEndpoints.register({ url: unreachableUrl });
  return { ada, id, secret, client: ada.merchant.client };
}

test('revealWebhookSecret 200 returns the full secret', async (t) => {
  const { ada, id, secret } = await withEndpoint();

  const response = await reveal(ada, id);

  t.is(response.status, 200);
  t.deepEqual(await response.json(), { id, secret, nextSecret: null });
});

test('revealWebhookSecret 200 also returns the staged secret during a rotation', async (t) => {
  const { ada, id, secret, client } = await withEndpoint();
  const next = generateSecret();
  await client.webhookEndpoints.rotateSecret(id, { secret: next });

  t.deepEqual(await (await reveal(ada, id)).json(), { id, secret, nextSecret: next });
});

test('revealWebhookSecret 200 returns the current secret, even if a due rotation is not yet stored in the row', async (t) => {
  const { ada, id, client } = await withEndpoint();
  const next = generateSecret();
  await client.webhookEndpoints.rotateSecret(id, { secret: next });
  await server().database.query(
    `update webhook_endpoint set secret_rotation = jsonb_set(secret_rotation, '{next,at}', '"2026-01-01T00:00:00.000Z"')
     where id = $1`,
    [id],
  );

  t.deepEqual(await (await reveal(ada, id)).json(), { id, secret: next, nextSecret: null });
});

test('revealWebhookSecret 200 writes an audit entry that contains the user and not the secret', async (t) => {
  const { ada, id, secret = '' } = await withEndpoint();

  await reveal(ada, id);

  const [entry] = await auditOf(ada);
  t.like(entry, {
    action: 'revealWebhookSecret',
    actor: { type: 'user', email: ada.email },
    mode: 'test',
    subject: id,
  });
  const rows = await server().database.query('select * from audit_entry');
  t.false(JSON.stringify(rows).includes(secret.slice('whsec_'.length)));
});

const refused: [situation: string, json: object, code: string, param: string][] = [
  ['the password is missing', {}, 'missing_parameter', 'password'],
  ['the password is empty', { password: '' }, 'invalid_parameter', 'password'],
  ['a field is unknown', { password: 'a', mode: 'live' }, 'unknown_parameter', 'mode'],
];

for (const [situation, json, code, param] of refused) {
  test(`revealWebhookSecret 400 when ${situation}`, async (t) => {
    const { ada, id } = await withEndpoint();

    const response = await reveal(ada, id, json);

    t.is(response.status, 400);
    t.like((await response.json()).error, { code, param });
  });
}

test('revealWebhookSecret 400 when the id is not a UUID', async (t) => {
  const ada = await signIn(server());

  const response = await reveal(ada, 'nowhere');

  t.is(response.status, 400);
  t.like((await response.json()).error, { code: 'invalid_parameter', param: 'id' });
});

test('revealWebhookSecret 401 when the password is wrong, and no audit entry is written', async (t) => {
  const { ada, id } = await withEndpoint();
  const before = await auditOf(ada);

  const response = await reveal(ada, id, { password: 'wrong' });

  t.deepEqual(await errorIn(response), [401, 'invalid_credentials']);
  t.deepEqual(await auditOf(ada), before);
  t.is((await ada.call('/api/v1/dashboard/session')).status, 200, 'a wrong password does not end the session');
});

test('revealWebhookSecret 401 for an API key, even for a key with all scopes', async (t) => {
  const { ada, id } = await withEndpoint();

  const response = await server().request(`/api/v1/dashboard/merchant-webhooks/${id}/reveal-secret`, {
    method: 'POST',
    key: ada.merchant.testKey,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ password: ada.password }),
  });

  t.deepEqual(await errorIn(response), [401, 'wrong_auth_header']);
});

test('revealWebhookSecret 404 when the endpoint was removed, or belongs to another merchant or the other mode', async (t) => {
  const { ada, id, client } = await withEndpoint();
  const { id: live } = await ada.merchant.liveClient.webhookEndpoints.register({ url: unreachableUrl });
  const { id: foreign } = await withEndpoint();
  await client.webhookEndpoints.remove(id);
  const before = await auditOf(ada);

  for (const nothing of [id, live, foreign]) {
    t.deepEqual(await errorIn(await reveal(ada, nothing)), [404, 'resource_not_found']);
  }
  t.deepEqual(await auditOf(ada), before);
});

test('revealWebhookSecret 429 after too many wrong passwords; correct passwords do not count', async (t) => {
  const limited = await startServer(t, { RATE_LIMITS: 'password:2/100' });
  const { ada, id } = await withEndpoint(limited);
  const statuses: number[] = [];

  for (const password of ['wrong', ada.password, ada.password, 'worse', ada.password]) {
    statuses.push((await reveal(ada, id, { password })).status);
  }

  t.deepEqual(statuses, [401, 200, 200, 401, 429]);
});

const masked = (secret: string) => `whsec_••••••••${secret.slice(-4)}`;

function isAhead(startedAt: number, at: string | undefined, seconds: number): boolean {
  const from = Date.parse(at ?? '') - seconds * 1000;
  return startedAt - 1000 <= from && from <= Date.now() + 1000;
}

test('rotateWebhookSecret 200 stages a secret, and returns the current secret masked', async (t) => {
  const startedAt = Date.now();
  const { client } = await server().createMerchant();
  const { id, secret } = await client.webhookEndpoints.register({ url: unreachableUrl });

  const endpoint = await client.webhookEndpoints.rotateSecret(id, {
    secret: generateSecret(),
    switchAfterSeconds: 3600,
  });

  t.is(endpoint.secret, masked(secret));
  t.true(isAhead(startedAt, endpoint.nextSecretAt, 3600), endpoint.nextSecretAt);
  t.deepEqual(await client.webhookEndpoints.get(id), endpoint);
});

test('rotateWebhookSecret 200 without a body stages a generated secret that becomes current after a day', async (t) => {
  const startedAt = Date.now();
  const { client } = await server().createMerchant();
  const { id, secret } = await client.webhookEndpoints.register({ url: unreachableUrl });

  const endpoint = await client.webhookEndpoints.rotateSecret(id);

  t.is(endpoint.secret, masked(secret));
  t.true(isAhead(startedAt, endpoint.nextSecretAt, 86_400), endpoint.nextSecretAt);
});

test('rotateWebhookSecret 200 stores the staged secret encrypted', async (t) => {
  const { client } = await server().createMerchant();
  const { id } = await client.webhookEndpoints.register({ url: unreachableUrl });
  const next = generateSecret();

  await client.webhookEndpoints.rotateSecret(id, { secret: next });

  const [row] = await server().database.query('select * from webhook_endpoint where id = $1', [id]);
  t.true(JSON.stringify(row).includes(next.slice(-4)));
  t.false(JSON.stringify(row).includes(next.slice('whsec_'.length)));
});

test('rotateWebhookSecret 200 switches immediately when switchAfterSeconds is 0', async (t) => {
  const { client } = await server().createMerchant();
  const { id } = await client.webhookEndpoints.register({ url: unreachableUrl });
  const next = generateSecret();

  const endpoint = await client.webhookEndpoints.rotateSecret(id, { secret: next, switchAfterSeconds: 0 });

  t.is(endpoint.secret, masked(next));
  t.false('nextSecretAt' in endpoint);
});

test('rotateWebhookSecret 200 replaces an earlier staged secret', async (t) => {
  const startedAt = Date.now();
  const { client } = await server().createMerchant();
  const { id } = await client.webhookEndpoints.register({ url: unreachableUrl });
  const [mistake, next] = [generateSecret(), generateSecret()];
  await client.webhookEndpoints.rotateSecret(id, { secret: mistake, switchAfterSeconds: 60 });

  const endpoint = await client.webhookEndpoints.rotateSecret(id, { secret: next, switchAfterSeconds: 7200 });

  t.true(isAhead(startedAt, endpoint.nextSecretAt, 7200), endpoint.nextSecretAt);
  t.is((await client.webhookEndpoints.completeSecretRotation(id)).secret, masked(next));
});

test('rotateWebhookSecret 200 shows the staged secret as current after its deadline, without another request', async (t) => {
  const { client } = await server().createMerchant();
  const { id } = await client.webhookEndpoints.register({ url: unreachableUrl });
  const next = generateSecret();
  await client.webhookEndpoints.rotateSecret(id, { secret: next });
  await server().database.query(
    `update webhook_endpoint set secret_rotation = jsonb_set(secret_rotation, '{next,at}', '"2026-01-01T00:00:00.000Z"')
     where id = $1`,
    [id],
  );

  const endpoint = await client.webhookEndpoints.get(id);
  const { webhooks } = await client.webhookEndpoints.list();

  t.is(endpoint.secret, masked(next));
  t.false('nextSecretAt' in endpoint);
  t.deepEqual(webhooks, [endpoint]);
});

const refusedRotations: [situation: string, body: object, param: string][] = [
  ['the secret lacks its prefix', { secret: 'x2bT0mJ5c8Zq1vN4rYk7LdHs9GfWpQ3u' }, 'secret'],
  ['the secret is too short', { secret: 'whsec_x2bT0mJ5' }, 'secret'],
  ['the secret is not base64', { secret: 'whsec_x2bT0mJ5c8Zq1vN4rYk7LdHs9GfWpQ3-' }, 'secret'],
  ['switchAfterSeconds is negative', { switchAfterSeconds: -1 }, 'switchAfterSeconds'],
  ['switchAfterSeconds is more than a week', { switchAfterSeconds: 604_801 }, 'switchAfterSeconds'],
  ['switchAfterSeconds is not a number', { switchAfterSeconds: 'soon' }, 'switchAfterSeconds'],
];

for (const [situation, body, param] of refusedRotations) {
  test(`rotateWebhookSecret 400 when ${situation}`, async (t) => {
    const { client } = await server().createMerchant();
    const { id } = await client.webhookEndpoints.register({ url: unreachableUrl });

    const rotating = client.webhookEndpoints.rotateSecret(id, body as never);

    t.like(await t.throwsAsync(rotating, { instanceOf: ValidationError }), { code: 'invalid_parameter', param });
    t.false('nextSecretAt' in (await client.webhookEndpoints.get(id)));
  });
}

test('rotateWebhookSecret 400 when the secret in the body is the current secret', async (t) => {
  const { client } = await server().createMerchant();
  const { id, secret } = await client.webhookEndpoints.register({ url: unreachableUrl });

  const error = await t.throwsAsync(client.webhookEndpoints.rotateSecret(id, { secret }));

  t.like(error, { code: 'invalid_parameter', param: 'secret' });
  t.false(error?.message.includes(secret));
});

test('rotateWebhookSecret 404 when the endpoint was removed, or belongs to another merchant or the other mode', async (t) => {
  const [owner, other] = await Promise.all([server().createMerchant(), server().createMerchant()]);
  const { id } = await owner.client.webhookEndpoints.register({ url: unreachableUrl });

  await t.throwsAsync(other.client.webhookEndpoints.rotateSecret(id), { instanceOf: NotFoundError });
  await t.throwsAsync(owner.liveClient.webhookEndpoints.rotateSecret(id), { instanceOf: NotFoundError });
  t.false('nextSecretAt' in (await owner.client.webhookEndpoints.get(id)));
  await owner.client.webhookEndpoints.remove(id);
  await t.throwsAsync(owner.client.webhookEndpoints.rotateSecret(id), { instanceOf: NotFoundError });
});

const rotationOf = async (id: string) => {
  const [row] = await server().database.query('select secret_rotation from webhook_endpoint where id = $1', [id]);
  return row?.secret_rotation;
};

test('completeWebhookSecretRotation 200 makes the staged secret current, and returns the secret masked', async (t) => {
  const { client } = await server().createMerchant();
  const { id } = await client.webhookEndpoints.register({ url: unreachableUrl });
  const next = generateSecret();
  await client.webhookEndpoints.rotateSecret(id, { secret: next });

  const endpoint = await client.webhookEndpoints.completeSecretRotation(id);

  t.is(endpoint.secret, masked(next));
  t.false('nextSecretAt' in endpoint);
  t.deepEqual(await client.webhookEndpoints.get(id), endpoint);
  t.like(await rotationOf(id), { next: null, previous: { until: endpoint.oldSecretEndsAt } });
});

test('completeWebhookSecretRotation 200 with revokeOld deletes the old secret', async (t) => {
  const { client } = await server().createMerchant();
  const { id } = await client.webhookEndpoints.register({ url: unreachableUrl });
  await client.webhookEndpoints.rotateSecret(id);

  await client.webhookEndpoints.completeSecretRotation(id, { revokeOld: true });

  t.is(await rotationOf(id), null);
});

test('completeWebhookSecretRotation 200 without a staged secret returns the endpoint unchanged', async (t) => {
  const { client } = await server().createMerchant();
  const { id } = await client.webhookEndpoints.register({ url: unreachableUrl });
  const before = await client.webhookEndpoints.get(id);

  t.deepEqual(await client.webhookEndpoints.completeSecretRotation(id), before);
});

test('completeWebhookSecretRotation 200 with revokeOld after the rotation was completed deletes the old secret', async (t) => {
  const { client } = await server().createMerchant();
  const { id } = await client.webhookEndpoints.register({ url: unreachableUrl });
  const next = generateSecret();
  await client.webhookEndpoints.rotateSecret(id, { secret: next, switchAfterSeconds: 0 });

  const endpoint = await client.webhookEndpoints.completeSecretRotation(id, { revokeOld: true });

  t.is(endpoint.secret, masked(next));
  t.false('oldSecretEndsAt' in endpoint);
  t.is(await rotationOf(id), null);
});

test('completeWebhookSecretRotation 200 for two concurrent calls completes the rotation once, so the old secret still signs', async (t) => {
  const { client } = await server().createMerchant();
  const { id, secret } = await client.webhookEndpoints.register({ url: unreachableUrl });
  await client.webhookEndpoints.rotateSecret(id);
  const { completeSecretRotation } = client.webhookEndpoints;

  await Promise.all([completeSecretRotation(id), completeSecretRotation(id), completeSecretRotation(id)]);

  const { previous } = (await rotationOf(id)) as { previous: { sealed: string } };
  t.is(await server().arrange('unseal', { sealed: previous.sealed, id }), secret);
});

test('completeWebhookSecretRotation 400 when revokeOld is not a boolean', async (t) => {
  const { client } = await server().createMerchant();
  const { id } = await client.webhookEndpoints.register({ url: unreachableUrl });

  const completing = client.webhookEndpoints.completeSecretRotation(id, { revokeOld: 'yes' as never });

  t.like(await t.throwsAsync(completing), { code: 'invalid_parameter', param: 'revokeOld' });
});

test('completeWebhookSecretRotation 404 when the endpoint was removed, or belongs to another merchant or the other mode', async (t) => {
  const [owner, other] = await Promise.all([server().createMerchant(), server().createMerchant()]);
  const { id } = await owner.client.webhookEndpoints.register({ url: unreachableUrl });
  await owner.client.webhookEndpoints.rotateSecret(id);

  await t.throwsAsync(other.client.webhookEndpoints.completeSecretRotation(id), { instanceOf: NotFoundError });
  await t.throwsAsync(owner.liveClient.webhookEndpoints.completeSecretRotation(id), { instanceOf: NotFoundError });
  t.truthy((await owner.client.webhookEndpoints.get(id)).nextSecretAt);
  await owner.client.webhookEndpoints.remove(id);
  await t.throwsAsync(owner.client.webhookEndpoints.completeSecretRotation(id), { instanceOf: NotFoundError });
});

const nobody = 'http://127.0.0.1:9/';

test('sendTestEvent 200 sends a test.event that the SDK verifies, and returns the answer of the receiver', async (t) => {
  const receiver = await startReceiver();
  t.teardown(() => receiver.stop());
  const { client } = await server().createMerchant();
  const endpoint = await client.webhookEndpoints.register({ url: receiver.url });

  const { success, data } = await client.webhookEndpoints.sendTest(endpoint.id);

  t.true(success);
  t.like(data, { event: 'test.event', attempt: 1, delivered: true, statusCode: 200, error: null, responseBody: 'ok' });
  const [delivery] = receiver.deliveries;
  const event = await unwrap(delivery?.body ?? '', delivery?.headers ?? {}, endpoint.secret);
  t.like(event, { event: 'test.event', webhookId: endpoint.id, data: { status: 'completed' } });
  t.is(delivery?.headers['x-service-delivery-id'], data.deliveryId);
  t.like((await client.webhookEndpoints.list()).webhooks[0], { successCount: 1, failureCount: 0 });
});

test('sendTestEvent 200 with the error when the receiver fails, and without a retry', async (t) => {
  const receiver = await startReceiver();
  receiver.setAnswer(() => ({ status: 500, body: 'broken' }));
  t.teardown(() => receiver.stop());
  const { client } = await server().createMerchant();
  const endpoint = await client.webhookEndpoints.register({ url: receiver.url });

  const { success, data } = await client.webhookEndpoints.sendTest(endpoint.id);

  t.true(success);
  t.like(data, { delivered: false, statusCode: 500, error: null, responseBody: 'broken' });
  t.like((await client.webhookEndpoints.list()).webhooks[0], { successCount: 0, failureCount: 1 });
  t.like(await client.deliveries.get(data.deliveryId), { status: 'failed', nextAttemptAt: null });
  t.deepEqual(
    await server().database.query('select from pending_delivery where delivery_id = $1', [data.deliveryId]),
    [],
  );
});

test('sendTestEvent 200 with the error when the receiver is unreachable', async (t) => {
  const { client } = await server().createMerchant();
  const endpoint = await client.webhookEndpoints.register({ url: nobody });

  const { data } = await client.webhookEndpoints.sendTest(endpoint.id);

  t.like(data, { delivered: false, statusCode: null, error: 'connection_refused', responseBody: null });
});

test('sendTestEvent 200 with the reason in a sentence when the receiver’s certificate is refused', async (t) => {
  const { port } = await startRawReceiver(t, answersOk, selfSigned('127.0.0.1'));
  const url = `https://127.0.0.1:${port}/`;
  const { client } = await server().createMerchant();
  const endpoint = await client.webhookEndpoints.register({ url });
  const mock = await startMockInRun();
  t.teardown(() => mock.stop());
  const onMock = new Tillhook('sk_test_any', { baseUrl: mock.url });
  const { id } = await onMock.webhookEndpoints.register({ url });
  const expected = {
    delivered: false,
    error: 'tls_failed',
    errorDetail: 'The certificate of the receiver is self-signed: no authority has issued it.',
  };

  t.like((await client.webhookEndpoints.sendTest(endpoint.id)).data, expected);
  t.like((await onMock.webhookEndpoints.sendTest(id)).data, expected);
});

test('sendTestEvent 200 reports a success when the receiver sends 100 first, and when the response body breaks off', async (t) => {
  const { client } = await server().createMerchant();
  for (const [answer, responseBody] of [[continues, 'ok'] as const, [closesInBody, 'half'] as const]) {
    const { port } = await startRawReceiver(t, answer);
    const endpoint = await client.webhookEndpoints.register({ url: `http://127.0.0.1:${port}/` });

    const { data } = await client.webhookEndpoints.sendTest(endpoint.id);

    t.like(data, { delivered: true, statusCode: 200, error: null, responseBody });
  }
});

test('sendTestEvent 200 for an inactive endpoint', async (t) => {
  const receiver = await startReceiver();
  t.teardown(() => receiver.stop());
  const { client } = await server().createMerchant();
  const { id } = await client.webhookEndpoints.register({ url: receiver.url });
  await server().database.query('update webhook_endpoint set is_active = false where id = $1', [id]);

  t.true((await client.webhookEndpoints.sendTest(id)).data.delivered);
});

test('sendTestEvent 400 when the id is not a UUID', async (t) => {
  const { client } = await server().createMerchant();

  t.like(await t.throwsAsync(client.webhookEndpoints.sendTest('first')), { code: 'invalid_parameter', param: 'id' });
});

test('sendTestEvent 404 when the endpoint belongs to another merchant or the other mode', async (t) => {
  const [owner, other] = await Promise.all([server().createMerchant(), server().createMerchant()]);
  const { id } = await owner.client.webhookEndpoints.register({ url: nobody });

  await t.throwsAsync(other.client.webhookEndpoints.sendTest(id), { instanceOf: NotFoundError });
  await t.throwsAsync(owner.liveClient.webhookEndpoints.sendTest(id), { instanceOf: NotFoundError });
});
