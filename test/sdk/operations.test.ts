import { readContract } from '@tillhook/openapi';
import { type OperationId, Tillhook } from '@tillhook/sdk';
import { TillhookSession } from '@tillhook/sdk/session';
import test from 'ava';
import { generatedFiles } from '../../sdk/generate/files.ts';
import { credentialHeaders, schemesOf } from '../support/calls/call-example.ts';
import { type Change, changedContract, valueInContract } from '../support/calls/changed-contract.ts';
import { apiKey, serve } from './scripted-server.ts';

const id = '019aa3c4-9d1e-7c52-8f3a-1b2c3d4e5f60';

const getPayment = ['paths', '/api/v1/payments/{reference}', 'get'] as const;

const product = { name: 'A book', price: 500 };
const link = { name: 'A book', amount: 500 };
const transfer = {
  reference: 'payout-77',
  amount: 250000,
  recipient: { name: 'Grace Hopper', accountNumber: '0123456789', bankCode: '058' },
};

interface Call {
  make: (tillhook: Tillhook) => Promise<unknown>;
  url?: string;
  body?: unknown;
}

/** `errors.test.ts` has the operations that accept only a session. */
const calls: Partial<Record<OperationId, Call>> = {
  createCheckout: {
    make: (tillhook) => tillhook.checkout.create({ email: 'ada@example.com', amount: 500000 }),
    body: { email: 'ada@example.com', amount: 500000 },
  },
  listPayments: {
    make: (tillhook) => tillhook.payments.list({ limit: 5, customerEmail: 'a+b@example.com', status: 'completed' }),
    url: '/api/v1/payments?limit=5&customerEmail=a%2Bb%40example.com&status=completed',
  },
  getPayment: { make: (tillhook) => tillhook.payments.get('order-1042'), url: '/api/v1/payments/order-1042' },
  registerWebhookEndpoint: {
    make: (tillhook) => tillhook.webhookEndpoints.register({ url: 'https://shop.example.com/webhooks' }),
    body: { url: 'https://shop.example.com/webhooks' },
  },
  listWebhookEndpoints: { make: (tillhook) => tillhook.webhookEndpoints.list() },
  removeWebhookEndpoint: {
    make: (tillhook) => tillhook.webhookEndpoints.remove(id),
    url: `/api/v1/merchant-webhooks/${id}`,
  },
  sendTestEvent: {
    make: (tillhook) => tillhook.webhookEndpoints.sendTest(id),
    url: `/api/v1/merchant-webhooks/${id}/test`,
  },
  getAccount: { make: (tillhook) => tillhook.account.get() },
  updatePayment: {
    make: (tillhook) => tillhook.payments.update('order-1042', { note: 'Called' }),
    url: '/api/v1/payments/order-1042',
    body: { note: 'Called' },
  },
  cancelCheckout: {
    make: (tillhook) => tillhook.payments.cancel('order-1042'),
    url: '/api/v1/payments/order-1042/cancel',
  },
  getWebhookEndpoint: {
    make: (tillhook) => tillhook.webhookEndpoints.get(id),
    url: `/api/v1/merchant-webhooks/${id}`,
  },
  updateWebhookEndpoint: {
    make: (tillhook) => tillhook.webhookEndpoints.update(id, { isActive: false }),
    url: `/api/v1/merchant-webhooks/${id}`,
    body: { isActive: false },
  },
  rotateWebhookSecret: {
    make: (tillhook) => tillhook.webhookEndpoints.rotateSecret(id, { switchAfterSeconds: 3600 }),
    url: `/api/v1/merchant-webhooks/${id}/rotate-secret`,
    body: { switchAfterSeconds: 3600 },
  },
  completeWebhookSecretRotation: {
    make: (tillhook) => tillhook.webhookEndpoints.completeSecretRotation(id, { revokeOld: true }),
    url: `/api/v1/merchant-webhooks/${id}/rotate-secret/complete`,
    body: { revokeOld: true },
  },
  replayDeliveries: {
    make: (tillhook) => tillhook.webhookEndpoints.replay(id, { since: '2026-11-21T00:00:00Z' }),
    url: `/api/v1/merchant-webhooks/${id}/replay`,
    body: { since: '2026-11-21T00:00:00Z' },
  },
  listDeliveries: {
    make: (tillhook) => tillhook.deliveries.list({ status: 'failed', order: 'asc' }),
    url: '/api/v1/webhook-deliveries?status=failed&order=asc',
  },
  getDelivery: { make: (tillhook) => tillhook.deliveries.get(id), url: `/api/v1/webhook-deliveries/${id}` },
  resendDelivery: {
    make: (tillhook) => tillhook.deliveries.resend(id),
    url: `/api/v1/webhook-deliveries/${id}/resend`,
  },
  listEvents: {
    make: (tillhook) => tillhook.events.list({ event: 'checkout.success' }),
    url: '/api/v1/events?event=checkout.success',
  },
  getEvent: { make: (tillhook) => tillhook.events.get(id), url: `/api/v1/events/${id}` },
  createRefund: {
    make: (tillhook) => tillhook.refunds.create('order-1042', { amount: 300 }),
    url: '/api/v1/payments/order-1042/refunds',
    body: { amount: 300 },
  },
  getRefund: { make: (tillhook) => tillhook.refunds.get('refund-1042'), url: '/api/v1/refunds/refund-1042' },
  listRefunds: {
    make: (tillhook) => tillhook.refunds.list({ paymentReference: 'order-1042' }),
    url: '/api/v1/refunds?paymentReference=order-1042',
  },
  listCustomers: {
    make: (tillhook) => tillhook.customers.list({ search: 'ada' }),
    url: '/api/v1/customers?search=ada',
  },
  getCustomer: {
    make: (tillhook) => tillhook.customers.get(id),
    url: `/api/v1/customers/${id}`,
  },
  createTransfer: { make: (tillhook) => tillhook.transfers.create(transfer), body: transfer },
  getTransfer: { make: (tillhook) => tillhook.transfers.get('payout-77'), url: '/api/v1/transfers/payout-77' },
  listTransfers: {
    make: (tillhook) => tillhook.transfers.list({ offset: 20 }),
    url: '/api/v1/transfers?offset=20',
  },
  listWallets: { make: (tillhook) => tillhook.wallets.list() },
  topUpTransferWallet: { make: (tillhook) => tillhook.wallets.topUp({ amount: 5 }), body: { amount: 5 } },
  listWalletEntries: {
    make: (tillhook) => tillhook.wallets.listEntries('transfer', { limit: 5 }),
    url: '/api/v1/wallets/transfer/entries?limit=5',
  },
  listStorefrontProducts: { make: (tillhook) => tillhook.storefront.listProducts() },
  createPaymentLink: { make: (tillhook) => tillhook.paymentLinks.create(link), body: link },
  listPaymentLinks: {
    make: (tillhook) => tillhook.paymentLinks.list({ isActive: true }),
    url: '/api/v1/payment-links?isActive=true',
  },
  getPaymentLink: { make: (tillhook) => tillhook.paymentLinks.get(id), url: `/api/v1/payment-links/${id}` },
  updatePaymentLink: {
    make: (tillhook) => tillhook.paymentLinks.update(id, { isActive: false }),
    url: `/api/v1/payment-links/${id}`,
    body: { isActive: false },
  },
  createProduct: { make: (tillhook) => tillhook.products.create(product), body: product },
  getProduct: { make: (tillhook) => tillhook.products.get(id), url: `/api/v1/storefront/products/${id}` },
  updateProduct: {
    make: (tillhook) => tillhook.products.update(id, { stock: 3 }),
    url: `/api/v1/storefront/products/${id}`,
    body: { stock: 3 },
  },
  archiveProduct: { make: (tillhook) => tillhook.products.archive(id), url: `/api/v1/storefront/products/${id}` },
  testCompletePayment: {
    make: (tillhook) => tillhook.test.completePayment('order-1042'),
    url: '/api/v1/test-helpers/payments/order-1042/complete',
  },
  testFailPayment: {
    make: (tillhook) => tillhook.test.failPayment('order-1042'),
    url: '/api/v1/test-helpers/payments/order-1042/fail',
  },
  testReceiveBankTransfer: {
    make: (tillhook) => tillhook.test.receiveBankTransfer('order-1042', { amount: 5 }),
    url: '/api/v1/test-helpers/payments/order-1042/bank-transfers',
    body: { amount: 5 },
  },
  testAdvanceTime: { make: (tillhook) => tillhook.test.advanceTime({ seconds: 60 }), body: { seconds: 60 } },
  testFundWallet: { make: (tillhook) => tillhook.test.fundWallet({ amount: 5 }), body: { amount: 5 } },
};

