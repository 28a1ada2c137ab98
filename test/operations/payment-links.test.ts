import { ConflictError, NotFoundError, ProcessorError, ValidationError } from '@tillhook/sdk';
import test from 'ava';
import { serverForFile } from '../support/server/tillhook.ts';
import { signIn } from '../support/users/session.ts';

const server = serverForFile();
const fixed = { name: 'One hour of advice', amount: 2_500_000 };
const nothing = '019aa3c9-1a2b-7c52-8f3a-1b2c3d4e5f60';
const later = '2099-12-24T00:00:00.000Z';

test('createPaymentLink 201 creates a link with a fixed amount, in the currency of the merchant', async (t) => {
  const { client } = await server().createMerchant();

  const link = await client.paymentLinks.create(fixed);

  t.like(link, {
    ...fixed,
    currency: 'NGN',
    description: null,
    minAmount: null,
    maxAmount: null,
    suggestedAmount: null,
    productId: null,
    quantity: null,
    maxQuantity: null,
    status: 'active',
    isActive: true,
    expiresAt: null,
    callbackUrl: null,
    metadata: {},
    maxPayments: null,
    completedPayments: 0,
    completedAmount: 0,
    mode: 'test',
    updatedAt: link.createdAt,
  });
  t.is(link.url, `${server().url}/pay/${link.slug}`);
  t.regex(link.slug, /^[0-9a-z]{20}$/);
});

test('createPaymentLink 201 stores every field of a link with an open amount', async (t) => {
  const { client } = await server().createMerchant();
  const everything = {
    name: 'Spring fundraiser',
    slug: `spring-${Date.now()}`,
    description: 'Every amount helps.\nThank you!',
    currency: 'USD',
    minAmount: 500,
    maxAmount: 100_000,
    suggestedAmount: 2500,
    expiresAt: later,
    callbackUrl: 'https://shop.example.com/thanks',
    metadata: { campaign: 'spring' },
    maxPayments: 100,
  };

  t.like(await client.paymentLinks.create(everything), { ...everything, amount: null });
});

test('createPaymentLink 201 creates a link for a product, in the currency of the product, once if no quantity is sent', async (t) => {
  const { client } = await server().createMerchant();
  const { id: productId } = await client.products.create({ name: 'Mug', price: 1200, currency: 'USD' });

  const one = await client.paymentLinks.create({ name: 'Mug', productId });
  const three = await client.paymentLinks.create({ name: 'Mugs', productId, quantity: 3 });
  const some = await client.paymentLinks.create({ name: 'Mugs', productId, maxQuantity: 5 });

  t.like(one, { productId, currency: 'USD', amount: null, quantity: 1, maxQuantity: null });
  t.like(three, { quantity: 3, maxQuantity: null });
  t.like(some, { quantity: null, maxQuantity: 5 });
});

