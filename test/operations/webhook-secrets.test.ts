import { generateSecret, NotFoundError, ValidationError } from '@tillhook/sdk';
import test from 'ava';
import { unreachableUrl } from '../support/receivers/deliveries.ts';
import { serverForFile, startServer, type TestServer } from '../support/server/tillhook.ts';
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
