/** The server has the default delays of retries, as in production. */
import { AuthenticationError, generateSecret } from '@tillhook/sdk';
import test, { type ExecutionContext } from 'ava';
import { eventually } from '../support/eventually.ts';
import { payByForm } from '../support/money/hosted-page.ts';
import { publishedEvents, startCheckout } from '../support/money/payments.ts';
import { payWith, waitForRefund } from '../support/money/refunds.ts';
import { fundedMerchant, recipient, waitForTransfer } from '../support/money/transfers.ts';
import { unreachableUrl } from '../support/receivers/deliveries.ts';
import { receiverFor, startReceiver } from '../support/receivers/receiver.ts';
import { serverForFile, startServer, type TestMerchant } from '../support/server/tillhook.ts';
import { createKey, keysOf, type SignedIn, signIn } from '../support/users/session.ts';

const productionDelays = { DELIVERY_RETRY_DELAYS_MS: '60000,900000,7200000' };
const server = serverForFile(productionDelays);

const hour = 3600;
const day = 24 * hour;
/** For each retry, a time in seconds that is longer than its delay with the maximum jitter. */
const untilRetry = [72, 18 * 60, 2.4 * hour];

async function failingEndpoint(t: ExecutionContext, { client }: TestMerchant) {
  const receiver = await startReceiver({ answer: () => ({ status: 500 }) });
  t.teardown(() => receiver.stop());
  return { receiver, ...(await client.webhookEndpoints.register({ url: receiver.url })) };
}

test('a checkout expires and publishes its event, even if its customer is at the 3-D Secure step', async (t) => {
  const merchant = await server().createMerchant();
  await startCheckout(merchant, 'order-open');
  const { checkoutUrl } = await startCheckout(merchant, 'order-step');
  await payByForm(checkoutUrl, '4000000000003220');
  t.is((await merchant.client.payments.get('order-step')).status, 'processing');

  const { moved } = await merchant.client.test.advanceTime({ seconds: day });

  t.is(moved.checkouts, 2);
  for (const reference of ['order-open', 'order-step']) {
    t.is((await merchant.client.payments.get(reference)).status, 'expired');
  }
  const expired = 'checkout.expired expired to 0';
  t.deepEqual(await publishedEvents(server(), merchant), [expired, expired]);
});

test('each call of advanceTime causes one retry of a delivery, and the delivery log has the real times of the attempts', async (t) => {
  const merchant = await server().createMerchant();
  const { receiver } = await failingEndpoint(t, merchant);
  const startedAt = new Date().toISOString();
  await startCheckout(merchant);
  await merchant.client.test.completePayment('order-1042');
  await receiver.waitFor(1);

  for (const [index, seconds] of untilRetry.entries()) {
    t.is((await merchant.client.test.advanceTime({ seconds })).moved.deliveries, 1);
    await receiver.waitFor(index + 2);
  }

  const { deliveries } = await eventually(
    () => merchant.client.deliveries.list({ status: 'failed' }),
    ({ total }) => total === 1,
  );
  const { attempts, createdAt } = await merchant.client.deliveries.get(String(deliveries[0]?.id));
  t.deepEqual(
    attempts.map(({ attempt }) => attempt),
    [1, 2, 3, 4],
  );
  for (const moment of [createdAt, ...attempts.map((attempt) => attempt.startedAt)]) {
    t.true(moment >= startedAt && Date.parse(moment) <= Date.now(), moment);
  }
});

test('a retry that is due after the advanced time is not sent', async (t) => {
  const merchant = await server().createMerchant();
  const { receiver } = await failingEndpoint(t, merchant);
  await startCheckout(merchant);
  await merchant.client.test.completePayment('order-1042');
  await receiver.waitFor(1);

  t.is((await merchant.client.test.advanceTime({ seconds: 30 })).moved.deliveries, 1);

  const { deliveries } = await merchant.client.deliveries.list({ status: 'pending' });
  const leftMs = Date.parse(String(deliveries[0]?.nextAttemptAt)) - Date.now();
  t.true(leftMs <= 42_000, `${leftMs} ms are left`);
  t.is(receiver.deliveries.length, 1);
});

test('a delivery in flight stays leased, and a hanging endpoint does not block the call of advanceTime', async (t) => {
  const merchant = await server().createMerchant();
  const receiver = await startReceiver({ answer: () => 'hang' });
  t.teardown(() => receiver.stop());
  await merchant.client.webhookEndpoints.register({ url: receiver.url });
  await startCheckout(merchant);
  await merchant.client.test.completePayment('order-1042');
  await receiver.waitFor(1);
  const held =
    'select pending_delivery.lease, due_at, held_until from pending_delivery join delivery on id = delivery_id where merchant_id = $1';
  const before = await server().database.query(held, [merchant.id]);

  const { moved } = await merchant.client.test.advanceTime({ seconds: day });

  t.is(moved.deliveries, 0);
  t.deepEqual(await server().database.query(held, [merchant.id]), before);
  t.is(receiver.deliveries.length, 1);
});

