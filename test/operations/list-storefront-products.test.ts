import test from 'ava';
import { serverForFile } from '../support/tillhook.ts';

const server = serverForFile();

/** Products cannot be created yet, so the test writes the rows that creation will. */
async function insertProducts(merchantId: string, count: number, isActive = true): Promise<void> {
  await server().database.query(
    `insert into product (id, merchant_id, mode, name, price, currency, is_active, metadata, created_at, updated_at)
     select gen_random_uuid(), $1, 'test', 'Mug ' || n, 450000, 'NGN', $3, '{}', now(), now() from generate_series(1, $2) n`,
    [merchantId, count, isActive],
  );
}

test('200 lists every active product', async (t) => {
  const { client, id } = await server().createMerchant();
  await insertProducts(id, 25);
  await insertProducts(id, 1, false);

  const { products, total } = await client.storefront.listProducts();

  t.is(products.length, 25);
  t.is(total, 25);
  t.like(products[0], { price: 450_000, currency: 'NGN', stock: null, isActive: true, metadata: {} });
});

test('200 is complete whatever limit and offset say', async (t) => {
  const { client, id } = await server().createMerchant();
  await insertProducts(id, 3);

  t.is((await client.storefront.listProducts({ limit: 1, offset: 2 })).products.length, 3);
});

test('400 when offset is out of bounds', async (t) => {
  const { client } = await server().createMerchant();

  const error = await t.throwsAsync(client.storefront.listProducts({ offset: 100_001 }));

  t.like(error, { code: 'invalid_parameter', param: 'offset' });
});
