import type { OperationOutput } from '@tillhook/openapi';
import { newId } from '@tillhook/server/src/kit/ids.ts';
import { fillSearch } from '@tillhook/server/src/search/fill-search.job.ts';
import test from 'ava';
import { contextAt } from '../statistics/owners.ts';
import { insertEvent } from '../support/events/held-event.ts';
import { paidMerchant } from '../support/money/refunds.ts';
import { fundedMerchant, recipient } from '../support/money/transfers.ts';
import { payOnce, unreachableUrl } from '../support/receivers/deliveries.ts';
import { serverWithContext } from '../support/server/tillhook.ts';
import { type SignedIn, signIn } from '../support/users/session.ts';

const server = serverWithContext({ ROLE: 'api' });
type Results = OperationOutput<'searchRecords'>;

async function find({ call }: SignedIn, typed: string): Promise<Results> {
  const response = await call(`/api/v1/dashboard/search?q=${encodeURIComponent(typed)}`);
  if (!response.ok) throw new Error(`The answer was ${response.status}: ${await response.text()}`);
  return response.json();
}

/** Returns a line for each hit, such as `payment order-1042`. */
async function found(user: SignedIn, typed: string): Promise<string[]> {
  const { groups } = await find(user, typed);
  return groups.flatMap(({ kind, hits }) => hits.map(({ reference, name }) => `${kind} ${reference ?? name}`));
}

/** Inserts payments without events, whose references are the name and a number. */
function insertPayments(merchantId: string, name: string, { from, to }: { from: number; to: number }) {
  const numbers = Array.from({ length: to - from + 1 }, (_, index) => from + index);
  return server().database.query(
    `insert into payment (id, merchant_id, mode, reference, access_code, amount, currency, status, customer_email,
       metadata, attempts, expires_at, created_at, updated_at)
     select new_id, $1::uuid, 'test', $2 || '-' || n, gen_random_uuid(), 5, 'NGN', 'expired', 'a@b.co', '{}', 0, now(),
       now(), now()
     from unnest($3::uuid[], $4::int[]) as given (new_id, n)`,
    [merchantId, name, numbers.map(() => newId()), numbers],
  );
}

test('searchRecords 200 finds payments by a part of the reference, address or description, and by several words', async (t) => {
  const merchant = await server().createMerchant();
  const create = (reference: string, email: string, description: string) =>
    merchant.client.checkout.create({ amount: 5000, reference, email, description });
  await create('order-1040', 'Ada.Lovelace@example.com', 'Enamel mug, 100% blue');
  await create('order-2050', 'grace@example.org', 'Leather_bag');
  const user = await signIn(server(), merchant);

  const ada = ['payment order-1040', 'customer ada.lovelace@example.com'];
  t.deepEqual(await found(user, 'rder-10'), ['payment order-1040']);
  t.deepEqual(await found(user, 'LOVELACE'), ada);
  t.deepEqual(await found(user, 'mug'), ['payment order-1040']);
  t.deepEqual(await found(user, '  blue   lovelace '), ada);
  t.deepEqual(await found(user, 'blue grace'), []);
  t.deepEqual(await found(user, 'order-'), ['payment order-2050', 'payment order-1040']);
  // The signs of a pattern of Postgres stand for themselves.
  t.deepEqual(await found(user, '100%'), ['payment order-1040']);
  t.deepEqual(await found(user, '%grace'), []);
  t.deepEqual(await found(user, 'leather_'), ['payment order-2050']);
  t.deepEqual(await found(user, 'r_der'), []);
  t.deepEqual(await found(user, '\\'), []);
  t.deepEqual(await found(user, ' '), []);
});

test('searchRecords 200 finds an amount as people write it, in its currency', async (t) => {
  const merchant = await server().createMerchant();
  const create = (reference: string, amount: number, currency: string) =>
    merchant.client.checkout.create({ amount, currency, reference, email: 'a@b.co' });
  await create('naira-order', 350_000, 'NGN');
  await create('dollar-order', 350_000, 'USD');
  await create('yen-order', 3500, 'JPY');
  await create('order-35', 9900, 'NGN');
  const user = await signIn(server(), merchant);

  const all = ['payment yen-order', 'payment dollar-order', 'payment naira-order'];
  for (const typed of ['3500', '3,500']) t.deepEqual(await found(user, typed), all, typed);
  t.deepEqual(await found(user, '3,500.00'), ['payment dollar-order', 'payment naira-order']);
  for (const typed of ['₦3500', '₦ 3,500.00', 'NGN 3500', 'ngn3500', '3500NGN'])
    t.deepEqual(await found(user, typed), ['payment naira-order'], typed);
  t.deepEqual(await found(user, '¥3500'), ['payment yen-order']);
  t.deepEqual(await found(user, '¥3500.00'), []);
  t.deepEqual(await found(user, '99'), ['payment order-35']);
  t.deepEqual(await found(user, '35'), [], 'Two digits are an amount, and not a part of a reference.');
});