test('a transfer and a refund are settled, and a completed transfer is reversed', async (t) => {
  const merchant = await fundedMerchant(server(), 1000);
  const { client } = merchant;
  await payWith(merchant, { card: '4000000000007726' });
  await client.transfers.create({ amount: 10, reference: 'pay-late', recipient: recipient('0000000002') });
  await client.transfers.create({ amount: 10, reference: 'pay-back', recipient: recipient('0000000003') });
  await client.refunds.create('order-1042', { amount: 300, reference: 'refund-1' });

  const { moved } = await client.test.advanceTime({ seconds: 30 });

  t.is(moved.refunds, 1);
  t.is((await waitForTransfer('completed', merchant, 'pay-late')).status, 'completed');
  t.is((await waitForTransfer('reversed', merchant, 'pay-back')).status, 'reversed');
  t.is((await waitForRefund('completed', merchant, 'refund-1')).status, 'completed');
});

test('a staged secret becomes current, and a day later the old secret no longer signs', async (t) => {
  const { client } = await server().createMerchant();
  const receiver = await receiverFor(t);
  const { id, secret: old } = await client.webhookEndpoints.register({ url: receiver.url });
  const next = generateSecret();
  await receiver.addSecret(old);
  await receiver.addSecret(next);
  await client.webhookEndpoints.rotateSecret(id, { secret: next });
  const signaturesOf = async (number: number) => {
    await client.webhookEndpoints.sendTest(id);
    const delivery = (await receiver.waitFor(number))[number - 1];
    return String(delivery?.headers['webhook-signature']).split(' ').length;
  };
  t.is(await signaturesOf(1), 2);

  await client.test.advanceTime({ seconds: day });

  const { secret, nextSecretAt } = await client.webhookEndpoints.get(id);
  t.deepEqual([secret.slice(-4), nextSecretAt], [next.slice(-4), undefined]);
  t.is(await signaturesOf(2), 2);
  t.is((await client.test.advanceTime({ seconds: day })).moved.rotations, 1);
  t.is(await signaturesOf(3), 1);
  t.true(receiver.deliveries.every(({ verification }) => verification === 'verified'));
  t.is((await client.test.advanceTime({ seconds: day })).moved.rotations, 0);
});

test('advancing two days in one call makes the staged secret current and ends the old secret', async (t) => {
  const { client } = await server().createMerchant();
  const { id } = await client.webhookEndpoints.register({ url: unreachableUrl });
  await client.webhookEndpoints.rotateSecret(id);

  await client.test.advanceTime({ seconds: 2 * day });

  const [row] = await server().database.query('select secret_rotation from webhook_endpoint where id = $1', [id]);
  t.deepEqual(row, { secret_rotation: null });
});

test('a rolled API key works until its overlap ends', async (t) => {
  const ada = await signIn(server());
  const old = await createKey(ada);
  const calls = () =>
    server()
      .request('/api/v1/me', { key: old.key })
      .then(({ status }) => status);
  await ada.call(`/api/v1/dashboard/api-keys/${old.id}/roll`, { method: 'POST', json: { overlapSeconds: hour } });

  const { moved } = await ada.merchant.client.test.advanceTime({ seconds: hour - 60 });

  t.is(moved.apiKeys, 1);
  t.is(await calls(), 200);
  await ada.merchant.client.test.advanceTime({ seconds: 60 });
  t.is(await calls(), 401);
  const ended = (await keysOf(ada)).apiKeys.find(({ id }) => id === old.id);
  t.true(String(ended?.expiresAt) > String(ended?.createdAt));
  t.is((await ada.merchant.client.test.advanceTime({ seconds: hour })).moved.apiKeys, 0);
});

test('when a call of advanceTime makes the API key of its caller expire, the next call with that key gets expired_api_key', async (t) => {
  const ada = await signIn(server());
  const { apiKeys } = await keysOf(ada);
  const own = apiKeys.find(({ mode }) => mode === 'test');
  await ada.call(`/api/v1/dashboard/api-keys/${own?.id}/roll`, { method: 'POST', json: { overlapSeconds: hour } });
  const { client } = ada.merchant;

  await client.test.advanceTime({ seconds: hour });

  t.is((await t.throwsAsync(client.account.get(), { instanceOf: AuthenticationError }))?.code, 'expired_api_key');
});

