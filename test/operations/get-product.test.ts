import { NotFoundError } from '@tillhook/sdk';
import test from 'ava';
import { serverForFile } from '../support/server/tillhook.ts';

const server = serverForFile();
const mug = { name: 'Enamel mug', price: 450_000 };

test('200 returns the product as it is now, and no other one', async (t) => {
  const { client } = await server().createMerchant();
  const { id } = await client.products.create({ ...mug, stock: 3, metadata: { sku: 'MUG-350' } });
  await client.products.create({ ...mug, name: 'Tin mug' });
  const changed = await client.products.update(id, { price: 500_000 });

  t.deepEqual(await client.products.get(id), changed);
});

test('200 returns an archived product, which no list of the storefront has', async (t) => {
  const { client } = await server().createMerchant();
  const { id } = await client.products.create(mug);
  const archived = await client.products.archive(id);

  t.deepEqual(await client.products.get(id), archived);
  t.false(archived.isActive);
  t.is((await client.storefront.listProducts()).total, 0);
});

test('400 when the id is not a UUID', async (t) => {
  const { client } = await server().createMerchant();

  t.like(await t.throwsAsync(client.products.get('mug')), { code: 'invalid_parameter', param: 'id' });
});

test('404 when the product does not exist, or belongs to another merchant or to the other mode', async (t) => {
  const [owner, other] = await Promise.all([server().createMerchant(), server().createMerchant()]);
  const { id } = await owner.client.products.create(mug);

  for (const products of [other.client.products, owner.liveClient.products]) {
    const error = await t.throwsAsync(products.get(id), { instanceOf: NotFoundError });
    t.is(error?.code, 'resource_not_found');
  }
  await t.throwsAsync(owner.client.products.get('019aa3c7-2c3d-7c52-8f3a-1b2c3d4e5f60'), { instanceOf: NotFoundError });
});
