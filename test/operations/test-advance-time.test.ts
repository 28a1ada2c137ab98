import { PermissionError, ValidationError } from '@tillhook/sdk';
import test from 'ava';
import { publishedEvents, startCheckout } from '../support/money/payments.ts';
import { fundedMerchant, recipient, waitForTransfer } from '../support/money/transfers.ts';
import { unreachableUrl } from '../support/receivers/deliveries.ts';
import { serverForFile, type TestMerchant } from '../support/server/tillhook.ts';

const server = serverForFile();

const path = '/api/v1/test-helpers/time/advance';
const none = { checkouts: 0, deliveries: 0, transfers: 0, refunds: 0, rotations: 0, apiKeys: 0 };

const advance = ({ testKey }: Pick<TestMerchant, 'testKey'>, body: unknown, headers: Record<string, string> = {}) =>
  server().request(path, {
    method: 'POST',
    key: testKey,
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });

const secondsBetween = (earlier: string, later: string) => (Date.parse(later) - Date.parse(earlier)) / 1000;

test('200 counts what came nearer, and what has no deadline is not counted', async (t) => {
  const merchant = await fundedMerchant(server(), 1000);
  const { client } = merchant;
  await startCheckout(merchant, 'order-open');
  await startCheckout(merchant, 'order-paid');
  await client.test.completePayment('order-paid');
  await client.transfers.create({ amount: 300, reference: 'pay-late', recipient: recipient('0000000002') });
  const { id } = await client.webhookEndpoints.register({ url: unreachableUrl, events: ['transfer.success'] });
  await client.webhookEndpoints.rotateSecret(id);

  const advanced = await client.test.advanceTime({ seconds: 5 });

  t.deepEqual(advanced, { seconds: 5, moved: { ...none, checkouts: 1, transfers: 1, rotations: 1 } });
});

test('200 counts nothing for a merchant without deadlines', async (t) => {
  const { client } = await server().createMerchant();

  t.deepEqual(await client.test.advanceTime({ seconds: 2_592_000 }), { seconds: 2_592_000, moved: none });
});

test('200 leaves a deadline that is farther away in the future, nearer by so many seconds', async (t) => {
  const merchant = await server().createMerchant();
  const { reference } = await startCheckout(merchant);
  const { id } = await merchant.client.webhookEndpoints.register({ url: unreachableUrl });
  const staged = await merchant.client.webhookEndpoints.rotateSecret(id);
  const before = await merchant.client.payments.get(reference);

  await merchant.client.test.advanceTime({ seconds: 3600 });

  const after = await merchant.client.payments.get(reference);
  t.deepEqual(after, { ...before, expiresAt: after.expiresAt });
  t.is(secondsBetween(after.expiresAt, before.expiresAt), 3600);
  const endpoint = await merchant.client.webhookEndpoints.get(id);
  t.is(secondsBetween(String(endpoint.nextSecretAt), String(staged.nextSecretAt)), 3600);
});

test('200 answers when checkouts have expired, each with its event', async (t) => {
  const merchant = await server().createMerchant();
  const { reference } = await startCheckout(merchant);

  const asked = Date.now();
  await merchant.client.test.advanceTime({ seconds: 86_400 });

  const { status, expiresAt, createdAt } = await merchant.client.payments.get(reference);
  t.is(status, 'expired');
  t.true(Date.parse(expiresAt) >= asked && createdAt < expiresAt, expiresAt);
  t.deepEqual(await publishedEvents(server(), merchant), ['checkout.expired expired to 0']);
});

test('200 a second time with the same Idempotency-Key moves nothing again', async (t) => {
  const merchant = await server().createMerchant();
  const { reference } = await startCheckout(merchant);
  const { expiresAt } = await merchant.client.payments.get(reference);
  const once = { 'idempotency-key': 'an-hour-passes' };

  const first = await advance(merchant, { seconds: 3600 }, once);
  const second = await advance(merchant, { seconds: 3600 }, once);

  t.deepEqual(await first.json(), { seconds: 3600, moved: { ...none, checkouts: 1 } });
  t.is(second.headers.get('idempotent-replayed'), 'true');
  t.is(secondsBetween((await merchant.client.payments.get(reference)).expiresAt, expiresAt), 3600);
});

test('200 for 20 calls at once, each of which moves every deadline', async (t) => {
  const merchant = await server().createMerchant();
  for (let number = 1; number <= 10; number += 1) await startCheckout(merchant, `order-10${number}`);
  const { expiresAt } = await merchant.client.payments.get('order-105');

  const calls = Array.from({ length: 20 }, () => merchant.client.test.advanceTime({ seconds: 60 }));
  const counts = (await Promise.all(calls)).map(({ moved }) => moved.checkouts);

  t.deepEqual(counts, Array(20).fill(10));
  t.is(secondsBetween((await merchant.client.payments.get('order-105')).expiresAt, expiresAt), 1200);
});

test('200 waits for a transfer that was ordered just now', async (t) => {
  const merchant = await fundedMerchant(server(), 1000);
  const { client } = merchant;

  for (let number = 1; number <= 10; number += 1) {
    const reference = `pay-${number}000`;
    await client.transfers.create({ amount: 1, reference, recipient: recipient('0000000002') });
    t.is((await client.test.advanceTime({ seconds: 30 })).moved.transfers, 1);
    await waitForTransfer('completed', merchant, reference);
  }
});

const wrong = {
  'is below 1': [{ seconds: 0 }, 'seconds must be at least 1'],
  'is negative': [{ seconds: -1 }, 'seconds must be at least 1'],
  'is more than 30 days': [{ seconds: 2_592_001 }, 'seconds must be at most 2592000'],
  'is no whole number': [{ seconds: 1.5 }, 'seconds must be a whole number'],
  'is a text': [{ seconds: '60' }, 'seconds must be a whole number'],
  'is missing': [{}, 'seconds is required'],
} as const;

for (const [situation, [body, message]] of Object.entries(wrong)) {
  test(`400 when the number of seconds ${situation}, and nothing moves`, async (t) => {
    const merchant = await server().createMerchant();
    const { reference } = await startCheckout(merchant);
    const { expiresAt } = await merchant.client.payments.get(reference);

    const response = await advance(merchant, body);

    t.is(response.status, 400);
    const { message: said, error } = await response.json();
    t.is(said, message);
    t.is(error.param, 'seconds');
    t.is((await merchant.client.payments.get(reference)).expiresAt, expiresAt);
  });
}

test('400 in the SDK is a ValidationError', async (t) => {
  const { client } = await server().createMerchant();

  t.like(await t.throwsAsync(client.test.advanceTime({ seconds: 0 }), { instanceOf: ValidationError }), {
    param: 'seconds',
  });
});

test('403 with a live key, and nothing of either mode moves', async (t) => {
  const merchant = await server().createMerchant();
  const { reference } = await startCheckout(merchant);
  const { expiresAt } = await merchant.client.payments.get(reference);

  const attempt = merchant.liveClient.test.advanceTime({ seconds: 60 });

  t.is((await t.throwsAsync(attempt, { instanceOf: PermissionError }))?.code, 'test_mode_only');
  t.is((await merchant.client.payments.get(reference)).expiresAt, expiresAt);
});