test('advancing the time changes no deadline of another merchant or of live mode', async (t) => {
  const [ada, grace] = [await signIn(server()), await signIn(server())];
  await addDeadlines(t, ada);
  await addDeadlines(t, grace);
  await moveToLiveMode(ada.merchant);
  const before = await Promise.all([deadlinesOf(ada.merchant), deadlinesOf(grace.merchant)]);

  const { moved } = await ada.merchant.client.test.advanceTime({ seconds: 30 * day });

  t.deepEqual(Object.values(moved), [0, 0, 0, 0, 0, 0, 0]);
  t.deepEqual(await Promise.all([deadlinesOf(ada.merchant), deadlinesOf(grace.merchant)]), before);
  const { moved: ofGrace } = await grace.merchant.client.test.advanceTime({ seconds: 1 });
  t.deepEqual(Object.values(ofGrace), [1, 1, 1, 1, 1, 1, 1]);
});

test('advancing the time also works when the API and the worker are two processes', async (t) => {
  const api = await startServer(t, { ...productionDelays, ROLE: 'api' });
  await startServer(t, { ...productionDelays, ROLE: 'worker', DATABASE_URL: api.database.url });
  const merchant = await fundedMerchant(api, 1000);
  const { client } = merchant;
  const { receiver } = await failingEndpoint(t, merchant);
  await client.transfers.create({ amount: 10, reference: 'pay-late', recipient: recipient('0000000002') });
  await startCheckout(merchant, 'order-paid');
  await client.test.completePayment('order-paid');
  await receiver.waitFor(1);
  await startCheckout(merchant, 'order-open');

  await client.test.advanceTime({ seconds: 72 });

  await receiver.waitFor((delivery) => delivery.headers['x-service-attempt'] === '2');
  await waitForTransfer('completed', merchant, 'pay-late');
  await client.test.advanceTime({ seconds: day });
  t.is((await client.payments.get('order-open')).status, 'expired');
});

async function addDeadlines(t: ExecutionContext, ada: SignedIn): Promise<void> {
  const { merchant } = ada;
  const { client } = merchant;
  await client.test.fundWallet({ amount: 1000 });
  await payWith(merchant, { card: '4000000000007726' });
  await client.refunds.create('order-1042', { amount: 300, reference: 'refund-1' });
  await client.transfers.create({ amount: 10, reference: 'pay-late', recipient: recipient('0000000002') });
  const { id: webhookId, receiver } = await failingEndpoint(t, merchant);
  await client.webhookEndpoints.rotateSecret(webhookId);
  await startCheckout(merchant, 'order-paid');
  await client.test.completePayment('order-paid');
  await receiver.waitFor(1);
  await startCheckout(merchant, 'order-open');
  const expiresAt = new Date(Date.now() + 60 * day * 1000).toISOString();
  await client.paymentLinks.create({ name: 'Mug', amount: 1000, expiresAt });
  const { id } = await createKey(ada);
  await ada.call(`/api/v1/dashboard/api-keys/${id}/roll`, { method: 'POST', json: {} });
  await eventually(async () => (await deadlinesOf(merchant)).map(({ of }) => of), allKinds);
  // The test postpones the checks, because a busy machine may take longer than the half minute after which the
  // simulators settle.
  for (const table of ['transfer', 'refund']) {
    await server().database.query(
      `update ${table} set next_check_at = now() + interval '1 hour' where merchant_id = $1 and next_check_at is not null`,
      [merchant.id],
    );
  }
}

const allKinds = ['api_key', 'payment', 'payment_link', 'pending_delivery', 'refund', 'transfer', 'webhook_endpoint'];

function deadlinesOf({ id }: TestMerchant): Promise<{ of: string; at: string }[]> {
  return server().database.query(
    `select 'payment' as of, expires_at::text as at from payment where merchant_id = $1 and status = 'pending'
     union all select 'payment_link', expires_at::text from payment_link where merchant_id = $1
     union all select 'transfer', next_check_at::text from transfer where merchant_id = $1 and status = 'processing'
     union all select 'refund', next_check_at::text from refund where merchant_id = $1 and status = 'processing'
     union all select 'webhook_endpoint', secret_rotation->'next'->>'at' from webhook_endpoint where merchant_id = $1
     union all select 'pending_delivery', due_at::text from pending_delivery join webhook_endpoint on endpoint_id = id
       where merchant_id = $1 and is_retry
     union all select 'api_key', expires_at::text from api_key where merchant_id = $1 and expires_at is not null
     order by of`,
    [id],
  );
}

/** Changes the merchant's records to live mode, because this server has no live processor to create such records. */
async function moveToLiveMode({ id, testKey }: TestMerchant): Promise<void> {
  for (const table of ['payment', 'payment_link', 'transfer', 'refund', 'webhook_endpoint', 'delivery']) {
    await server().database.query(`update ${table} set mode = 'live' where merchant_id = $1`, [id]);
  }
  const last4 = testKey.slice(-4);
  await server().database.query("update api_key set mode = 'live' where merchant_id = $1 and last4 <> $2", [id, last4]);
}
