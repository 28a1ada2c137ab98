import { ConflictError, NotFoundError, ValidationError } from '@tillhook/sdk';
import test from 'ava';
import { insertProducts } from '../support/money/products.ts';
import { serverForFile } from '../support/server/tillhook.ts';
import { testRefusedQueries } from '../support/users/refused-queries.ts';
import { signIn, userForFile } from '../support/users/session.ts';

const server = serverForFile();
const mug = { name: 'Enamel mug', price: 450_000 };

test('createProduct 201 adds a product to the storefront, in the currency of the merchant', async (t) => {
  const { client } = await server().createMerchant();

  const product = await client.products.create(mug);

  t.like(product, {
    ...mug,
    description: null,
    currency: 'NGN',
    imageUrl: null,
    stock: null,
    isActive: true,
    metadata: {},
    updatedAt: product.createdAt,
  });
  t.deepEqual((await client.storefront.listProducts()).products, [product]);
});

test('createProduct 201 stores every field', async (t) => {
  const { client } = await server().createMerchant();
  const everything = {
    ...mug,
    description: 'Holds 350 ml.',
    currency: 'USD',
    imageUrl: 'https://shop.example.com/mug.webp',
    stock: 0,
    metadata: { sku: 'MUG-350' },
  };

  t.like(await client.products.create(everything), everything);
});

test('createProduct 201 creates the product in the mode of the key', async (t) => {
  const { client, liveClient } = await server().createMerchant();

  await liveClient.products.create(mug);

  t.is((await client.storefront.listProducts()).total, 0);
  t.is((await liveClient.storefront.listProducts()).total, 1);
});

const refused: [situation: string, body: object, code: string, param: string][] = [
  ['the name is missing', { price: 1 }, 'missing_parameter', 'name'],
  ['the name is empty', { ...mug, name: '' }, 'invalid_parameter', 'name'],
  ['the name contains U+0000', { ...mug, name: 'a\0b' }, 'invalid_parameter', 'name'],
  ['the price is zero', { ...mug, price: 0 }, 'invalid_parameter', 'price'],
  ['the price has a fraction', { ...mug, price: 4.5 }, 'invalid_parameter', 'price'],
  ['the currency does not exist', { ...mug, currency: 'ZZZ' }, 'unsupported_currency', 'currency'],
  ['the picture is not a URL', { ...mug, imageUrl: 'mug.webp' }, 'invalid_url', 'imageUrl'],
  ['the picture has the scheme javascript', { ...mug, imageUrl: 'javascript:alert(1)' }, 'invalid_url', 'imageUrl'],
  ['the URL of the picture contains a password', { ...mug, imageUrl: 'https://a:b@c.co/' }, 'invalid_url', 'imageUrl'],
  ['the stock is negative', { ...mug, stock: -1 }, 'invalid_parameter', 'stock'],
  ['the stock is above the maximum', { ...mug, stock: 2_147_483_648 }, 'invalid_parameter', 'stock'],
  ['a field is unknown', { ...mug, isActive: true }, 'unknown_parameter', 'isActive'],
];

for (const [situation, body, code, param] of refused) {
  test(`createProduct 400 when ${situation}`, async (t) => {
    const { client } = await server().createMerchant();

    const error = await t.throwsAsync(client.products.create(body as never), { instanceOf: ValidationError });

    t.like(error, { code, param });
    t.is((await client.storefront.listProducts()).total, 0);
  });
}

test('createProduct 409 for product number 1,001, also for concurrent calls', async (t) => {
  const merchant = await server().createMerchant();
  const { products, storefront } = merchant.client;
  await insertProducts(server(), merchant, 995);

  const results = await Promise.allSettled(Array.from({ length: 20 }, () => products.create(mug)));

  const errors = results.flatMap((result) => (result.status === 'rejected' ? [result.reason] : []));
  t.is(errors.length, 15);
  t.true(errors.every((error) => error instanceof ConflictError && error.code === 'product_limit_reached'));
  t.is((await storefront.listProducts()).total, 1000);
});

test('getProduct 200 returns the product with its current values, and no other product', async (t) => {
  const { client } = await server().createMerchant();
  const { id } = await client.products.create({ ...mug, stock: 3, metadata: { sku: 'MUG-350' } });
  await client.products.create({ ...mug, name: 'Tin mug' });
  const changed = await client.products.update(id, { price: 500_000 });

  t.deepEqual(await client.products.get(id), changed);
});

test('getProduct 200 returns an archived product, which the storefront does not list', async (t) => {
  const { client } = await server().createMerchant();
  const { id } = await client.products.create(mug);
  const archived = await client.products.archive(id);

  t.deepEqual(await client.products.get(id), archived);
  t.false(archived.isActive);
  t.is((await client.storefront.listProducts()).total, 0);
});