const keyed = readContract().model.operations.flatMap((operation) => {
  const scheme = schemesOf(operation).find((name) => name !== 'dashboardSession');
  return scheme ? [{ ...operation, scheme }] : [];
});

test('the client has every operation that accepts an API key, and no other operation', (t) => {
  t.deepEqual(Object.keys(calls).sort(), keyed.map(({ id }) => id).sort());
});

for (const operation of keyed) {
  test(`${operation.id} sends the request that the contract describes`, async (t) => {
    const call = calls[operation.id as OperationId];
    if (!call) return t.fail(`The test has no call of ${operation.id}.`);
    const example = operation.success.content?.examples.get('basic')?.value;
    const { seen, tillhook } = await serve(t, [{ status: 200, body: example }]);

    const result = await call.make(tillhook);

    t.deepEqual(result, example);
    t.is(seen.length, 1);
    t.is(seen[0]?.method, operation.method.toUpperCase());
    t.is(seen[0]?.url, call.url ?? operation.path);
    t.is(seen[0]?.body, call.body ? JSON.stringify(call.body) : '');
    t.is(seen[0]?.headers['content-type'], call.body ? 'application/json' : undefined);
    const { authorization, 'x-api-key': keyHeader } = credentialHeaders(operation.scheme, apiKey);
    t.is(seen[0]?.headers.authorization, authorization);
    t.is(seen[0]?.headers['x-api-key'], keyHeader);
  });
}

