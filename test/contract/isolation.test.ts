/**
 * A merchant never sees data of another merchant or of the other mode. The tests call every operation that names a
 * resource.
 */
import { type Mode, type OperationId, readContract } from '@tillhook/openapi';
import test from 'ava';
import {
  callOperation,
  credentialHeaders,
  pathOf,
  roleOf,
  type Scheme,
  schemesOf,
} from '../support/calls/call-example.ts';
import { eventually } from '../support/eventually.ts';
import { serverForFile, type TestMerchant } from '../support/server/tillhook.ts';
import { keysOf, type SignedIn, signIn } from '../support/users/session.ts';
import { password } from '../support/users/users.ts';

const server = serverForFile();

/** Bodies for operations that the contract's example would not carry out. */
const bodies: Partial<Record<OperationId, object>> = { revealWebhookSecret: { password } };

/** Creates one resource of each kind. Returns their path parameters, by the beginning of their paths. */
async function createEverything(signedIn: SignedIn): Promise<Record<string, Record<string, string>>> {
  const { client } = signedIn.merchant;
  await client.testHelpers.fundWallet({ amount: 1000 });
  const endpoint = await client.webhookEndpoints.register({ url: 'http://127.0.0.1:9/' });
  await client.checkout.create({ email: 'ada@example.com', amount: 1, reference: 'owned-1' });
  await client.testHelpers.completePayment('owned-1');
  const transfer = await client.transfers.create({
    reference: 'owned-2',
    amount: 1,
    recipient: { name: 'Grace Hopper', accountNumber: '0123456789', bankCode: '058' },
  });
  const refund = await client.refunds.create('owned-1');
  const product = await client.products.create({ name: 'A book', price: 500 });
  await eventually(
    async () => (await client.deliveries.list()).total,
    (seen) => seen > 0,
  );
  const [delivery] = (await client.deliveries.list()).deliveries;
  const [event] = (await client.events.list()).events;
  const [key] = (await keysOf(signedIn)).apiKeys;
  const [record] = (await (await signedIn.call('/api/v1/dashboard/sessions')).json()).sessions;
  return {
    '/api/v1/payments/': { reference: 'owned-1' },
    '/api/v1/test-helpers/payments/': { reference: 'owned-1' },
    '/api/v1/merchant-webhooks/': { id: endpoint.id },
    '/api/v1/webhook-deliveries/': { id: delivery?.id ?? '' },
    '/api/v1/events/': { id: event?.id ?? '' },
    '/api/v1/refunds/': { reference: refund.reference },
    '/api/v1/transfers/': { reference: transfer.reference },
    '/api/v1/storefront/products/': { id: product.id },
    '/api/v1/dashboard/payments/': { reference: 'owned-1' },
    '/api/v1/dashboard/merchant-webhooks/': { id: endpoint.id },
    '/api/v1/dashboard/api-keys/': { id: key?.id ?? '' },
    '/api/v1/dashboard/sessions/': { id: record?.id ?? '' },
  };
}

test('a caller of another merchant or of the other mode finds no resource and changes none', async (t) => {
  const [owner, stranger] = await Promise.all([server().createMerchant(), server().createMerchant()]);
  const signedIn = await signIn(server(), owner);
  const everything = await createEverything(signedIn);
  const state = async () => ({
    payment: await owner.client.payments.get('owned-1'),
    webhooks: (await owner.client.webhookEndpoints.list()).webhooks.map(({ id, url, isActive }) => [id, url, isActive]),
    products: (await owner.client.storefront.listProducts()).products,
    deliveries: (await owner.client.deliveries.list()).total,
    keys: (await keysOf(signedIn)).apiKeys.map(({ id, expiresAt, revokedAt }) => [id, expiresAt, revokedAt]),
  });
  await eventually(async () => (await owner.client.transfers.get('owned-2')).status, 'completed');
  const before = await state();
  const named = readContract().model.operations.filter(
    (operation) => /\{(id|reference)\}/.test(operation.path) && roleOf(operation) !== 'operator',
  );
  const callers = { stranger: await callerOf(stranger, 'test'), 'other mode': await callerOf(owner, 'live') };

  for (const operation of named) {
    const [, parameters] = Object.entries(everything).find(([start]) => operation.path.startsWith(start)) ?? [];
    if (!parameters) return t.fail(`Nothing was made for ${operation.path}.`);
    for (const [who, headersOf] of Object.entries(callers)) {
      for (const scheme of schemesOf(operation)) {
        const response = await callOperation(server(), operation, {
          headers: headersOf(scheme),
          path: pathOf(operation, parameters),
          ...(operation.id in bodies && { body: JSON.stringify(bodies[operation.id]) }),
        });

        const { error } = await response.json();
        const isTestHelper = operation.path.includes('/test-helpers/') && who === 'other mode';
        const expected = isTestHelper ? 'test_mode_only' : 'resource_not_found';
        t.is(error?.code, expected, `${operation.id}, ${who}, ${scheme}`);
      }
    }
  }
  t.true(named.length >= 18);
  t.deepEqual(await state(), before);
});

/** Returns valid headers of this merchant in one mode, for each kind of credential. */
async function callerOf(merchant: TestMerchant, mode: Mode): Promise<(scheme: Scheme) => Record<string, string>> {
  const { cookie } = await signIn(server(), merchant);
  const session = cookie.replace('tillhook_session=', '');
  const key = mode === 'test' ? merchant.testKey : merchant.liveKey;
  return (scheme) => credentialHeaders(scheme, scheme === 'dashboardSession' ? session : key, mode);
}