const open = { name: 'Gift' };
const product = { name: 'Mug', productId: nothing };
const refused: [situation: string, body: object, param: string, code?: string][] = [
  ['the name is missing', { amount: 1 }, 'name', 'missing_parameter'],
  ['the name is empty', { ...fixed, name: '' }, 'name'],
  ['the name turns the direction of text', { ...fixed, name: 'a\u202eb' }, 'name'],
  ['the slug has a capital letter', { ...fixed, slug: 'Mug' }, 'slug'],
  ['the slug has two letters', { ...fixed, slug: 'ab' }, 'slug'],
  ['the slug has a slash', { ...fixed, slug: 'a/../b' }, 'slug'],
  ['the amount is zero', { ...fixed, amount: 0 }, 'amount'],
  ['the amount has a fraction', { ...fixed, amount: 1.5 }, 'amount'],
  ['the amount is above the maximum', { ...fixed, amount: 1_000_000_000_000 }, 'amount'],
  ['the currency does not exist', { ...fixed, currency: 'ZZZ' }, 'currency', 'unsupported_currency'],
  ['a fixed amount has a minimum', { ...fixed, minAmount: 1 }, 'minAmount'],
  ['a fixed amount has a suggestion', { ...fixed, suggestedAmount: 1 }, 'suggestedAmount'],
  ['a fixed amount has a quantity', { ...fixed, quantity: 2 }, 'quantity'],
  ['an open amount has a quantity', { ...open, maxQuantity: 2 }, 'maxQuantity'],
  ['the maximum is below the minimum', { ...open, minAmount: 2, maxAmount: 1 }, 'maxAmount'],
  ['the suggestion is below the minimum', { ...open, minAmount: 2, suggestedAmount: 1 }, 'suggestedAmount'],
  ['the suggestion is above the maximum', { ...open, maxAmount: 2, suggestedAmount: 3 }, 'suggestedAmount'],
  ['a product has an amount', { ...product, amount: 5 }, 'amount'],
  ['a product has a currency', { ...product, currency: 'NGN' }, 'currency'],
  ['a product has two quantities', { ...product, quantity: 1, maxQuantity: 2 }, 'maxQuantity'],
  ['the quantity is zero', { ...product, quantity: 0 }, 'quantity'],
  ['the quantity is above the maximum', { ...product, maxQuantity: 10_000 }, 'maxQuantity'],
  ['the product does not exist', product, 'productId'],
  ['the time is over', { ...fixed, expiresAt: '2020-01-01T00:00:00Z' }, 'expiresAt'],
  ['the callbackUrl is a script', { ...fixed, callbackUrl: 'javascript:alert(1)' }, 'callbackUrl', 'invalid_url'],
  ['the number of payments is zero', { ...fixed, maxPayments: 0 }, 'maxPayments'],
  ['a field is unknown', { ...fixed, isActive: true }, 'isActive', 'unknown_parameter'],
];

for (const [situation, body, param, code = 'invalid_parameter'] of refused) {
  test(`createPaymentLink 400 when ${situation}`, async (t) => {
    const { client } = await server().createMerchant();

    const error = await t.throwsAsync(client.paymentLinks.create(body as never), { instanceOf: ValidationError });

    t.like(error, { code, param });
    t.is((await client.paymentLinks.list()).total, 0);
  });
}

test('createPaymentLink 400 when the product is archived, or belongs to another merchant or mode', async (t) => {
  const [owner, other] = [await server().createMerchant(), await server().createMerchant()];
  const { id: foreign } = await other.client.products.create({ name: 'Mug', price: 5 });
  const { id: live } = await owner.liveClient.products.create({ name: 'Mug', price: 5 });
  const { id: archived } = await owner.client.products.create({ name: 'Mug', price: 5 });
  await owner.client.products.archive(archived);

  for (const productId of [foreign, live, archived]) {
    const creating = owner.client.paymentLinks.create({ name: 'Mug', productId });
    t.like(await t.throwsAsync(creating, { instanceOf: ValidationError }), { param: 'productId' });
  }
});

test('createPaymentLink 409 when another link has the slug, also one of another merchant, and after concurrent calls', async (t) => {
  const [owner, other] = [await server().createMerchant(), await server().createMerchant()];
  const slug = `mug-${Date.now()}`;
  const create = ({ client }: typeof owner) => client.paymentLinks.create({ ...fixed, slug });

  const results = await Promise.allSettled([create(owner), create(owner), create(other), create(other)]);

  const errors = results.flatMap((result) => (result.status === 'rejected' ? [result.reason] : []));
  t.is(errors.length, 3);
  t.true(errors.every((error) => error instanceof ConflictError && error.code === 'duplicate_slug'));
});

test('createPaymentLink 503 in live mode without a processor', async (t) => {
  const { liveClient } = await server().createMerchant();

  const error = await t.throwsAsync(liveClient.paymentLinks.create(fixed), { instanceOf: ProcessorError });

  t.is(error.code, 'processor_not_configured');
});

