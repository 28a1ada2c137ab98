import { unwrap } from '@tillhook/sdk/webhooks';
import test from 'ava';
import { payByForm } from '../support/money/hosted-page.ts';
import {
  createPaidMerchant,
  insertDeliveries,
  makeDeliveriesDue,
  waitForDeliveries,
} from '../support/receivers/deliveries.ts';
import { receiverFor } from '../support/receivers/receiver.ts';
import { serverForFile, usualSettings } from '../support/server/tillhook.ts';

const server = serverForFile(usualSettings);

test('the SDK verifies a delivery with the secret of the registration', async (t) => {
  const receiver = await receiverFor(t);
  const { endpoint, reference } = await createPaidMerchant(server(), receiver);

  const [delivery] = await receiver.waitFor(1);

  const event = await unwrap(delivery?.body ?? '', delivery?.headers ?? {}, endpoint.secret);
  t.like(event, { event: 'checkout.success', data: { reference } });
});

test('an event is sent to every endpoint that subscribes to it, and to no other endpoint', async (t) => {
  const [all, subscribed, other] = await Promise.all([receiverFor(t), receiverFor(t), receiverFor(t)]);
  const { client } = await server().createMerchant();
  await client.webhookEndpoints.register({ url: all.url });
  await client.webhookEndpoints.register({ url: subscribed.url, events: ['checkout.success'] });
  const unwanted = await client.webhookEndpoints.register({ url: other.url, events: ['checkout.failed'] });
  const { data } = await client.checkout.create({ email: 'ada@example.com', amount: 1 });

  await payByForm(data.checkoutUrl, '4242424242424242');

  await Promise.all([all.waitFor(1), subscribed.waitFor(1)]);
  t.is(all.deliveries.length, 1);
  t.is(subscribed.deliveries.length, 1);
  t.is(other.deliveries.length, 0);
  t.is((await server().database.query('select from delivery where endpoint_id = $1', [unwanted.id])).length, 0);
  t.is(all.deliveries[0]?.headers['webhook-id'], subscribed.deliveries[0]?.headers['webhook-id']);
});

test('a removed endpoint gets no deliveries', async (t) => {
  const receiver = await receiverFor(t);
  const slow = await server().createMerchant();
  const endpoint = await slow.client.webhookEndpoints.register({ url: receiver.url });
  await server().database.query('update webhook_endpoint set removed_at = now(), is_active = false where id = $1', [
    endpoint.id,
  ]);
  const { data } = await slow.client.checkout.create({ email: 'ada@example.com', amount: 1 });

  await payByForm(data.checkoutUrl, '4242424242424242');

  t.is((await slow.client.payments.get(data.reference)).status, 'completed');
  t.is(receiver.deliveries.length, 0);
  t.deepEqual(await server().database.query('select * from delivery where endpoint_id = $1', [endpoint.id]), []);
});

test('pending deliveries of a removed endpoint are skipped with the reason endpoint_removed', async (t) => {
  const receiver = await receiverFor(t);
  const merchant = await server().createMerchant();
  const { id: webhookId } = await merchant.client.webhookEndpoints.register({ url: receiver.url });
  const [id = ''] = await insertDeliveries(server(), merchant, { webhookId, status: 'pending' });

  await merchant.client.webhookEndpoints.remove(webhookId);
  await makeDeliveriesDue(server(), webhookId);

  await waitForDeliveries(merchant.client);
  t.like(await merchant.client.deliveries.get(id), {
    status: 'skipped',
    statusReason: 'endpoint_removed',
    attempts: [],
  });
  t.is(receiver.deliveries.length, 0);
});

test('after three declines the payment has failed, and one event is sent', async (t) => {
  const receiver = await receiverFor(t);
  const { client } = await server().createMerchant();
  await client.webhookEndpoints.register({ url: receiver.url });
  const { data } = await client.checkout.create({ email: 'ada@example.com', amount: 1999, currency: 'USD' });

  for (let attempt = 1; attempt <= 3; attempt++) await payByForm(data.checkoutUrl, '4000000000000002');

  const [delivery] = await receiver.waitFor(1);
  t.like(JSON.parse(String(delivery?.body)), {
    event: 'checkout.failed',
    data: {
      reference: data.reference,
      amount: 1999,
      currency: 'USD',
      status: 'failed',
      customerEmail: 'ada@example.com',
      failureCode: 'card_declined',
      failureMessage: 'The card was declined',
      cancelledBy: null,
    },
  });
  t.like(await client.payments.get(data.reference), { status: 'failed', attempts: 3, failureCode: 'card_declined' });
  t.is(receiver.deliveries.length, 1);
});

test('when a payment is submitted four times concurrently, it is paid once and has one event', async (t) => {
  const receiver = await receiverFor(t);
  const { client } = await server().createMerchant();
  await client.webhookEndpoints.register({ url: receiver.url });
  const { data } = await client.checkout.create({ email: 'ada@example.com', amount: 1 });

  await Promise.all([1, 2, 3, 4].map(() => payByForm(data.checkoutUrl, '4242424242424242')));

  await receiver.waitFor(1);
  t.like(await client.payments.get(data.reference), { status: 'completed', attempts: 1 });
  t.deepEqual(
    await server().database.query('select count(*)::int as n from event where reference = $1', [data.reference]),
    [{ n: 1 }],
  );
});

test('if saving a completed payment fails, its event is not saved', async (t) => {
  const { client } = await server().createMerchant();
  await client.webhookEndpoints.register({ url: 'http://127.0.0.1:9/' });
  const { data } = await client.checkout.create({ email: 'ada@example.com', amount: 1, reference: 'breaks-here' });
  await server().database.query(`
    create function refuse() returns trigger language plpgsql as $$ begin raise exception 'no'; end $$;
    create trigger refuse before update on payment for each row
      when (new.status = 'completed' and new.reference = 'breaks-here') execute function refuse();`);

  const { status } = await payByForm(data.checkoutUrl, '4242424242424242');

  t.is(status, 500);
  t.is((await client.payments.get('breaks-here')).status, 'processing');
  t.deepEqual(await server().database.query(`select * from event where reference = 'breaks-here'`), []);
});
