import { ConflictError, ValidationError } from '@tillhook/sdk';
import test from 'ava';
import { insertProducts } from '../support/money/products.ts';
import { serverForFile } from '../support/server/tillhook.ts';

const server = serverForFile();
const mug = { name: 'Enamel mug', price: 450_000 };

test('201 puts a product on the storefront, in the currency of the merchant', async (t) => {
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

test('201 stores every field', async (t) => {
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

test('201 creates the product in the mode of the key', async (t) => {
  const { client, liveClient } = await server().createMerchant();

  await liveClient.products.create(mug);

  t.is((await client.storefront.listProducts()).total, 0);
  t.is((await liveClient.storefront.listProducts()).total, 1);
});

const refused: [situation: string, body: object, code: string, param: string][] = [
  ['the name is missing', { price: 1 }, 'missing_parameter', 'name'],
  ['the name is empty', { ...mug, name: '' }, 'invalid_parameter', 'name'],
  ['the name holds U+0000', { ...mug, name: 'a\0b' }, 'invalid_parameter', 'name'],
  ['the price is zero', { ...mug, price: 0 }, 'invalid_parameter', 'price'],
  ['the price has a fraction', { ...mug, price: 4.5 }, 'invalid_parameter', 'price'],
  ['the currency is nobody’s', { ...mug, currency: 'ZZZ' }, 'unsupported_currency', 'currency'],
  ['the picture is no address', { ...mug, imageUrl: 'mug.webp' }, 'invalid_url', 'imageUrl'],
  ['the picture runs script', { ...mug, imageUrl: 'javascript:alert(1)' }, 'invalid_url', 'imageUrl'],
  ['the picture’s address holds a password', { ...mug, imageUrl: 'https://a:b@c.co/' }, 'invalid_url', 'imageUrl'],
  ['the stock is negative', { ...mug, stock: -1 }, 'invalid_parameter', 'stock'],
  ['the stock is more than can be counted', { ...mug, stock: 2_147_483_648 }, 'invalid_parameter', 'stock'],
  ['a field is unknown', { ...mug, isActive: true }, 'unknown_parameter', 'isActive'],
];

for (const [situation, body, code, param] of refused) {
  test(`400 when ${situation}`, async (t) => {
    const { client } = await server().createMerchant();

    const error = await t.throwsAsync(client.products.create(body as never), { instanceOf: ValidationError });

    t.like(error, { code, param });
    t.is((await client.storefront.listProducts()).total, 0);
  });
}

test('409 for product number 1,001, also for concurrent calls', async (t) => {
  const merchant = await server().createMerchant();
  const { products, storefront } = merchant.client;
  await insertProducts(server(), merchant, 995);

  const results = await Promise.allSettled(Array.from({ length: 20 }, () => products.create(mug)));

  const refusals = results.flatMap((result) => (result.status === 'rejected' ? [result.reason] : []));
  t.is(refusals.length, 15);
  t.true(refusals.every((error) => error instanceof ConflictError && error.code === 'product_limit_reached'));
  t.is((await storefront.listProducts()).total, 1000);
});
