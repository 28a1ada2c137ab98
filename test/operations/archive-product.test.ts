import { NotFoundError } from '@tillhook/sdk';
import test from 'ava';
import { insertProducts } from '../support/money/products.ts';
import { serverForFile } from '../support/server/tillhook.ts';

const server = serverForFile();
const mug = { name: 'Enamel mug', price: 450_000 };

test('200 removes the product from the storefront and returns it', async (t) => {
  const { client } = await server().createMerchant();
  const kept = await client.products.create(mug);
  const product = await client.products.create(mug);

  const archived = await client.products.archive(product.id);

  t.deepEqual(archived, { ...product, isActive: false, updatedAt: archived.updatedAt });
  t.deepEqual((await client.storefront.listProducts()).products, [kept]);
});

test('200 for an archived product, and nothing changes', async (t) => {
  const { client } = await server().createMerchant();
  const { id } = await client.products.create(mug);

  const archived = await client.products.archive(id);

  t.deepEqual(await client.products.archive(id), archived);
});

test('200 makes room for another product when a thousand were active', async (t) => {
  const merchant = await server().createMerchant();
  const { products } = merchant.client;
  const { id } = await products.create(mug);
  await insertProducts(server(), merchant, 999);

  await t.throwsAsync(products.create(mug));
  await products.archive(id);
  await t.notThrowsAsync(products.create(mug));
});

test('400 when the id is not a UUID', async (t) => {
  const { client } = await server().createMerchant();

  t.like(await t.throwsAsync(client.products.archive('mug')), { code: 'invalid_parameter', param: 'id' });
});

test('404 when the product does not exist, or belongs to another merchant', async (t) => {
  const [owner, other] = await Promise.all([server().createMerchant(), server().createMerchant()]);
  const { id } = await owner.client.products.create(mug);

  for (const client of [other.client, owner.liveClient]) {
    await t.throwsAsync(client.products.archive(id), { instanceOf: NotFoundError });
  }
  t.is((await owner.client.storefront.listProducts()).total, 1);
});
