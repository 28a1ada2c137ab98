/** Only calls to the server need records: the mock answers with the contract's examples. */
import { randomUUID } from 'node:crypto';
import type { Mode, OperationId } from '@tillhook/openapi';
import { eventually } from '../support/eventually.ts';
import { recipient } from '../support/money/transfers.ts';
import { insertDeliveries, payOnce, unreachableUrl } from '../support/receivers/deliveries.ts';
import { beginSignIn, newAuthenticator } from '../support/users/passkeys.ts';
import { addResetLink } from '../support/users/password-reset.ts';
import { createKey, type SignedIn, signIn } from '../support/users/session.ts';
import { chosenPassword, invite, newEmail } from '../support/users/team.ts';
import { codeOf } from '../support/users/two-step.ts';
import { password } from '../support/users/users.ts';

export interface Call {
  path?: Record<string, string>;
  query?: Record<string, string>;
  body?: object;
  mode?: Mode;
}

type Arrange = (signedIn: SignedIn) => Promise<Call> | Call;

const unique = (what: string) => `${what}-${randomUUID()}`;

async function endpoint({ merchant: { client } }: SignedIn): Promise<{ id: string }> {
  const { webhooks } = await client.webhookEndpoints.list();
  return webhooks[0] ?? client.webhookEndpoints.register({ url: unreachableUrl });
}

const withEndpoint =
  (body?: object): Arrange =>
  async (signedIn) => ({ path: { id: (await endpoint(signedIn)).id }, ...(body && { body }) });

async function passkey({ server, email }: SignedIn) {
  const authenticator = newAuthenticator(server);
  const options = await server.arrange('beginPasskey', { email });
  const { id } = await server.arrange('addPasskey', { email, ...authenticator.register(options) });
  return { authenticator, id };
}

const withInvitation: Arrange = async ({ server, merchant }) => ({
  path: { id: (await invite(server, merchant)).id },
});

async function withMember({ server, merchant }: SignedIn): Promise<Call> {
  return { path: { id: (await signIn(server, merchant, 'support')).session.user.id } };
}

const order = () => ({ email: 'ada@example.com', amount: 500, reference: unique('order') });

const withPayment: Arrange = async ({ merchant: { client } }) => {
  const { data } = await client.checkout.create(order());
  return { path: { reference: data.reference } };
};

async function paidOrder({ merchant: { client } }: SignedIn): Promise<string> {
  const { data } = await client.checkout.create(order());
  await client.testHelpers.completePayment(data.reference);
  return data.reference;
}

const refundOrder = () => ({ amount: 200, reason: 'One was returned', metadata: { ticket: '7' } });

async function makeRefund(signedIn: SignedIn) {
  return signedIn.merchant.client.refunds.create(await paidOrder(signedIn), refundOrder());
}

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

async function delivery(signedIn: SignedIn): Promise<{ id: string }> {
  const { client } = signedIn.merchant;
  await endpoint(signedIn);
  await payOnce(client);
  const [tried] = await eventually(
    async () => (await client.deliveries.list()).deliveries.filter(({ attemptCount }) => attemptCount > 0),
    (seen) => seen.length > 0,
  );
  return tried ?? { id: '' };
}

const product = () => ({ name: unique('A book'), price: 500, stock: 3, description: 'With pictures' });

const withProduct =
  (body?: object): Arrange =>
  async ({ merchant: { client } }) => {
    const { id } = await client.products.create(product());
    return { path: { id }, ...(body && { body }) };
  };

const paymentLink = () => ({ name: unique('A book'), slug: unique('book'), amount: 500 });

const withPaymentLink =
  (body?: object): Arrange =>
  async ({ merchant: { client } }) => {
    const { id } = await client.paymentLinks.create(paymentLink());
    return { path: { id }, ...(body && { body }) };
  };

const withKey: Arrange = async (signedIn) => ({ path: { id: (await createKey(signedIn)).id } });

const withTwoStep: Arrange = async ({ server, email }) => {
  const { secret } = await server.arrange('turnTwoStepOn', { email });
  return { body: { password, code: codeOf(secret) } };
};

const withLiveTransfer =
  (body?: object, status?: 'completed'): Arrange =>
  async ({ server, merchant: { id: merchantId } }) => {
    const { id } = await server.arrange('createLiveTransfer', { merchantId, ...(status && { status }) });
    return { path: { id }, mode: 'live', ...(body && { body }) };
  };

const withReview: Arrange = async ({ server, merchant: { id: merchantId } }) => {
  const { id } = await server.arrange('createPaymentUnderReview', { merchantId });
  return { path: { id } };
};

