import { ConflictError, NotFoundError, ValidationError } from '@tillhook/sdk';
import test from 'ava';
import { insertProducts } from '../support/money/products.ts';
import { serverForFile } from '../support/server/tillhook.ts';

const server = serverForFile();
const mug = { name: 'Enamel mug', price: 450_000 };

test('200 changes the fields of the body and no others', async (t) => {
  const { client } = await server().createMerchant();
  const product = await client.products.create({ ...mug, stock: 3, metadata: { sku: 'MUG-350', shelf: '7' } });

  const updated = await client.products.update(product.id, { price: 500_000, metadata: { sku: 'MUG-351' } });

  t.deepEqual(updated, { ...product, price: 500_000, metadata: { sku: 'MUG-351' }, updatedAt: updated.updatedAt });
  t.deepEqual((await client.storefront.listProducts()).products, [updated]);
});

test('200 removes optional fields', async (t) => {
  const { client } = await server().createMerchant();
  const optional = { description: 'Holds 350 ml.', imageUrl: 'https://shop.example.com/mug.webp', stock: 3 };
  const { id } = await client.products.create({ ...mug, ...optional });
  const nothing = { description: null, imageUrl: null, stock: null };

  t.like(await client.products.update(id, nothing), { ...mug, ...nothing });
});

test('200 removes a product from the storefront and restores it', async (t) => {
  const { client } = await server().createMerchant();
  const { id } = await client.products.create(mug);

  t.false((await client.products.update(id, { isActive: false })).isActive);
  t.is((await client.storefront.listProducts()).total, 0);

  t.true((await client.products.update(id, { isActive: true })).isActive);
  t.is((await client.storefront.listProducts()).total, 1);
});

test('200 for concurrent changes of different fields, none of which is lost', async (t) => {
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

const refused: [situation: string, body: object, code: string, param: string | null][] = [
  ['the body names nothing', {}, 'invalid_parameter', null],
  ['the name is null', { name: null }, 'invalid_parameter', 'name'],
  ['the price is zero', { price: 0 }, 'invalid_parameter', 'price'],
  ['the currency is nobody’s', { currency: 'ZZZ' }, 'unsupported_currency', 'currency'],
  ['the picture runs script', { imageUrl: 'javascript:alert(1)' }, 'invalid_url', 'imageUrl'],
  ['a field cannot be changed', { createdAt: '2026-11-21T09:30:00.000Z' }, 'unknown_parameter', 'createdAt'],
];

for (const [situation, body, code, param] of refused) {
  test(`400 when ${situation}`, async (t) => {
    const { client } = await server().createMerchant();
    const product = await client.products.create(mug);

    const error = await t.throwsAsync(client.products.update(product.id, body as never), {
      instanceOf: ValidationError,
    });

    t.like(error, { code, param });
    t.deepEqual((await client.storefront.listProducts()).products, [product]);
  });
}

test('404 when the product does not exist', async (t) => {
  const { client } = await server().createMerchant();

  await t.throwsAsync(client.products.update('019aa3c7-2c3d-7c52-8f3a-1b2c3d4e5f60', { price: 1 }), {
    instanceOf: NotFoundError,
  });
});

test('409 when a thousand other products are active, also for concurrent calls', async (t) => {
  const merchant = await server().createMerchant();
  const { products, storefront } = merchant.client;
  const archived = await Promise.all(Array.from({ length: 5 }, () => products.create(mug)));
  await Promise.all(archived.map(({ id }) => products.archive(id)));
  await insertProducts(server(), merchant, 998);

  const results = await Promise.allSettled(archived.map(({ id }) => products.update(id, { isActive: true })));

  const refusals = results.flatMap((result) => (result.status === 'rejected' ? [result.reason] : []));
  t.is(refusals.length, 3);
  t.true(refusals.every((error) => error instanceof ConflictError && error.code === 'product_limit_reached'));
  t.is((await storefront.listProducts()).total, 1000);
});
