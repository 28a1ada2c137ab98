/** For every operation a call that succeeds, and what has to be there first. The server needs that; the mock takes any id. */
import { randomUUID } from 'node:crypto';
import type { Mode, OperationId } from '@tillhook/openapi';
import { eventually } from '../support/eventually.ts';
import { recipient } from '../support/money/transfers.ts';
import { missed, nobody, payOnce } from '../support/receivers/deliveries.ts';
import { createKey, type SignedIn } from '../support/users/session.ts';
import { codeOf } from '../support/users/two-step.ts';
import { password } from '../support/users/users.ts';

export interface Call {
  path?: Record<string, string>;
  query?: Record<string, string>;
  body?: object;
  /** Test when left out. */
  mode?: Mode;
}

type Arrange = (somebody: SignedIn) => Promise<Call> | Call;

const unique = (what: string) => `${what}-${randomUUID()}`;

async function endpoint({ merchant: { client } }: SignedIn): Promise<{ id: string }> {
  const { webhooks } = await client.webhookEndpoints.list();
  return webhooks[0] ?? client.webhookEndpoints.register({ url: nobody });
}

const ofEndpoint =
  (body?: object): Arrange =>
  async (somebody) => ({ path: { id: (await endpoint(somebody)).id }, ...(body && { body }) });

const order = () => ({ email: 'ada@example.com', amount: 500, reference: unique('order') });

const ofPayment: Arrange = async ({ merchant: { client } }) => {
  const { data } = await client.checkout.create(order());
  return { path: { reference: data.reference } };
};

const transferOrder = () => ({
  reference: unique('payout'),
  amount: 700,
  recipient: recipient(),
  metadata: { batch: '7' },
  narration: 'For books',
});

async function makeTransfer({ merchant: { client } }: SignedIn) {
  await client.testHelpers.fundWallet({ amount: 1_000_000 });
  return client.transfers.create(transferOrder());
}

/** One that has been tried, so that its attempts are there. */
async function delivery(somebody: SignedIn): Promise<{ id: string }> {
  const { client } = somebody.merchant;
  await endpoint(somebody);
  await payOnce(client);
  const [tried] = await eventually(
    async () => (await client.deliveries.list()).deliveries.filter(({ attemptCount }) => attemptCount > 0),
    (seen) => seen.length > 0,
  );
  return tried ?? { id: '' };
}

const product = () => ({ name: unique('A book'), price: 500, stock: 3, description: 'With pictures' });

const ofProduct =
  (body?: object): Arrange =>
  async ({ merchant: { client } }) => {
    const { id } = await client.products.create(product());
    return { path: { id }, ...(body && { body }) };
  };

const ofKey: Arrange = async (somebody) => ({ path: { id: (await createKey(somebody)).id } });

const twoSteps: Arrange = async ({ server, email }) => {
  const { secret } = await server.arrange('turnTwoStepOn', { email });
  return { body: { password, code: codeOf(secret) } };
};

const ofLiveTransfer =
  (body?: object, status?: 'completed'): Arrange =>
  async ({ server, merchant: { id: merchantId } }) => {
    const { id } = await server.arrange('leaveLiveTransfer', { merchantId, ...(status && { status }) });
    return { path: { id }, mode: 'live', ...(body && { body }) };
  };

const ofReview: Arrange = async ({ server, merchant: { id: merchantId } }) => {
  const { id } = await server.arrange('leaveForReview', { merchantId });
  return { path: { id } };
};