test('listPaymentLinks 200 returns the links of the merchant and mode, newest first, and those that are on or stopped', async (t) => {
  const { client, liveClient } = await server().createMerchant();
  const first = await client.paymentLinks.create(fixed);
  const second = await client.paymentLinks.create({ name: 'Gift' });
  const stopped = await client.paymentLinks.update(first.id, { isActive: false });

  t.deepEqual(await client.paymentLinks.list(), { paymentLinks: [second, stopped], total: 2 });
  t.deepEqual(await client.paymentLinks.list({ isActive: true }), { paymentLinks: [second], total: 1 });
  t.deepEqual(await client.paymentLinks.list({ isActive: false }), { paymentLinks: [stopped], total: 1 });
  t.deepEqual(await client.paymentLinks.list({ limit: 1, offset: 1 }), { paymentLinks: [stopped], total: 2 });
  t.deepEqual(await client.paymentLinks.list({ after: second.id }), { paymentLinks: [stopped], total: 1 });
  t.is((await liveClient.paymentLinks.list()).total, 0);
});

test('listPaymentLinks 200 finds each link by the status that the link says it has', async (t) => {
  const { client } = await server().createMerchant();
  const { query } = server().database;
  const create = async (name: string, change = '', isActive = true) => {
    const { id } = await client.paymentLinks.create({ ...fixed, name, maxPayments: 2 });
    if (change) await query(`update payment_link set ${change} where id = $1`, [id]);
    if (!isActive) await client.paymentLinks.update(id, { isActive });
  };
  await create('none paid');
  await create('one paid', 'completed_payments = 1');
  await create('any number', 'max_payments = null, completed_payments = 9');
  await create('later', `expires_at = now() + interval '1 day'`);
  await create('over', 'expires_at = now()');
  await create('over and full', 'expires_at = now(), completed_payments = 2');
  await create('full', 'completed_payments = 2');
  await create('stopped and over', 'expires_at = now()', false);
  const found = async (...status: ('active' | 'stopped' | 'expired' | 'limit_reached')[]) => {
    const { paymentLinks, total } = await client.paymentLinks.list({ status });
    t.is(total, paymentLinks.length);
    t.true(paymentLinks.every((link) => status.some((one) => one === link.status)));
    return paymentLinks.map(({ name }) => name);
  };

  t.deepEqual(await found('active'), ['later', 'any number', 'one paid', 'none paid']);
  t.deepEqual(await found('stopped'), ['stopped and over']);
  t.deepEqual(await found('expired'), ['over and full', 'over']);
  t.deepEqual(await found('limit_reached'), ['full']);
  t.deepEqual(await found('expired', 'limit_reached'), ['full', 'over and full', 'over']);
  t.is((await client.paymentLinks.list({ status: ['expired'], isActive: false })).total, 0);
});

test('listPaymentLinks 400 when a parameter is unknown', async (t) => {
  const { client } = await server().createMerchant();

  const error = await t.throwsAsync(client.paymentLinks.list({ slug: 'mug' } as never), {
    instanceOf: ValidationError,
  });

  t.like(error, { code: 'unknown_parameter', param: 'slug' });
});

test('getPaymentLink 200 returns the link, and 404 for a link of another merchant, of the other mode, and for no link', async (t) => {
  const [owner, other] = [await server().createMerchant(), await server().createMerchant()];
  const link = await owner.client.paymentLinks.create(fixed);

  t.deepEqual(await owner.client.paymentLinks.get(link.id), link);
  const strangers = [
    [other.client, link.id],
    [owner.liveClient, link.id],
    [owner.client, nothing],
  ] as const;
  for (const [client, id] of strangers) {
    await t.throwsAsync(client.paymentLinks.get(id), { instanceOf: NotFoundError });
  }
});

test('getPaymentLink 400 when the id is not a UUID', async (t) => {
  const { client } = await server().createMerchant();

  t.like(await t.throwsAsync(client.paymentLinks.get('mug'), { instanceOf: ValidationError }), { param: 'id' });
});

test('updatePaymentLink 200 changes what the body names, and keeps the rest', async (t) => {
  const { client } = await server().createMerchant();
  const link = await client.paymentLinks.create({ name: 'Gift', minAmount: 5, maxAmount: 50, metadata: { a: '1' } });
  const changes = { name: 'A gift', minAmount: null, maxAmount: 60, expiresAt: later, maxPayments: 3, metadata: {} };

  const changed = await client.paymentLinks.update(link.id, changes);

  t.deepEqual(changed, { ...link, ...changes, updatedAt: changed.updatedAt });
  t.true(changed.updatedAt > link.updatedAt);
  t.deepEqual(await client.paymentLinks.get(link.id), changed);
});

