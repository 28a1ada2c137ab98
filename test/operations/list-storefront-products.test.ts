import test from 'ava';
import { insertProducts } from '../support/money/products.ts';
import { serverForFile } from '../support/server/tillhook.ts';

const server = serverForFile();
const path = '/api/v1/storefront/products';
const mug = { name: 'Enamel mug', price: 450_000 };

/** Reads the list, with `If-None-Match` if a tag is given. */
function list(key: string, tag?: string, method = 'GET') {
  return server().request(path, { method, key, headers: tag === undefined ? {} : { 'if-none-match': tag } });
}

async function tagOf(key: string): Promise<string> {
  return (await list(key)).headers.get('etag') ?? '';
}

test('200 lists every active product, newest first', async (t) => {
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

test('200 is complete for any limit and offset', async (t) => {
  const merchant = await server().createMerchant();
  await insertProducts(server(), merchant, 3);

  t.is((await merchant.client.storefront.listProducts({ limit: 1, offset: 2 })).products.length, 3);
});

test('200 with a new ETag after every change', async (t) => {
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

test('200 when If-None-Match has the ETag of another storefront', async (t) => {
  const [mine, other] = await Promise.all([server().createMerchant(), server().createMerchant()]);
  await Promise.all([mine, other].map(({ client }) => client.products.create(mug)));

  t.is((await list(mine.testKey, await tagOf(other.testKey))).status, 200);
  t.is((await list(mine.liveKey, await tagOf(mine.testKey))).status, 200);
});

test('200 keeps its ETag when a change was refused', async (t) => {
  const { client, testKey } = await server().createMerchant();
  const { id } = await client.products.create(mug);
  const tag = await tagOf(testKey);

  await t.throwsAsync(client.products.update(id, { imageUrl: 'ftp://a.co/' }));

  t.is(await tagOf(testKey), tag);
});

test('200 in the end for a client that uses If-None-Match while products change', async (t) => {
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

test('304 without a body and with the headers of a 200 while nothing changed', async (t) => {
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

test('304 for every valid form of the ETag', async (t) => {
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

test('304 for a merchant who never had a product', async (t) => {
  const { testKey } = await server().createMerchant();

  t.is((await list(testKey, await tagOf(testKey))).status, 304);
});

test('304 for HEAD as for GET', async (t) => {
  const { client, testKey } = await server().createMerchant();
  await client.products.create(mug);
  const tag = await tagOf(testKey);

  const full = await list(testKey, undefined, 'HEAD');
  t.is(full.status, 200);
  t.is(full.headers.get('etag'), tag);
  t.true(Number(full.headers.get('content-length')) > 100);
  t.is((await list(testKey, tag, 'HEAD')).status, 304);
});

test('400 when offset is out of bounds', async (t) => {
  const { client } = await server().createMerchant();

  const error = await t.throwsAsync(client.storefront.listProducts({ offset: 100_001 }));

  t.like(error, { code: 'invalid_parameter', param: 'offset' });
});
