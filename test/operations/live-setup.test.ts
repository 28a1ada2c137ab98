import type { OperationOutput } from '@tillhook/openapi';
import test from 'ava';
import { unreachableUrl } from '../support/receivers/deliveries.ts';
import { serverForFile, type TestMerchant } from '../support/server/tillhook.ts';
import { createKey, keysOf, type SignedIn, signIn } from '../support/users/session.ts';

const withoutProcessors = serverForFile();
const withProcessors = serverForFile({
  ROLE: 'api',
  STRIPE_SECRET_KEY: 'sk_test_setup',
  STRIPE_WEBHOOK_SECRET: 'whsec_setup',
  PAYOUT_PROCESSOR: 'manual',
  RATE_LIMITS: 'live:100000/10',
});

test('getLiveSetup 200 says which processors the operator has set up', async (t) => {
  const [without, withBoth] = [await signIn(withoutProcessors()), await signIn(withProcessors())];

  t.deepEqual(await unmet(without), ['payment_processor', 'payout_processor', 'business_details', 'webhook_endpoint']);
  t.deepEqual(await unmet(withBoth), ['business_details', 'webhook_endpoint']);
});

test('getLiveSetup 200 counts what works in live mode, and getOverview says when nothing is missing', async (t) => {
  const ada = await signIn(withProcessors());
  const { liveClient, client } = ada.merchant;
  await client.webhookEndpoints.register({ url: unreachableUrl });
  t.deepEqual(await unmet(ada), ['business_details', 'webhook_endpoint'], 'an endpoint of test mode does not count');
  t.false(await isReady(ada));

  const { id } = await liveClient.webhookEndpoints.register({ url: 'https://example.com/hooks' });
  await ada.call('/api/v1/dashboard/settings', { method: 'PATCH', json: { supportUrl: 'https://example.com/help' } });
  t.deepEqual(await unmet(ada), []);
  t.true(await isReady(ada));

  await liveClient.webhookEndpoints.update(id, { isActive: false });
  t.deepEqual(await unmet(ada), ['webhook_endpoint'], 'a paused endpoint does not count');
  await liveClient.webhookEndpoints.remove(id);
  t.deepEqual(await unmet(ada), ['webhook_endpoint']);
  t.false(await isReady(ada));
});

test('getLiveSetup 200 counts only live keys that work, and is the same in both modes', async (t) => {
  const ada = await signIn(withProcessors());
  const revoke = async (mode: 'test' | 'live') => {
    for (const { id } of (await keysOf(ada, mode)).apiKeys)
      await ada.call(`/api/v1/dashboard/api-keys/${id}`, { method: 'DELETE', mode });
  };
  await revoke('test');
  t.deepEqual(await unmet(ada), ['business_details', 'webhook_endpoint']);
  t.false((await firstSteps(ada)).apiKeyCreated);
  await revoke('live');
  t.deepEqual(await unmet(ada), ['business_details', 'api_key', 'webhook_endpoint']);
  t.deepEqual(await unmet(ada, 'live'), await unmet(ada));
  await createKey(ada, { mode: 'live' });
  t.deepEqual(await unmet(ada), ['business_details', 'webhook_endpoint']);

  await expireKeys(ada.merchant);
  t.deepEqual(await unmet(ada), ['business_details', 'api_key', 'webhook_endpoint']);
});

test('getLiveSetup 200 answers every role', async (t) => {
  const merchant = await withoutProcessors().createMerchant();
  for (const role of ['administrator', 'developer', 'support', 'viewer', 'operator'] as const) {
    t.is((await unmet(await signIn(withoutProcessors(), merchant, role))).length, 4, role);
  }
});

async function unmet({ call }: SignedIn, mode: 'test' | 'live' = 'test'): Promise<string[]> {
  const response = await call('/api/v1/dashboard/live-setup', { mode });
  if (!response.ok) throw new Error(`The answer was ${response.status}: ${await response.text()}`);
  const { needs }: OperationOutput<'getLiveSetup'> = await response.json();
  return needs.filter(({ isMet }) => !isMet).map(({ kind }) => kind);
}

async function firstSteps({ call }: SignedIn): Promise<OperationOutput<'getOverview'>['firstSteps']> {
  return (await (await call('/api/v1/dashboard/overview')).json()).firstSteps;
}

const isReady = async (user: SignedIn) => (await firstSteps(user)).liveReady;

async function expireKeys({ id }: TestMerchant): Promise<void> {
  await withProcessors().database.query('update api_key set expires_at = now() where merchant_id = $1', [id]);
}
