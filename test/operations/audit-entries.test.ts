import test from 'ava';
import { fundedMerchant, recipient } from '../support/money/transfers.ts';
import { insertDeliveries, unreachableUrl } from '../support/receivers/deliveries.ts';
import { serverForFile } from '../support/server/tillhook.ts';
import { type RefusedQuery, testRefusedQueries } from '../support/users/refused-queries.ts';
import { auditOf, createKey, type SignedIn, signIn, userForFile } from '../support/users/session.ts';

const server = serverForFile();
const sharedUser = userForFile(server);
const path = '/api/v1/dashboard/audit-entries';

const post = async ({ call }: SignedIn, address: string, json?: object) => {
  const response = await call(address, { method: 'POST', ...(json && { json }) });
  if (!response.ok) throw new Error(`${address} returned ${response.status}: ${await response.text()}`);
  return response.json();
};

const actsOf = async (person: SignedIn, query = '') =>
  (await auditOf(person, query)).map(({ action, mode, subject }) => [action, mode, subject]);

test('listAuditEntries 200 lists the actions of a signed-in user, newest first', async (t) => {
  const ada = await signIn(server(), await fundedMerchant(server()));
  const { client } = ada.merchant;
  const { id } = await client.webhookEndpoints.register({ url: unreachableUrl });
  await client.checkout.create({ email: 'grace@example.com', amount: 500, reference: 'order-1' });
  await client.testHelpers.completePayment('order-1');

  await post(ada, `/api/v1/dashboard/merchant-webhooks/${id}/reveal-secret`, { password: ada.password });
  await post(ada, `/api/v1/merchant-webhooks/${id}/rotate-secret`, {});
  await post(ada, `/api/v1/merchant-webhooks/${id}/rotate-secret/complete`, {});
  await post(ada, '/api/v1/transfers', { reference: 'payout-1', amount: 5, recipient: recipient() });
  await post(ada, '/api/v1/wallets/transfer/top-ups', { reference: 'top-up-1', amount: 7 });
  await ada.call('/api/v1/dashboard/settings', { method: 'PATCH', json: { name: 'Ada’s Bookshop' } });

  t.deepEqual(await actsOf(ada), [
    ['updateSettings', null, null],
    ['topUpTransferWallet', 'test', 'top-up-1'],
    ['createTransfer', 'test', 'payout-1'],
    ['completeWebhookSecretRotation', 'test', id],
    ['rotateWebhookSecret', 'test', id],
    ['revealWebhookSecret', 'test', id],
    ['signIn', null, null],
  ]);
  const entries = await auditOf(ada);
  t.true(entries.every(({ actor }) => actor.type === 'user' && actor.email === ada.email));
});

test('listAuditEntries 200 lists a replay that sent deliveries again, but not a replay that found no deliveries', async (t) => {
  const ada = await signIn(server());
  const { id: webhookId } = await ada.merchant.client.webhookEndpoints.register({ url: unreachableUrl });
  const replay = () =>
    post(ada, `/api/v1/merchant-webhooks/${webhookId}/replay`, { since: '2026-01-01T00:00:00.000Z' });

  await replay();
  t.deepEqual(await actsOf(ada), [['signIn', null, null]]);
  await insertDeliveries(server(), ada.merchant, { webhookId });
  await replay();

  t.deepEqual((await actsOf(ada))[0], ['replayDeliveries', 'test', webhookId]);
});

test('listAuditEntries 200 lists the changes of keys, with the key as subject', async (t) => {
  const ada = await signIn(server());
  const { id } = await createKey(ada);
  await post(ada, `/api/v1/dashboard/api-keys/${id}/roll`);

  await ada.call(`/api/v1/dashboard/api-keys/${id}`, { method: 'DELETE' });

  t.deepEqual((await actsOf(ada)).slice(0, 3), [
    ['revokeApiKey', 'test', id],
    ['rollApiKey', 'test', id],
    ['createApiKey', 'test', id],
  ]);
});

test('listAuditEntries 200 lists the actions of test and live mode, whichever mode the call names', async (t) => {
  const ada = await signIn(server());
  const live = await createKey(ada, { mode: 'live' });
  const { id } = await createKey(ada);

  const [inTest, inLive] = [await ada.call(path), await ada.call(path, { mode: 'live' })];

  const { auditEntries, total } = await inTest.json();
  t.deepEqual(await inLive.json(), { auditEntries, total });
  t.like(auditEntries[0], { subject: id, mode: 'test' });
  t.like(auditEntries[1], { subject: live.id, mode: 'live' });
});

test('listAuditEntries 200 lists no actions by an API key', async (t) => {
  const ada = await signIn(server(), await fundedMerchant(server()));
  const { client } = ada.merchant;
  const before = await actsOf(ada);

  const { id } = await client.webhookEndpoints.register({ url: unreachableUrl });
  await client.webhookEndpoints.rotateSecret(id);
  await client.webhookEndpoints.completeSecretRotation(id);
  await client.transfers.create({ reference: 'payout-1', amount: 5, recipient: recipient() });
  await client.checkout.create({ email: 'grace@example.com', amount: 500, reference: 'order-1' });
  await client.testHelpers.completePayment('order-1');
  await client.wallets.topUp({ reference: 'top-up-1', amount: 7 });

  t.deepEqual(await actsOf(ada), before);
});

