/** Merchants and modes never see each other: every operation that names a resource, asked with somebody else's. */
import { operationsOf, readContract } from '@tillhook/openapi';
import test from 'ava';
import { callAs, keyHeader, pathOf } from '../support/call-example.ts';
import { eventually } from '../support/eventually.ts';
import { serverForFile, type TestMerchant } from '../support/tillhook.ts';

const server = serverForFile();

/** One of everything, by the beginning of the path that it is found under. */
async function everythingOf({ client }: TestMerchant): Promise<Record<string, Record<string, string>>> {
  await client.testHelpers.fundWallet({ amount: 1000 });
  const endpoint = await client.webhookEndpoints.register({ url: 'http://127.0.0.1:9/' });
  await client.checkout.create({ email: 'ada@example.com', amount: 1, reference: 'owned-1' });
  await client.testHelpers.completePayment('owned-1');
  const transfer = await client.transfers.create({
    reference: 'owned-2',
    amount: 1,
    recipient: { name: 'Grace Hopper', accountNumber: '0123456789', bankCode: '058' },
  });
  const product = await client.products.create({ name: 'A book', price: 500 });
  await eventually(async () => (await client.deliveries.list()).total > 0);
  const [delivery] = (await client.deliveries.list()).deliveries;
  const [event] = (await client.events.list()).events;
  return {
    '/api/v1/payments/': { reference: 'owned-1' },
    '/api/v1/test-helpers/payments/': { reference: 'owned-1' },
    '/api/v1/merchant-webhooks/': { id: endpoint.id },
    '/api/v1/webhook-deliveries/': { id: delivery?.id ?? '' },
    '/api/v1/events/': { id: event?.id ?? '' },
    '/api/v1/transfers/': { reference: transfer.reference },
    '/api/v1/storefront/products/': { id: product.id },
  };
}

test('another merchant, and the other mode, find nothing of it and change nothing', async (t) => {
  const [owner, stranger] = await Promise.all([server().createMerchant(), server().createMerchant()]);
  const everything = await everythingOf(owner);
  const state = async () => ({
    payment: await owner.client.payments.get('owned-1'),
    webhooks: (await owner.client.webhookEndpoints.list()).webhooks.map(({ id, url, isActive }) => [id, url, isActive]),
    products: (await owner.client.storefront.listProducts()).products,
    deliveries: (await owner.client.deliveries.list()).total,
  });
  await eventually(async () => (await owner.client.transfers.get('owned-2')).status === 'completed');
  const before = await state();
  const named = operationsOf(readContract().document).filter(({ path }) => /\{(id|reference)\}/.test(path));

  for (const operation of named) {
    const [, parameters] = Object.entries(everything).find(([start]) => operation.path.startsWith(start)) ?? [];
    if (!parameters) return t.fail(`Nothing was made for ${operation.path}.`);
    for (const [who, key] of Object.entries({ stranger: stranger.testKey, 'other mode': owner.liveKey })) {
      const response = await callAs(server(), operation, {
        headers: keyHeader(operation, key),
        path: pathOf(operation, parameters),
      });

      const { error } = await response.json();
      const isTestHelper = operation.path.includes('/test-helpers/') && who === 'other mode';
      t.is(error.code, isTestHelper ? 'test_mode_only' : 'resource_not_found', `${operation.id}, ${who}`);
    }
  }
  t.true(named.length >= 15);
  t.deepEqual(await state(), before);
});