/** An operation without a call does not compile. */
export const successfulCalls: Record<OperationId, Arrange> = {
  getAccount: () => ({}),
  createCheckout: () => ({ body: { ...order(), currency: 'NGN', description: 'Two books', metadata: { cart: '9' } } }),
  listPayments: async (somebody) => {
    await ofPayment(somebody);
    return {};
  },
  getPayment: ofPayment,
  cancelCheckout: ofPayment,
  registerWebhookEndpoint: () => ({ body: { url: 'https://example.com/hooks', events: ['checkout.success'] } }),
  listWebhookEndpoints: async (somebody) => {
    await endpoint(somebody);
    return {};
  },
  getWebhookEndpoint: ofEndpoint(),
  updateWebhookEndpoint: ofEndpoint({ url: 'https://example.com/others', isActive: true }),
  removeWebhookEndpoint: ofEndpoint(),
  sendTestEvent: ofEndpoint(),
  rotateWebhookSecret: ofEndpoint({}),
  completeWebhookSecretRotation: async (somebody) => {
    const { id } = await endpoint(somebody);
    await somebody.merchant.client.webhookEndpoints.rotateSecret(id);
    return { path: { id }, body: {} };
  },
  replayDeliveries: async (somebody) => {
    const { id } = await endpoint(somebody);
    await missed(somebody.server, somebody.merchant, { webhookId: id });
    return { path: { id }, body: { since: '2026-01-01T00:00:00.000Z' } };
  },
  listDeliveries: async (somebody) => {
    await delivery(somebody);
    return {};
  },
  getDelivery: async (somebody) => ({ path: { id: (await delivery(somebody)).id } }),
  resendDelivery: async (somebody) => ({ path: { id: (await delivery(somebody)).id } }),
  // The mock's newest event is a transfer's, and a payment's has other fields.
  listEvents: async (somebody) => {
    await makeTransfer(somebody);
    const { events } = somebody.merchant.client;
    await eventually(
      async () => (await events.list()).total,
      (seen) => seen > 0,
    );
    return {};
  },
  getEvent: async ({ merchant: { client } }) => {
    await payOnce(client);
    return { path: { id: (await client.events.list()).events[0]?.id ?? '' } };
  },
  createTransfer: async ({ merchant: { client } }) => {
    await client.testHelpers.fundWallet({ amount: 1_000_000 });
    return { body: transferOrder() };
  },
  listTransfers: async (somebody) => {
    await makeTransfer(somebody);
    return {};
  },
  getTransfer: async (somebody) => ({ path: { reference: (await makeTransfer(somebody)).reference } }),
  listWallets: () => ({}),
  topUpTransferWallet: async ({ merchant: { client } }) => {
    await payOnce(client);
    return { body: { amount: 500, currency: 'NGN', reference: unique('top-up') } };
  },
  listWalletEntries: async ({ merchant: { client } }) => {
    await client.testHelpers.fundWallet({ amount: 1_000_000 });
    return { path: { kind: 'transfer' } };
  },
  listStorefrontProducts: async ({ merchant: { client } }) => {
    await client.products.create(product());
    return {};
  },
  createProduct: () => ({ body: product() }),
  updateProduct: ofProduct({ name: unique('Another book'), stock: 0 }),
  archiveProduct: ofProduct(),
  testCompletePayment: ofPayment,
  testFailPayment: ofPayment,
  testFundWallet: () => ({ body: { amount: 5, currency: 'USD' } }),
  signIn: ({ email }) => ({ body: { email, password } }),
  getSession: () => ({}),
  signOut: () => ({}),
  listSessions: () => ({}),
  endSession: async ({ call }) => {
    const { sessions } = await (await call('/api/v1/dashboard/sessions')).json();
    return { path: { id: sessions[0].id } };
  },
  changePassword: () => ({ body: { password, newPassword: 'a longer one than before' } }),
  beginTwoStep: () => ({ body: { password } }),
  confirmTwoStep: async ({ server, email }) => {
    const { secret } = await server.arrange('beginTwoStep', { email });
    return { body: { code: codeOf(secret) } };
  },
  renewRecoveryCodes: twoSteps,
  removeTwoStep: twoSteps,
  revealWebhookSecret: ofEndpoint({ password }),
  listApiKeys: () => ({}),
  createApiKey: () => ({ body: { name: 'For the shop', scopes: ['payments:read'] } }),
  rollApiKey: ofKey,
  revokeApiKey: ofKey,
  getStatistics: async ({ merchant: { client } }) => {
    await payOnce(client);
    return {};
  },
  getOverview: async ({ merchant: { client } }) => {
    await payOnce(client);
    return {};
  },
  listEndpointHealth: async (somebody) => {
    await delivery(somebody);
    return {};
  },
  listPaymentAttempts: async (somebody) => {
    const { path = {} } = await ofPayment(somebody);
    await somebody.merchant.client.testHelpers.completePayment(path.reference ?? '');
    return { path };
  },
  getSettings: () => ({}),
  updateSettings: () => ({ body: { name: 'Ada and Sons' } }),
  listAuditEntries: () => ({}),
  listProducts: () => ({}),
  listMerchants: () => ({}),
  listOpenTransfers: ofLiveTransfer(),
  getOpenTransfer: ofLiveTransfer(),
  revealAccountNumber: ofLiveTransfer({ password }),
  settleTransfer: ofLiveTransfer(),
  failTransfer: ofLiveTransfer({ reason: 'The account is closed' }),
  reverseTransfer: ofLiveTransfer({ reason: 'The bank sent it back' }, 'completed'),
  listReviews: async (somebody) => {
    await ofReview(somebody);
    return {};
  },
  resolveReview: async (somebody) => ({ ...(await ofReview(somebody)), body: { as: 'completed' } }),
};

/** What an answer repeats of the path and the body. Those that are not here repeat nothing. */
export const repeated: Partial<Record<OperationId, string[]>> = {
  createCheckout: ['reference'],
  getPayment: ['reference'],
  cancelCheckout: ['reference'],
  registerWebhookEndpoint: ['url'],
  getWebhookEndpoint: ['id'],
  updateWebhookEndpoint: ['id', 'url', 'isActive'],
  removeWebhookEndpoint: ['id'],
  rotateWebhookSecret: ['id'],
  completeWebhookSecretRotation: ['id'],
  getDelivery: ['id'],
  getEvent: ['id'],
  createTransfer: ['reference', 'amount', 'metadata', 'narration'],
  getTransfer: ['reference'],
  topUpTransferWallet: ['currency'],
  createProduct: ['name', 'price', 'stock', 'description'],
  updateProduct: ['id', 'name', 'stock'],
  archiveProduct: ['id'],
  testCompletePayment: ['reference'],
  testFailPayment: ['reference'],
  testFundWallet: ['currency'],
  revealWebhookSecret: ['id'],
  endSession: ['id'],
  revealAccountNumber: ['id'],
  createApiKey: ['name', 'scopes'],
  revokeApiKey: ['id'],
  updateSettings: ['name'],
};
