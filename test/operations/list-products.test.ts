import test from 'ava';
import { serverForFile } from '../support/server/tillhook.ts';
import { signIn, testRefusedQueries, userForFile } from '../support/users/session.ts';

const server = serverForFile();
const sharedUser = userForFile(server);
const path = '/api/v1/dashboard/products';
const mug = { name: 'Enamel mug', price: 450_000 };

test('200 lists archived products among the active ones, newest first', async (t) => {
  const { call, merchant } = await signIn(server());
  const { products } = merchant.client;
  const { id } = await products.create(mug);
  const archived = await products.archive(id);
  const active = await products.create({ ...mug, name: 'Tin mug' });

  t.deepEqual(await (await call(path)).json(), { products: [active, archived], total: 2 });
  t.deepEqual(await (await call(`${path}?isActive=true`)).json(), { products: [active], total: 1 });
  t.deepEqual(await (await call(`${path}?isActive=false`)).json(), { products: [archived], total: 1 });
});

test('200 skips offset records and returns at most limit', async (t) => {
  const { call, merchant } = await signIn(server());
  const first = await merchant.client.products.create(mug);
  await merchant.client.products.create(mug);

  t.deepEqual(await (await call(`${path}?limit=1&offset=1`)).json(), { products: [first], total: 2 });
});

test('200 lists nothing of another merchant or the other mode', async (t) => {
  const { call, merchant } = await signIn(server());
  await merchant.liveClient.products.create(mug);
  await (await server().createMerchant()).client.products.create(mug);

  t.deepEqual(await (await call(path)).json(), { products: [], total: 0 });
});

testRefusedQueries(path, sharedUser, [
  ['what is active is neither true nor false', 'isActive=perhaps', 'invalid_parameter', 'isActive'],
  ['there can be no such page', 'limit=0', 'invalid_parameter', 'limit'],
]);