test('searchRecords 200 finds refunds, transfers, products and endpoints, and events and deliveries by id', async (t) => {
  const merchant = await paidMerchant(server(), 1000);
  const { client } = merchant;
  const user = await signIn(server(), merchant);
  await client.refunds.create('order-1042', { amount: 100, reference: 'refund-77', reason: 'Broken handle' });
  const { id: endpointId } = await client.webhookEndpoints.register({ url: unreachableUrl });
  await client.products.create({ name: 'Enamel mug', price: 1500 });
  await payOnce(client);
  const [event] = (await client.events.list()).events;
  const [delivery] = (await client.deliveries.list()).deliveries;

  t.deepEqual(await found(user, 'broken'), ['refund refund-77']);
  t.deepEqual(await found(user, 'enamel'), ['product Enamel mug']);
  t.deepEqual(await found(user, endpointId), [`endpoint ${unreachableUrl}`]);
  t.deepEqual(await found(user, new URL(unreachableUrl).host.toUpperCase()), [`endpoint ${unreachableUrl}`]);
  t.deepEqual(await found(user, event?.id ?? ''), [`event ${event?.reference}`]);
  t.deepEqual(await found(user, delivery?.id ?? ''), [`delivery ${delivery?.event}`]);

  const funded = await fundedMerchant(server(), 1000);
  await funded.client.transfers.create({ amount: 300, reference: 'payout-77', recipient: recipient() });
  t.deepEqual(await found(await signIn(server(), funded), recipient().name.slice(0, 3)), ['transfer payout-77']);
});

test('searchRecords 200 finds only records of the own merchant and of the mode, also in the table of old records', async (t) => {
  const [ada, grace] = [await server().createMerchant(), await server().createMerchant()];
  await grace.client.checkout.create({ amount: 500, reference: 'order-of-grace', email: 'grace@example.org' });
  await ada.liveClient.webhookEndpoints.register({ url: unreachableUrl });
  await server().database.query(
    `insert into search_record (id, merchant_id, list, words)
     select id, merchant_id, 'test payment', reference from payment where reference = 'order-of-grace'`,
  );
  const user = await signIn(server(), ada);

  t.deepEqual((await find(user, 'order-of-grace')).groups, []);
  t.deepEqual(await found(user, new URL(unreachableUrl).host), []);
  t.deepEqual(await found(await signIn(server(), grace), 'of-grace'), ['payment order-of-grace']);
});

test('searchRecords 200 counts up to 100, and says whether there are more', async (t) => {
  const merchant = await server().createMerchant();
  const user = await signIn(server(), merchant);
  const counted = async () =>
    (await find(user, 'many-')).groups.map(({ total, hasMore, hits }) => [total, hasMore, hits.length]);

  await insertPayments(merchant.id, 'many', { from: 1, to: 100 });
  t.deepEqual(await counted(), [[100, false, 5]]);
  await insertPayments(merchant.id, 'many', { from: 101, to: 101 });
  t.deepEqual(await counted(), [[100, true, 5]]);
  t.is((await find(user, 'many-')).groups[0]?.hits[0]?.reference, 'many-101');
});

test('searchRecords 200 finds a record among thousands of newer ones, after the job has copied it', async (t) => {
  const merchant = await server().createMerchant();
  await server().database.query(
    `insert into payment (id, merchant_id, mode, reference, access_code, amount, currency, status, customer_email,
       metadata, attempts, expires_at, created_at, updated_at)
     select ('01900000-0000-7000-8001-' || lpad(to_hex(n), 4, '0') || substr($1, 29))::uuid, $1::uuid, 'test',
       case n when 1 then 'needle-1' when 2 then 'needle-2 hay' else 'hay-' || n end, gen_random_uuid(), 5, 'NGN', 'expired', 'a@b.co', '{}', 0,
       now(), now(), now() from generate_series(1, 5003) as n`,
    [merchant.id],
  );
  const user = await signIn(server(), merchant);

  t.deepEqual(await found(user, 'eedle'), []);
  t.deepEqual(await found(user, 'needle-1'), ['payment needle-1']);
  await fillSearch(contextAt(server(), { now: new Date(), merchantId: merchant.id }));
  t.deepEqual(await found(user, 'eedle'), ['payment needle-2 hay', 'payment needle-1']);
  t.deepEqual(await found(user, 'hay eedle'), ['payment needle-2 hay'], 'the index is asked only for the rare word');
});