test('updatePaymentLink 200 replaces the quantity of a product by a maximum, and the other way round', async (t) => {
  const { client } = await server().createMerchant();
  const { id: productId } = await client.products.create({ name: 'Mug', price: 1200 });
  const { id } = await client.paymentLinks.create({ name: 'Mug', productId });

  t.like(await client.paymentLinks.update(id, { maxQuantity: 4 }), { quantity: null, maxQuantity: 4 });
  t.like(await client.paymentLinks.update(id, { quantity: 2 }), { quantity: 2, maxQuantity: null });
});

test('updatePaymentLink 200 stops a live link of a server that has no processor any more', async (t) => {
  const { client, liveClient, id: merchantId } = await server().createMerchant();
  const { id } = await client.paymentLinks.create(fixed);
  await server().database.query(`update payment_link set mode = 'live' where merchant_id = $1`, [merchantId]);

  t.like(await liveClient.paymentLinks.update(id, { isActive: false }), { isActive: false, status: 'stopped' });
  await t.throwsAsync(liveClient.paymentLinks.update(id, { amount: 5 }), { instanceOf: ProcessorError });
});

const changesRefused: [situation: string, body: object, param: string][] = [
  ['there is nothing to change', {}, ''],
  ['a fixed amount gets a minimum', { minAmount: 5 }, 'minAmount'],
  ['a fixed amount gets a quantity', { quantity: 5 }, 'quantity'],
  ['the new time is over', { expiresAt: '2020-01-01T00:00:00Z' }, 'expiresAt'],
  ['the slug would change', { slug: 'another' }, 'slug'],
  ['the currency would change', { currency: 'USD' }, 'currency'],
  ['the callbackUrl is a script', { callbackUrl: 'javascript:alert(1)' }, 'callbackUrl'],
];

for (const [situation, body, param] of changesRefused) {
  test(`updatePaymentLink 400 when ${situation}`, async (t) => {
    const { client } = await server().createMerchant();
    const link = await client.paymentLinks.create(fixed);

    const updating = client.paymentLinks.update(link.id, body as never);

    const error = await t.throwsAsync(updating, { instanceOf: ValidationError });
    t.is(error.param ?? '', param);
    t.deepEqual(await client.paymentLinks.get(link.id), link);
  });
}

test('updatePaymentLink 400 when a new limit contradicts the suggestion that the link has', async (t) => {
  const { client } = await server().createMerchant();
  const { id } = await client.paymentLinks.create({ name: 'Gift', suggestedAmount: 50 });

  const error = await t.throwsAsync(client.paymentLinks.update(id, { maxAmount: 49 }), { instanceOf: ValidationError });

  t.is(error.param, 'suggestedAmount');
});

test('updatePaymentLink 404 when the link belongs to another merchant', async (t) => {
  const [owner, other] = [await server().createMerchant(), await server().createMerchant()];
  const link = await owner.client.paymentLinks.create(fixed);

  await t.throwsAsync(other.client.paymentLinks.update(link.id, { isActive: false }), { instanceOf: NotFoundError });
  t.true((await owner.client.paymentLinks.get(link.id)).isActive);
});

test('createPaymentLink and updatePaymentLink by a user write audit entries with the slug', async (t) => {
  const { call, merchant } = await signIn(server());
  const headers = { 'content-type': 'application/json' };
  const created = await call('/api/v1/payment-links', { method: 'POST', headers, body: JSON.stringify(fixed) });
  const { id, slug } = (await created.json()) as { id: string; slug: string };
  await call(`/api/v1/payment-links/${id}`, { method: 'PATCH', headers, body: JSON.stringify({ isActive: false }) });

  const rows = await server().database.query(
    `select action, subject from audit_entry where merchant_id = $1 and action like '%PaymentLink' order by id`,
    [merchant.id],
  );
  t.deepEqual(rows, [
    { action: 'createPaymentLink', subject: slug },
    { action: 'updatePaymentLink', subject: slug },
  ]);
});