test('getProduct 400 when the id is not a UUID', async (t) => {
  const { client } = await server().createMerchant();

  t.like(await t.throwsAsync(client.products.get('mug')), { code: 'invalid_parameter', param: 'id' });
});

test('getProduct 404 when the product does not exist, or belongs to another merchant or to the other mode', async (t) => {
  const [owner, other] = await Promise.all([server().createMerchant(), server().createMerchant()]);
  const { id } = await owner.client.products.create(mug);

  for (const products of [other.client.products, owner.liveClient.products]) {
    const error = await t.throwsAsync(products.get(id), { instanceOf: NotFoundError });
    t.is(error?.code, 'resource_not_found');
  }
  await t.throwsAsync(owner.client.products.get('019aa3c7-2c3d-7c52-8f3a-1b2c3d4e5f60'), { instanceOf: NotFoundError });
});

const sharedUser = userForFile(server);
const path = '/api/v1/dashboard/products';

test('listProducts 200 lists archived products among the active products, newest first', async (t) => {
  const { call, merchant } = await signIn(server());
  const { products } = merchant.client;
  const { id } = await products.create(mug);
  const archived = await products.archive(id);
  const active = await products.create({ ...mug, name: 'Tin mug' });

  t.deepEqual(await (await call(path)).json(), { products: [active, archived], total: 2 });
  t.deepEqual(await (await call(`${path}?isActive=true`)).json(), { products: [active], total: 1 });
  t.deepEqual(await (await call(`${path}?isActive=false`)).json(), { products: [archived], total: 1 });
});

test('listProducts 200 skips `offset` records and returns at most `limit`', async (t) => {
  const { call, merchant } = await signIn(server());
  const first = await merchant.client.products.create(mug);
  await merchant.client.products.create(mug);

  t.deepEqual(await (await call(`${path}?limit=1&offset=1`)).json(), { products: [first], total: 2 });
});

test('listProducts 200 lists no product of another merchant or the other mode', async (t) => {
  const { call, merchant } = await signIn(server());
  await merchant.liveClient.products.create(mug);
  await (await server().createMerchant()).client.products.create(mug);

  t.deepEqual(await (await call(path)).json(), { products: [], total: 0 });
});

testRefusedQueries({ operation: 'listProducts', path }, sharedUser, [
  ['isActive is neither true nor false', 'isActive=perhaps', 'invalid_parameter', 'isActive'],
  ['limit is zero', 'limit=0', 'invalid_parameter', 'limit'],
]);

test('updateProduct 200 changes the fields of the body and no other fields', async (t) => {
  const { client } = await server().createMerchant();
  const product = await client.products.create({ ...mug, stock: 3, metadata: { sku: 'MUG-350', shelf: '7' } });

  const updated = await client.products.update(product.id, { price: 500_000, metadata: { sku: 'MUG-351' } });

  t.deepEqual(updated, { ...product, price: 500_000, metadata: { sku: 'MUG-351' }, updatedAt: updated.updatedAt });
  t.deepEqual((await client.storefront.listProducts()).products, [updated]);
});

test('updateProduct 200 removes optional fields', async (t) => {
  const { client } = await server().createMerchant();
  const optional = { description: 'Holds 350 ml.', imageUrl: 'https://shop.example.com/mug.webp', stock: 3 };
  const { id } = await client.products.create({ ...mug, ...optional });
  const nothing = { description: null, imageUrl: null, stock: null };

  t.like(await client.products.update(id, nothing), { ...mug, ...nothing });
});

test('updateProduct 200 removes a product from the storefront and restores it', async (t) => {
  const { client } = await server().createMerchant();
  const { id } = await client.products.create(mug);

  t.false((await client.products.update(id, { isActive: false })).isActive);
  t.is((await client.storefront.listProducts()).total, 0);

  t.true((await client.products.update(id, { isActive: true })).isActive);
  t.is((await client.storefront.listProducts()).total, 1);
});

test('updateProduct 200 when changes of different fields race, and no change is lost', async (t) => {
  const { client } = await server().createMerchant();
  const { id } = await client.products.create(mug);

  await Promise.all([
    client.products.update(id, { price: 500_000 }),
    client.products.update(id, { stock: 12 }),
    client.products.update(id, { name: 'Tin mug' }),
  ]);

  const { products } = await client.storefront.listProducts();
  t.like(products[0], { name: 'Tin mug', price: 500_000, stock: 12 });
});