/** A PNG of one pixel. */
const onePixel = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

/** The compiler reports an operation without a call. */
export const successfulCalls: Record<OperationId, Arrange> = {
  getAccount: () => ({}),
  createCheckout: () => ({ body: { ...order(), currency: 'NGN', description: 'Two books', metadata: { cart: '9' } } }),
  listPayments: async (signedIn) => {
    await withPayment(signedIn);
    return {};
  },
  getPayment: withPayment,
  updatePayment: async (signedIn) => ({ ...(await withPayment(signedIn)), body: { note: unique('Called') } }),
  cancelCheckout: withPayment,
  createRefund: async (signedIn) => ({ path: { reference: await paidOrder(signedIn) }, body: refundOrder() }),
  listRefunds: async (signedIn) => {
    await makeRefund(signedIn);
    return {};
  },
  getRefund: async (signedIn) => ({ path: { reference: (await makeRefund(signedIn)).reference } }),
  listCustomers: async (signedIn) => {
    await withPayment(signedIn);
    return {};
  },
  getCustomer: async (signedIn) => {
    await withPayment(signedIn);
    const { customers } = await signedIn.merchant.client.customers.list();
    return { path: { id: customers[0]?.id ?? '' } };
  },
  registerWebhookEndpoint: () => ({ body: { url: 'https://example.com/hooks', events: ['checkout.success'] } }),
  listWebhookEndpoints: async (signedIn) => {
    await endpoint(signedIn);
    return {};
  },
  getWebhookEndpoint: withEndpoint(),
  updateWebhookEndpoint: withEndpoint({ url: 'https://example.com/others', isActive: true }),
  removeWebhookEndpoint: withEndpoint(),
  sendTestEvent: withEndpoint(),
  rotateWebhookSecret: withEndpoint({}),
  completeWebhookSecretRotation: async (signedIn) => {
    const { id } = await endpoint(signedIn);
    await signedIn.merchant.client.webhookEndpoints.rotateSecret(id);
    return { path: { id }, body: {} };
  },
  replayDeliveries: async (signedIn) => {
    const { id } = await endpoint(signedIn);
    await insertDeliveries(signedIn.server, signedIn.merchant, { webhookId: id });
    return { path: { id }, body: { since: '2026-01-01T00:00:00.000Z' } };
  },
  listDeliveries: async (signedIn) => {
    await delivery(signedIn);
    return {};
  },
  getDelivery: async (signedIn) => ({ path: { id: (await delivery(signedIn)).id } }),
  resendDelivery: async (signedIn) => ({ path: { id: (await delivery(signedIn)).id } }),
  // The newest event on the mock belongs to a transfer. An event of a payment would have other fields.
  listEvents: async (signedIn) => {
    await makeTransfer(signedIn);
    const { events } = signedIn.merchant.client;
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
  listTransfers: async (signedIn) => {
    await makeTransfer(signedIn);
    return {};
  },
  getTransfer: async (signedIn) => ({ path: { reference: (await makeTransfer(signedIn)).reference } }),
  listWallets: () => ({}),
  topUpTransferWallet: async ({ merchant: { client } }) => {
    await payOnce(client);
    return { body: { amount: 500, currency: 'NGN', reference: unique('top-up') } };
  },
  listWalletEntries: async ({ merchant: { client } }) => {
    await client.testHelpers.fundWallet({ amount: 1_000_000 });
    return { path: { kind: 'transfer' }, query: { currency: 'NGN' } };
  },
  listStorefrontProducts: async ({ merchant: { client } }) => {
    await client.products.create(product());
    return {};
  },
  createPaymentLink: () => ({ body: paymentLink() }),
  listPaymentLinks: async ({ merchant: { client } }) => {
    await client.paymentLinks.create(paymentLink());
    return {};
  },
  getPaymentLink: withPaymentLink(),
  updatePaymentLink: withPaymentLink({ name: unique('Another link'), isActive: false }),
  createProduct: () => ({ body: product() }),
  getProduct: withProduct(),
  updateProduct: withProduct({ name: unique('Another book'), stock: 0 }),
  archiveProduct: withProduct(),
  testCompletePayment: withPayment,
  testFailPayment: withPayment,
  testReceiveBankTransfer: async (signedIn) => ({ ...(await withPayment(signedIn)), body: { amount: 500 } }),
  testFundWallet: () => ({ body: { amount: 5, currency: 'USD' } }),
  testAdvanceTime: () => ({ body: { seconds: 60 } }),
  signIn: ({ email }) => ({ body: { email, password } }),
  getSession: () => ({}),
  signOut: () => ({}),
  listSessions: () => ({}),
  endOtherSessions: () => ({}),
  endSession: async ({ call }) => {
    const { sessions } = await (await call('/api/v1/dashboard/sessions')).json();
    return { path: { id: sessions[0].id } };
  },
  changePassword: () => ({ body: { password, newPassword: 'a longer one than before' } }),
  requestPasswordReset: ({ email }) => ({ body: { email } }),
  resetPassword: async ({ server, email }) => ({
    body: { token: await addResetLink(server, email), password: 'a longer one than before' },
  }),
  beginTwoStep: () => ({ body: { password } }),
  confirmTwoStep: async ({ server, email }) => {
    const { secret } = await server.arrange('beginTwoStep', { email });
    return { body: { code: codeOf(secret) } };
  },
  renewRecoveryCodes: withTwoStep,
  removeTwoStep: withTwoStep,
  revealWebhookSecret: withEndpoint({ password }),
  beginPasskey: () => ({ body: { password } }),
  addPasskey: async ({ server, email }) => ({
    body: newAuthenticator(server).register(await server.arrange('beginPasskey', { email })),
  }),
  listPasskeys: () => ({}),
  renamePasskey: async (signedIn) => ({ path: { id: (await passkey(signedIn)).id }, body: { name: 'My phone' } }),
  removePasskey: async (signedIn) => ({ path: { id: (await passkey(signedIn)).id } }),
  beginPasskeyProof: () => ({}),
  beginPasskeySignIn: () => ({}),
  signInWithPasskey: async (signedIn) => {
    const { authenticator } = await passkey(signedIn);
    return { body: authenticator.sign(await beginSignIn(signedIn.server)) };
  },
  listApiKeys: () => ({}),
  listTeam: () => ({}),
  inviteMember: () => ({ body: { email: newEmail(), role: 'support' } }),
  updateMember: async (signedIn) => ({ ...(await withMember(signedIn)), body: { role: 'viewer' } }),
  removeMember: withMember,
  resendInvitation: withInvitation,
  revokeInvitation: withInvitation,
  readInvitation: async ({ server, merchant }) => ({ body: { token: (await invite(server, merchant)).token } }),
  acceptInvitation: async ({ server, merchant }) => {
    const { token } = await invite(server, merchant);
    return { body: { token, name: 'Grace Eze', password: chosenPassword } };
  },
  beginInvitationPasskey: async ({ server, merchant }) => ({ body: { token: (await invite(server, merchant)).token } }),
  createApiKey: () => ({ body: { name: 'For the shop', scopes: ['payments:read'] } }),
  rollApiKey: withKey,
  revokeApiKey: withKey,
  getStatistics: async ({ merchant: { client } }) => {
    await payOnce(client);
    return {};
  },
  getOverview: async ({ merchant: { client } }) => {
    await payOnce(client);
    return {};
  },
  listEndpointHealth: async (signedIn) => {
    await delivery(signedIn);
    return {};
  },
  searchRecords: async (signedIn) => {
    const { path = {} } = await withPayment(signedIn);
    return { query: { q: path.reference ?? '' } };
  },
  listPaymentAttempts: async (signedIn) => {
    const { path = {} } = await withPayment(signedIn);
    await signedIn.merchant.client.testHelpers.completePayment(path.reference ?? '');
    return { path };
  },
  getPreferences: () => ({}),
  updatePreferences: () => ({ body: { theme: 'dark', timeZone: 'Asia/Tokyo' } }),
  getLiveSetup: () => ({}),
  getSettings: () => ({}),
  previewReceipt: () => ({}),
  updateSettings: () => ({ body: { name: 'Ada and Sons' } }),
  uploadLogo: () => ({ body: { image: onePixel } }),
  removeLogo: () => ({}),
  listAuditEntries: () => ({}),
  listProducts: () => ({}),
  listMerchants: () => ({}),
  listOpenTransfers: withLiveTransfer(),
  getOpenTransfer: withLiveTransfer(),
  revealAccountNumber: withLiveTransfer({ password }),
  settleTransfer: withLiveTransfer(),
  failTransfer: withLiveTransfer({ reason: 'The account is closed' }),
  reverseTransfer: withLiveTransfer({ reason: 'The bank sent it back' }, 'completed'),
  listReviews: async (signedIn) => {
    await withReview(signedIn);
    return {};
  },
  resolveReview: async (signedIn) => ({ ...(await withReview(signedIn)), body: { as: 'completed' } }),
};
