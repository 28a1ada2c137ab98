import test from 'ava';
import { eventually } from '../support/eventually.ts';
import { attemptsOf, createPaidMerchant } from '../support/receivers/deliveries.ts';
import { receiverFor } from '../support/receivers/receiver.ts';
import { serverForFile } from '../support/server/tillhook.ts';

const server = serverForFile();

test('every attempt sends identical bytes, retries end with the first success, and the success is counted once', async (t) => {
  const receiver = await receiverFor(t, (_delivery, index) => ({ status: index < 2 ? 500 : 200 }));
  const { client, endpoint } = await createPaidMerchant(server(), receiver);

  const deliveries = await receiver.waitFor(3);

  t.is(new Set(deliveries.map(({ body }) => body.toString('hex'))).size, 1);
  t.deepEqual(
    deliveries.map(({ headers }) => headers['x-service-attempt']),
    ['1', '2', '3'],
  );
  t.is(new Set(deliveries.map(({ headers }) => headers['x-service-signature'])).size, 1);
  t.is(new Set(deliveries.map(({ headers }) => headers['x-service-delivery-id'])).size, 1);
  await eventually(async () => (await client.webhookEndpoints.list()).webhooks[0]?.successCount, 1);
  t.like((await client.webhookEndpoints.list()).webhooks[0], { successCount: 1, failureCount: 0 });
  t.truthy((await client.webhookEndpoints.list()).webhooks[0]?.lastDeliveredAt);
  t.like(await attemptsOf(server(), endpoint.id), [
    { attempt: 1, status_code: 500, status: 'delivered' },
    { attempt: 2, status_code: 500 },
    { attempt: 3, status_code: 200 },
  ]);
});

test('a delivery is retried when the receiver drops the connection', async (t) => {
  const receiver = await receiverFor(t, (_delivery, index) => (index === 0 ? 'destroy' : { status: 204 }));
  const { endpoint } = await createPaidMerchant(server(), receiver);

  await eventually(async () => (await attemptsOf(server(), endpoint.id)).at(-1)?.status, 'delivered');

  t.like(await attemptsOf(server(), endpoint.id), [
    { attempt: 1, status_code: null, error: 'connection_reset' },
    { attempt: 2, status_code: 204 },
  ]);
  t.is(receiver.deliveries.length, 2);
});

test('a delivery fails after four attempts, and the failure is counted once', async (t) => {
  const receiver = await receiverFor(t, () => ({ status: 500 }));
  const { client, endpoint } = await createPaidMerchant(server(), receiver);

  await receiver.waitFor(4);

  await eventually(async () => (await client.webhookEndpoints.list()).webhooks[0]?.failureCount, 1);
  t.is(receiver.deliveries.length, 4);
  t.like((await client.webhookEndpoints.list()).webhooks[0], {
    successCount: 0,
    failureCount: 1,
    lastDeliveredAt: null,
  });
  t.deepEqual(
    (await attemptsOf(server(), endpoint.id)).map(({ status }) => status),
    ['failed', 'failed', 'failed', 'failed'],
  );
});

test('a redirect is a failure and is never followed', async (t) => {
  const target = await receiverFor(t);
  const receiver = await receiverFor(t, () => ({ status: 302, headers: { location: target.url } }));
  await createPaidMerchant(server(), receiver);

  await receiver.waitFor(4);

  t.is(target.deliveries.length, 0);
});

test('410 from the receiver ends the delivery at once and makes the endpoint inactive', async (t) => {
  const receiver = await receiverFor(t, () => ({ status: 410 }));
  const { client } = await createPaidMerchant(server(), receiver);

  await receiver.waitFor(1);

  await eventually(async () => (await client.webhookEndpoints.list()).webhooks[0]?.isActive, false);
  t.is(receiver.deliveries.length, 1);
});