const refusedUpdates: [situation: string, body: object, code: string, param: string | null][] = [
  ['the body has no field', {}, 'invalid_parameter', null],
  ['the name is null', { name: null }, 'invalid_parameter', 'name'],
  ['the price is zero', { price: 0 }, 'invalid_parameter', 'price'],
  ['the currency does not exist', { currency: 'ZZZ' }, 'unsupported_currency', 'currency'],
  ['the picture has the scheme javascript', { imageUrl: 'javascript:alert(1)' }, 'invalid_url', 'imageUrl'],
  ['a field is read-only', { createdAt: '2026-11-21T09:30:00.000Z' }, 'unknown_parameter', 'createdAt'],
];

for (const [situation, body, code, param] of refusedUpdates) {
  test(`updateProduct 400 when ${situation}`, async (t) => {
    const { client } = await server().createMerchant();
    const product = await client.products.create(mug);

    const error = await t.throwsAsync(client.products.update(product.id, body as never), {
      instanceOf: ValidationError,
    });

    t.like(error, { code, param });
    t.deepEqual((await client.storefront.listProducts()).products, [product]);
  });
}

test('updateProduct 404 when the product does not exist', async (t) => {
  const { client } = await server().createMerchant();

  await t.throwsAsync(client.products.update('019aa3c7-2c3d-7c52-8f3a-1b2c3d4e5f60', { price: 1 }), {
    instanceOf: NotFoundError,
  });
});

test('updateProduct 409 when a thousand other products are active, also for concurrent calls', async (t) => {
  const merchant = await server().createMerchant();
  const { products, storefront } = merchant.client;
  const archived = await Promise.all(Array.from({ length: 5 }, () => products.create(mug)));
  await Promise.all(archived.map(({ id }) => products.archive(id)));
  await insertProducts(server(), merchant, 998);

  const results = await Promise.allSettled(archived.map(({ id }) => products.update(id, { isActive: true })));

  const errors = results.flatMap((result) => (result.status === 'rejected' ? [result.reason] : []));
  t.is(errors.length, 3);
  t.true(errors.every((error) => error instanceof ConflictError && error.code === 'product_limit_reached'));
  t.is((await storefront.listProducts()).total, 1000);
});

test('archiveProduct 200 removes the product from the storefront and returns it', async (t) => {
  const { client } = await server().createMerchant();
  const kept = await client.products.create(mug);
  const product = await client.products.create(mug);

  const archived = await client.products.archive(product.id);

  t.deepEqual(archived, { ...product, isActive: false, updatedAt: archived.updatedAt });
  t.deepEqual((await client.storefront.listProducts()).products, [kept]);
});

test('archiveProduct 200 for an archived product, and nothing changes', async (t) => {
  const { client } = await server().createMerchant();
  const { id } = await client.products.create(mug);

  const archived = await client.products.archive(id);

  t.deepEqual(await client.products.archive(id), archived);
});

test('archiveProduct 200 makes room for another product when a thousand were active', async (t) => {
  const merchant = await server().createMerchant();
  const { products } = merchant.client;
  const { id } = await products.create(mug);
  await insertProducts(server(), merchant, 999);

  await t.throwsAsync(products.create(mug));
  await products.archive(id);
  await t.notThrowsAsync(products.create(mug));
});

test('archiveProduct 400 when the id is not a UUID', async (t) => {
  const { client } = await server().createMerchant();

  t.like(await t.throwsAsync(client.products.archive('mug')), { code: 'invalid_parameter', param: 'id' });
});

test('archiveProduct 404 when the product does not exist, or belongs to another merchant', async (t) => {
  const [owner, other] = await Promise.all([server().createMerchant(), server().createMerchant()]);
  const { id } = await owner.client.products.create(mug);

  for (const client of [other.client, owner.liveClient]) {
    await t.throwsAsync(client.products.archive(id), { instanceOf: NotFoundError });
  }
  t.is((await owner.client.storefront.listProducts()).total, 1);
});

const storefrontPath = '/api/v1/storefront/products';

function list(key: string, tag?: string, method = 'GET') {
  return server().request(storefrontPath, { method, key, headers: tag === undefined ? {} : { 'if-none-match': tag } });
}

async function tagOf(key: string): Promise<string> {
  return (await list(key)).headers.get('etag') ?? '';
}

test('listStorefrontProducts 200 lists every active product, newest first', async (t) => {
  const merchant = await server().createMerchant();
  const { client } = merchant;
  await insertProducts(server(), merchant, 998);
  const newest = await client.products.create(mug);
  const { id } = await client.products.create(mug);
  await client.products.archive(id);

  const { products, total } = await client.storefront.listProducts();

  t.is(products.length, 999);
  t.is(total, 999);
  t.deepEqual(products[0], newest);
});

