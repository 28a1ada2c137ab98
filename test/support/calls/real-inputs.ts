/**
 * What makes generated input real: ids and references of rows that are there and may be worked on, and values that a schema
 * cannot tell from others (a currency of ISO 4217, an address that deliveries may reach, the password of the user). All
 * else stays as it was generated, so each operation has to carry it out.
 */
import { randomUUID } from 'node:crypto';
import type { OperationId } from '@tillhook/openapi';
import { startCheckout } from '../money/payments.ts';
import { creditCollectionWith, recipient } from '../money/transfers.ts';
import { missed, nobody } from '../receivers/deliveries.ts';
import type { TestMerchant, TestServer } from '../server/tillhook.ts';
import { codeOf, emailOf } from '../users/two-step.ts';
import { addUser, password } from '../users/users.ts';

export interface Input {
  path?: Record<string, string>;
  query?: Record<string, unknown>;
  body?: Record<string, unknown>;
  /** That of the call, where it is not test. */
  mode?: 'live';
}

interface Scene extends Input {
  server: TestServer;
  merchant: TestMerchant;
}

/** Arranges what the operation works on and returns what takes the place of generated values. */
type Arranged = (scene: Scene) => Input | Promise<Input>;

/** The most that one call may move. */
const most = 999_999_999_999;

const asGenerated: Arranged = () => ({});
const newReference = () => `order-${randomUUID()}`;

/** Only where the generated input has this value: what was left out stays left out. */
function instead(given: Record<string, unknown> = {}, values: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(values).filter(([name]) => given[name] !== undefined));
}

const inCurrency: Arranged = ({ query, body }) => ({
  query: instead(query, { currency: 'NGN' }),
  body: instead(body, { currency: 'NGN' }),
});

const ofCheckout: Arranged = async ({ merchant }) => {
  const reference = newReference();
  await startCheckout(merchant, reference);
  return { path: { reference } };
};

const ofEndpoint: Arranged = async ({ merchant, body }) => {
  const { id } = await merchant.client.webhookEndpoints.register({ url: nobody });
  return { path: { id }, body: instead(body, { url: nobody }) };
};

const ofProduct: Arranged = async ({ merchant, body }) => {
  const { id } = await merchant.client.products.create({ name: 'Mug', price: 500 });
  return { path: { id }, body: instead(body, { currency: 'NGN' }) };
};

const ofDelivery: Arranged = async (scene) => {
  const { id } = await newDelivery(scene);
  return { path: { id } };
};

/** A delivery of an event with a new reference, to a new endpoint. */
async function newDelivery({ server, merchant }: Scene) {
  const { id: webhookId } = await merchant.client.webhookEndpoints.register({ url: nobody });
  const reference = newReference();
  const [id = ''] = await missed(server, merchant, { webhookId, reference });
  const { eventId } = await merchant.client.deliveries.get(id);
  return { id, webhookId, eventId, reference };
}

const ofApiKey: Arranged = async ({ server, merchant }) => {
  const [row] = await server.database.query<{ id: string }>(
    `select id from api_key where merchant_id = $1 and mode = 'test'`,
    [merchant.id],
  );
  return { path: { id: row?.id ?? '' } };
};

const funded: Arranged = async ({ merchant, body }) => {
  await merchant.client.testHelpers.fundWallet({ amount: most });
  const { accountNumber, name } = (body?.recipient ?? {}) as Record<string, string>;
  const generated = { ...recipient(accountNumber), name };
  return { body: instead(body, { currency: 'NGN', recipient: generated }) };
};

async function newTransfer({ client }: TestMerchant): Promise<string> {
  await client.testHelpers.fundWallet({ amount: 1 });
  const { reference } = await client.transfers.create({
    reference: newReference(),
    amount: 1,
    recipient: recipient(),
  });
  return reference;
}

const ofLiveTransfer: Arranged = async ({ server, merchant: { id: merchantId } }) => {
  const { id } = await server.arrange('leaveLiveTransfer', { merchantId });
  return { path: { id }, mode: 'live' };
};

const twoSteps: Arranged = async ({ server, merchant }) => {
  const { secret } = await server.arrange('turnTwoStepOn', { email: await emailOf(server, merchant) });
  return { body: { password, code: codeOf(secret) } };
};