test('the deprecated property testHelpers has the same methods as test', (t) => {
  const tillhook = new Tillhook(apiKey, { baseUrl: 'http://localhost:3000' });
  const session = new TillhookSession({ mode: 'test', baseUrl: 'http://localhost:3000' });

  t.is(tillhook.testHelpers, tillhook.test);
  t.is(session.testHelpers, session.test);
});

test('the client keeps the path in baseUrl', async (t) => {
  const { seen, baseUrl } = await serve(t, [{ status: 200, body: { transfers: [], total: 0 } }]);

  await new Tillhook(apiKey, { baseUrl: `${baseUrl}/pay/` }).transfers.list();

  t.is(seen[0]?.url, '/pay/api/v1/transfers');
});

test('npm run generate makes a method for a new operation of the contract, with its parameters and documentation', (t) => {
  const gained = {
    ...Object(valueInContract(...getPayment)),
    summary: 'Get a dispute',
    description: 'The dispute of a payment.',
  };
  const dispute = { ...gained, operationId: 'getDispute', 'x-sdk-method': 'disputes.get' };
  const receipt = { ...gained, operationId: 'getReceipt', 'x-sdk-method': undefined };
  const { model } = changedContract(
    [['paths', '/api/v1/disputes/{reference}'], { get: dispute }],
    [['paths', '/api/v1/disputes/{reference}/receipt'], { get: receipt }],
  );

  const files = generatedFiles(model, '1.2.3');

  const resources = files['resources.ts'] ?? '';
  t.regex(
    resources,
    /interface Disputes \{\n {2}\/\*\*\n {3}\* Get a dispute\.\n {3}\*\n {3}\* The dispute of a payment\./,
  );
  t.true(resources.includes("get(reference: string, options?: OptionsOf<'getDispute'>): Call<'getDispute'>;"));
  t.true(resources.includes("await tillhook.disputes.get('ref_k3v9m2q7x4t8w5n6b1zd');"));
  t.true(
    resources.includes("getReceipt: op('getReceipt'),"),
    'an operation without x-sdk-method becomes a method under its tag',
  );
  t.true(files['client-resources.ts']?.includes('readonly disputes: resources.Disputes;'));
  t.true(files['routes.ts']?.includes('getDispute: {"method":"get","path":"/api/v1/disputes/{reference}"'));
});

const requiredQuery = { name: 'at', in: 'query', required: true, schema: { type: 'string' } };

const changed: [what: string, change: Change, fault: RegExp][] = [
  ['a method without a valid name', [[...getPayment, 'x-sdk-method'], 'ping'], /is not a name/],
  ['a required query', [[...getPayment, 'parameters', '-'], requiredQuery], /requires at/],
  ['a success without a body', [[...getPayment, 'responses'], { 204: {} }], /no success/],
];

for (const [what, change, fault] of changed) {
  test(`the generator rejects ${what} and names the operation`, (t) => {
    const { model } = changedContract(change);

    const error = t.throws(() => generatedFiles(model, '1.2.3'));

    t.regex(error?.message ?? '', /^getPayment: the SDK has no method/);
    t.regex(error?.message ?? '', fault);
  });
}

test('the arguments of a method have the order of the path, whatever the order of the parameters in the contract', (t) => {
  const parameter = (name: string) => ({ name, in: 'path', required: true, schema: { type: 'string' } });
  const gained = { operationId: 'getPart', 'x-sdk-method': 'parts.get', parameters: [parameter('kind')] };
  const get = { ...Object(valueInContract(...getPayment)), ...gained };
  const { model } = changedContract([
    ['paths', '/api/v1/a/{kind}/b/{entry}'],
    { parameters: [parameter('entry')], get },
  ]);

  t.true(generatedFiles(model, '1.2.3')['resources.ts']?.includes('get(kind: string, entry: string, options'));
});