test('listStorefrontProducts 200 is complete for any `limit` and `offset`', async (t) => {
  const merchant = await server().createMerchant();
  await insertProducts(server(), merchant, 3);

  t.is((await merchant.client.storefront.listProducts({ limit: 1, offset: 2 })).products.length, 3);
});

test('listStorefrontProducts 200 with a new ETag after every change', async (t) => {
  const { client, testKey } = await server().createMerchant();
  const tags = [await tagOf(testKey)];

  const { id } = await client.products.create(mug);
  tags.push(await tagOf(testKey));
  await client.products.update(id, { price: 1 });
  tags.push(await tagOf(testKey));
  await client.products.archive(id);
  tags.push(await tagOf(testKey));

  t.is(new Set(tags).size, 4);
  for (const tag of tags.slice(0, -1)) t.is((await list(testKey, tag)).status, 200);
});

test('listStorefrontProducts 200 when If-None-Match has the ETag of another storefront', async (t) => {
  const [mine, other] = await Promise.all([server().createMerchant(), server().createMerchant()]);
  await Promise.all([mine, other].map(({ client }) => client.products.create(mug)));

  t.is((await list(mine.testKey, await tagOf(other.testKey))).status, 200);
  t.is((await list(mine.liveKey, await tagOf(mine.testKey))).status, 200);
});

test('listStorefrontProducts 200 keeps its ETag when a change was refused', async (t) => {
  const { client, testKey } = await server().createMerchant();
  const { id } = await client.products.create(mug);
  const tag = await tagOf(testKey);

  await t.throwsAsync(client.products.update(id, { imageUrl: 'ftp://a.co/' }));

  t.is(await tagOf(testKey), tag);
});

test('listStorefrontProducts 200 with the latest list for a client that uses If-None-Match while products change', async (t) => {
  const { client, testKey } = await server().createMerchant();
  const { id } = await client.products.create(mug);
  let tag = '';
  let seen: unknown;
  const look = async () => {
    const response = await list(testKey, tag);
    if (response.status === 304) return;
    tag = response.headers.get('etag') ?? '';
    seen = (await response.json()).products;
  };

  for (let price = 1; price <= 15; price++) {
    await Promise.all([look(), client.products.update(id, { price })]);
  }
  await look();

  t.deepEqual(seen, (await client.storefront.listProducts()).products);
});

test('listStorefrontProducts 304 without a body and with the headers of a 200 while nothing changed', async (t) => {
  const { client, testKey } = await server().createMerchant();
  await client.products.create(mug);
  const full = await list(testKey);

  const response = await list(testKey, full.headers.get('etag') ?? '');

  t.is(response.status, 304);
  t.is(await response.text(), '');
  const names = ({ headers }: typeof full) => [...headers.keys()].filter((name) => !name.startsWith('content-'));
  t.deepEqual(names(response), names(full));
  t.is(response.headers.get('etag'), full.headers.get('etag'));
  t.is(response.headers.get('content-type'), null);
});

test('listStorefrontProducts 304 for every valid form of the ETag', async (t) => {
  const { client, testKey } = await server().createMerchant();
  await client.products.create(mug);
  const tag = await tagOf(testKey);

  for (const spelling of [tag, tag.slice(2), `"other", ${tag}`, `W/"a,b",${tag}`, '*']) {
    t.is((await list(testKey, spelling)).status, 304, spelling);
  }
  for (const other of ['W/"other"', tag.slice(2, -1), tag.replaceAll('"', ''), '']) {
    t.is((await list(testKey, other)).status, 200, other);
  }
});

test('listStorefrontProducts 304 for a merchant who never had a product', async (t) => {
  const { testKey } = await server().createMerchant();

  t.is((await list(testKey, await tagOf(testKey))).status, 304);
});

test('listStorefrontProducts 304 for HEAD as for GET', async (t) => {
  const { client, testKey } = await server().createMerchant();
  await client.products.create(mug);
  const tag = await tagOf(testKey);

  const full = await list(testKey, undefined, 'HEAD');
  t.is(full.status, 200);
  t.is(full.headers.get('etag'), tag);
  t.true(Number(full.headers.get('content-length')) > 100);
  t.is((await list(testKey, tag, 'HEAD')).status, 304);
});

test('listStorefrontProducts 400 when `offset` is out of bounds', async (t) => {
  const { client } = await server().createMerchant();

  const error = await t.throwsAsync(client.storefront.listProducts({ offset: 100_001 }));

  t.like(error, { code: 'invalid_parameter', param: 'offset' });
});