export const realInputs: Record<OperationId, Arranged> = {
  getAccount: asGenerated,
  createCheckout: inCurrency,
  listPayments: async ({ merchant, query }) => {
    const reference = newReference();
    await startCheckout(merchant, reference);
    return { query: instead(query, { reference, customerEmail: 'ada@example.com', currency: 'NGN' }) };
  },
  getPayment: ofCheckout,
  cancelCheckout: ofCheckout,
  listWebhookEndpoints: asGenerated,
  registerWebhookEndpoint: ({ body }) => ({ body: instead(body, { url: `${nobody}/${randomUUID()}` }) }),
  getWebhookEndpoint: ofEndpoint,
  updateWebhookEndpoint: ofEndpoint,
  removeWebhookEndpoint: ofEndpoint,
  sendTestEvent: ofEndpoint,
  rotateWebhookSecret: ofEndpoint,
  completeWebhookSecretRotation: async (scene) => {
    const real = await ofEndpoint(scene);
    await scene.merchant.client.webhookEndpoints.rotateSecret(real.path?.id ?? '');
    return real;
  },
  replayDeliveries: ofEndpoint,
  listDeliveries: async (scene) => {
    const { webhookId, eventId, reference } = await newDelivery(scene);
    return { query: instead(scene.query, { webhookId, eventId, reference }) };
  },
  getDelivery: ofDelivery,
  resendDelivery: ofDelivery,
  listEvents: async (scene) => {
    const { reference } = await newDelivery(scene);
    return { query: instead(scene.query, { reference }) };
  },
  getEvent: async (scene) => {
    await ofDelivery(scene);
    const [event] = (await scene.merchant.client.events.list()).events;
    return { path: { id: event?.id ?? '' } };
  },
  createTransfer: funded,
  listTransfers: async ({ merchant, query }) => ({ query: instead(query, { reference: await newTransfer(merchant) }) }),
  getTransfer: async ({ merchant }) => ({ path: { reference: await newTransfer(merchant) } }),
  listWallets: asGenerated,
  topUpTransferWallet: async (scene) => {
    await creditCollectionWith(scene.server, scene.merchant, most);
    return inCurrency(scene);
  },
  listWalletEntries: inCurrency,
  listStorefrontProducts: asGenerated,
  createProduct: inCurrency,
  updateProduct: ofProduct,
  archiveProduct: ofProduct,
  testCompletePayment: ofCheckout,
  testFailPayment: ofCheckout,
  testFundWallet: inCurrency,
  getSession: asGenerated,
  signIn: async ({ server, merchant }) => ({ body: { email: await addUser(server, merchant), password } }),
  signOut: asGenerated,
  listSessions: asGenerated,
  endSession: async ({ server, merchant }) => {
    const [row] = await server.database.query<{ id: string }>(
      `select dashboard_session.id from dashboard_session join dashboard_user on dashboard_user.id = user_id
       where merchant_id = $1`,
      [merchant.id],
    );
    return { path: { id: row?.id ?? '' } };
  },
  changePassword: () => ({ body: { password } }),
  beginTwoStep: () => ({ body: { password } }),
  confirmTwoStep: async ({ server, merchant }) => {
    const { secret } = await server.arrange('beginTwoStep', { email: await emailOf(server, merchant) });
    return { body: { code: codeOf(secret) } };
  },
  renewRecoveryCodes: twoSteps,
  removeTwoStep: twoSteps,
  revealWebhookSecret: async (scene) => ({ ...(await ofEndpoint(scene)), body: { password } }),
  listApiKeys: asGenerated,
  createApiKey: asGenerated,
  rollApiKey: ofApiKey,
  revokeApiKey: ofApiKey,
  // Two generated moments are mostly in the wrong order, or further apart than what is counted at once.
  getStatistics: ({ query }) => ({ query: instead(query, { from: daysAgo(8), to: daysAgo(1) }) }),
  getOverview: asGenerated,
  listEndpointHealth: asGenerated,
  listPaymentAttempts: ofCheckout,
  getSettings: asGenerated,
  // Half of all colours are too light to read white text on.
  updateSettings: ({ body }) => ({
    body: instead(body, { colour: '#1f4fbf', logoUrl: 'https://shop.example.com/logo.png' }),
  }),
  listAuditEntries: asGenerated,
  listProducts: asGenerated,
  listMerchants: asGenerated,
  listOpenTransfers: asGenerated,
  getOpenTransfer: ofLiveTransfer,
  revealAccountNumber: async (scene) => ({ ...(await ofLiveTransfer(scene)), body: { password } }),
  settleTransfer: ofLiveTransfer,
  failTransfer: ofLiveTransfer,
  reverseTransfer: async ({ server, merchant: { id: merchantId } }) => {
    const { id } = await server.arrange('leaveLiveTransfer', { merchantId, status: 'completed' });
    return { path: { id }, mode: 'live' };
  },
  listReviews: asGenerated,
  resolveReview: async ({ server, merchant: { id: merchantId } }) => {
    const { id } = await server.arrange('leaveForReview', { merchantId });
    return { path: { id } };
  },
};

function daysAgo(days: number): string {
  return new Date(Date.now() - days * 86_400_000).toISOString();
}