test('listPayments, listRefunds and listTransfers 200 with `search` have the records that the search finds', async (t) => {
  const merchant = await paidMerchant(server(), 350_000);
  const { client } = merchant;
  await client.checkout.create({
    amount: 9900,
    reference: 'order-2050',
    email: 'grace@example.org',
    description: 'Mug',
  });
  await client.refunds.create('order-1042', { amount: 100, reference: 'refund-77', reason: 'Broken handle' });
  await client.test.fundWallet({ amount: 1000 });
  await client.transfers.create({ amount: 300, reference: 'payout-77', recipient: recipient() });
  const payments = async (query: object) => {
    const { payments: listed, total } = await client.payments.list(query);
    return [total, ...listed.map(({ reference }) => reference)];
  };

  t.deepEqual(await payments({ search: 'order-' }), [2, 'order-2050', 'order-1042']);
  t.deepEqual(await payments({ search: 'order-', order: 'asc', limit: 1 }), [2, 'order-1042']);
  t.deepEqual(await payments({ search: 'order-', limit: 1, offset: 1 }), [2, 'order-1042']);
  t.deepEqual(await payments({ search: 'mug GRACE' }), [1, 'order-2050']);
  t.deepEqual(await payments({ search: '₦99' }), [1, 'order-2050']);
  t.deepEqual(await payments({ search: 'order-', status: ['completed'] }), [1, 'order-1042']);
  t.deepEqual(await payments({ search: 'order-', from: new Date(Date.now() + 600_000).toISOString() }), [0]);
  t.deepEqual(await payments({ search: 'nothing' }), [0]);
  t.deepEqual(await payments({ search: '  ' }), [2, 'order-2050', 'order-1042']);
  const file = await new Response(await client.payments.list({ search: 'mug' }).csv()).text();
  t.deepEqual([file.split('\r\n').length, file.includes('order-2050')], [3, true]);
  t.deepEqual(
    (await client.refunds.list({ search: 'handle' })).refunds.map(({ reference }) => reference),
    ['refund-77'],
  );
  t.is((await client.refunds.list({ search: 'mug' })).total, 0);
  const found = (await client.transfers.list({ search: recipient().name.slice(0, 4) })).transfers;
  t.deepEqual(
    found.map(({ reference }) => reference),
    ['payout-77'],
  );
  t.is((await client.transfers.list({ search: 'refund' })).total, 0);
});

test('listEvents and listDeliveries 200 with `search` have what is about the payments, refunds and transfers that are found', async (t) => {
  const merchant = await paidMerchant(server(), 350_000);
  const { client } = merchant;
  const { id: endpointId } = await client.webhookEndpoints.register({ url: unreachableUrl });
  const pay = async (reference: string, email: string) => {
    await client.checkout.create({ amount: 9900, reference, email });
    await client.test.completePayment(reference);
  };
  await pay('order-2050', 'alan@example.org');
  await pay('order-2051', 'linus@example.org');
  await client.test.fundWallet({ amount: 1000 });
  await client.transfers.create({ amount: 300, reference: 'payout-77', recipient: recipient() });
  const sent = await insertEvent(t, server(), { merchant });
  await server().database.query("update event set reference = 'payout-77' where id = $1", [sent]);
  const about = (records: readonly { reference: string | null }[]) => records.map(({ reference }) => reference);
  const events = async (query: object) => about((await client.events.list(query)).events);
  const deliveries = async (query: object) => about((await client.deliveries.list(query)).deliveries);

  t.deepEqual(await events({ search: 'ALAN' }), ['order-2050']);
  t.deepEqual(await events({ search: 'rder-20' }), ['order-2051', 'order-2050']);
  t.deepEqual(await events({ search: 'rder-20', order: 'asc', limit: 1 }), ['order-2050']);
  t.deepEqual(await events({ search: 'rder-20', reference: 'order-2050' }), ['order-2050']);
  t.deepEqual(await events({ search: 'rder-20', event: ['checkout.failed'] }), []);
  t.deepEqual(await events({ search: 'hopper' }), ['payout-77']);
  t.deepEqual(await events({ search: 'nothing' }), []);
  t.is((await events({ search: ' ' })).length, 4);
  t.deepEqual(await deliveries({ search: 'alan' }), ['order-2050']);
  t.deepEqual(await deliveries({ search: '₦99' }), ['order-2051', 'order-2050']);
  t.deepEqual(await deliveries({ search: '₦99', limit: 1, offset: 1 }), ['order-2050']);
  t.deepEqual(await deliveries({ search: 'rder-20', reference: 'order-2051', webhookId: endpointId }), ['order-2051']);
  t.deepEqual(await deliveries({ search: '3,500' }), [], 'The payment was made before the endpoint was added.');
  t.is((await deliveries({})).length, 2);
  const [newest] = (await client.deliveries.list()).deliveries;
  t.deepEqual(await deliveries({ search: 'rder-20', after: newest?.id ?? '' }), ['order-2050']);
  const file = await new Response(await client.deliveries.list({ search: 'linus' }).csv()).text();
  t.deepEqual([file.split('\r\n').length, file.includes('order-2051')], [3, true]);

  const { reference: refunded } = await client.refunds.create('order-2050', { amount: 100 });
  const refund = await insertEvent(t, server(), { merchant });
  await server().database.query('update event set reference = $1 where id = $2', [refunded, refund]);
  t.deepEqual(await events({ search: 'alan' }), [refunded, 'order-2050'], 'a refund of the payment of the customer');
  await insertPayments(merchant.id, 'order-unpaid', { from: 1, to: 300 });
  t.deepEqual(await events({ search: 'order-' }), [refunded, 'order-2051', 'order-2050', 'order-1042']);

  await client.webhookEndpoints.sendTest(endpointId);
  const [test] = (await client.events.list()).events;
  t.deepEqual(await events({ search: test?.reference ?? '' }), [test?.reference], 'a test event is about no record');
  const other = await server().createMerchant();
  t.is((await other.client.events.list({ search: 'alan' })).total, 0);
  t.is((await other.client.deliveries.list({ search: 'alan' })).total, 0);
});