test('listAuditEntries 200 lists no refused calls', async (t) => {
  const ada = await signIn(server(), await fundedMerchant(server(), 100));
  const before = await actsOf(ada);
  const statuses: number[] = [];
  for (const json of [{ amount: 101 }, { amount: 0 }]) {
    const details = { reference: 'payout-1', recipient: recipient(), ...json };
    statuses.push((await ada.call('/api/v1/transfers', { method: 'POST', json: details })).status);
  }

  t.deepEqual(statuses, [422, 400]);
  t.deepEqual(await actsOf(ada), before);
});

test('listAuditEntries 200 lists an action once when its call is repeated with the same Idempotency-Key', async (t) => {
  const ada = await signIn(server(), await fundedMerchant(server()));
  const json = { reference: 'payout-1', amount: 5, recipient: recipient() };

  for (let call = 0; call < 2; call++) {
    const headers = { 'idempotency-key': 'once' };
    t.is((await ada.call('/api/v1/transfers', { method: 'POST', json, headers })).status, 201);
  }

  t.is((await actsOf(ada)).filter(([action]) => action === 'createTransfer').length, 1);
});

test('listAuditEntries 200 names an operator as the actor, without email and address', async (t) => {
  const ada = await signIn(server());
  const { id: merchantId } = ada.merchant;
  const act = { merchantId, mode: 'live', action: 'rollApiKey', subject: merchantId, by: null } as const;
  await server().arrange('writeAuditEntry', act);

  const { auditEntries } = await (await ada.call(`${path}?limit=1`)).json();

  t.like(auditEntries[0], { action: 'rollApiKey', mode: 'live', actor: { type: 'operator', email: null } });
});

test('listAuditEntries 200 lists the actions of every user of the merchant, and nothing of another merchant', async (t) => {
  const merchant = await server().createMerchant();
  const [ada, grace] = [await signIn(server(), merchant), await signIn(server(), merchant)];
  const eve = await signIn(server());
  await createKey(eve);

  const entries = await auditOf(ada);

  t.deepEqual(
    entries.map(({ actor }) => actor.email),
    [grace.email, ada.email],
  );
  t.is((await auditOf(eve)).length, 2);
});

test('listAuditEntries 200 skips `offset` records, returns at most `limit`, and filters by time', async (t) => {
  const ada = await signIn(server());
  const made = [await createKey(ada), await createKey(ada), await createKey(ada)];
  const { auditEntries: all, total } = await (await ada.call(path)).json();
  const second = all[1].createdAt;

  const page = await (await ada.call(`${path}?limit=1&offset=1`)).json();

  t.deepEqual(page, { auditEntries: [all[1]], total });
  t.is(all[1].subject, made[1]?.id);
  const subjects = async (query: string) => (await actsOf(ada, query)).map(([, , subject]) => subject);
  t.deepEqual(await subjects(`?from=${second}`), [made[2]?.id, made[1]?.id]);
  t.deepEqual(await subjects(`?to=${second}`), [made[0]?.id, null]);
  t.deepEqual(await subjects('?to=2020-01-01T00:00:00Z'), []);
});

test("listAuditEntries 200 filters by action, by a part of the user's email in any case, and by subject", async (t) => {
  const merchant = await server().createMerchant();
  const [ada, grace] = [await signIn(server(), merchant), await signIn(server(), merchant)];
  const { id } = await createKey(ada);
  await createKey(grace);
  await post(ada, `/api/v1/dashboard/api-keys/${id}/roll`);
  const narrowed = async (query: Record<string, string>) => actsOf(ada, `?${new URLSearchParams(query)}`);

  t.is((await narrowed({ action: 'createApiKey' })).length, 2);
  t.is((await narrowed({ email: ada.email.toUpperCase() })).length, 3);
  t.is((await narrowed({ email: ada.email.slice(6, 20) })).length, 3);
  t.is((await narrowed({ email: 'ADA@' })).length, 5);
  for (const email of ['a%', 'a_a', 'nobody', '(', '\\']) t.deepEqual(await narrowed({ email }), [], email);
  t.deepEqual(await narrowed({ subject: id, email: ada.email }), [
    ['rollApiKey', 'test', id],
    ['createApiKey', 'test', id],
  ]);
  t.deepEqual(await narrowed({ action: 'rollApiKey', email: grace.email }), []);
});

test('listAuditEntries 200 has the network address and the browser of an action', async (t) => {
  const ada = await signIn(server());
  const headers = { 'user-agent': 'Firefox of a desk' };
  await ada.call('/api/v1/dashboard/settings', { method: 'PATCH', json: { name: 'Ada’s Bookshop' }, headers });

  const [entry] = await auditOf(ada);

  t.like(entry, { action: 'updateSettings', browser: 'Firefox of a desk' });
  t.regex(entry?.address ?? '', /^(::ffff:)?127\.0\.0\.1$|^::1$/);
});

const refused: RefusedQuery[] = [
  ['limit is zero', 'limit=0', 'invalid_parameter', 'limit'],
  ['from is not a time', 'from=yesterday', 'invalid_parameter', 'from'],
  ['a parameter is unknown', 'actor=ada', 'unknown_parameter', 'actor'],
  ['the action is not a name', 'action=sign-in', 'invalid_parameter', 'action'],
  ['the email is empty', 'email=', 'invalid_parameter', 'email'],
];

testRefusedQueries({ operation: 'listAuditEntries', path }, sharedUser, refused);