test('listProducts and listPaymentLinks 200 with `search` have those with these words or amounts, and searchRecords finds them', async (t) => {
  const merchant = await server().createMerchant();
  const { client } = merchant;
  await client.products.create({ name: 'Enamel mug', description: 'Blue', price: 150_000 });
  const { id: bag } = await client.products.create({ name: 'Leather bag', price: 9900 });
  await client.products.archive(bag);
  await client.paymentLinks.create({ name: 'Workshop ticket', slug: 'workshop-lagos', amount: 500_000 });
  await client.paymentLinks.create({ name: 'Donation', slug: 'donate-now', description: 'For the workshop' });
  const user = await signIn(server(), merchant);
  const products = async (query: string) => {
    const response = await user.call(`/api/v1/dashboard/products?${query}`);
    const { products: listed, total } = await response.json();
    return [total, ...listed.map(({ name }: { name: string }) => name)];
  };
  const links = async (query: object) => {
    const { paymentLinks: listed, total } = await client.paymentLinks.list(query);
    return [total, ...listed.map(({ name }) => name)];
  };

  t.deepEqual(await products('search=blue+MUG'), [1, 'Enamel mug']);
  t.deepEqual(await products('search=%E2%82%A699'), [1, 'Leather bag']);
  t.deepEqual(await products('search=leather&isActive=true'), [0]);
  t.deepEqual(await products('search=+'), [2, 'Leather bag', 'Enamel mug']);
  t.deepEqual(await links({ search: 'workshop' }), [2, 'Donation', 'Workshop ticket']);
  t.deepEqual(await links({ search: 'workshop', order: 'asc', limit: 1 }), [2, 'Workshop ticket']);
  t.deepEqual(await links({ search: 'hop-lag' }), [1, 'Workshop ticket']);
  t.deepEqual(await links({ search: '5,000' }), [1, 'Workshop ticket']);
  t.deepEqual(await links({ search: 'workshop', status: ['stopped'] }), [0]);
  await client.products.create({ name: 'Size 42 shoes, EUR 20 off', price: 700 });
  t.deepEqual(await products('search=size+42+shoes'), [1, 'Size 42 shoes, EUR 20 off']);
  t.deepEqual(await products('search=eur+20+OFF'), [1, 'Size 42 shoes, EUR 20 off']);
  t.deepEqual(await found(user, 'donation'), ['payment_link donate-now']);
  t.deepEqual(await found(user, '₦5000'), ['payment_link workshop-lagos']);
  const other = await server().createMerchant();
  t.is((await other.client.paymentLinks.list({ search: 'workshop' })).total, 0);
});

test('listPayments 200 with `search` finds only payments of the own merchant', async (t) => {
  const [ada, grace] = [await server().createMerchant(), await server().createMerchant()];
  await grace.client.checkout.create({ amount: 500, reference: 'order-of-grace', email: 'grace@example.org' });
  await ada.liveClient.webhookEndpoints.register({ url: unreachableUrl });

  t.is((await ada.client.payments.list({ search: 'of-grace' })).total, 0);
  t.is((await ada.client.customers.list({ search: 'grace' })).total, 0);
  t.is((await grace.client.payments.list({ search: 'of-grace' })).total, 1);
});
