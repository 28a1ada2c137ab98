/**
 * Replaces generated ids and references by ids and references of existing rows. Also replaces values that a schema
 * cannot fully describe. The operation must accept all other values as generated.
 */
import { randomUUID } from 'node:crypto';
import type { OperationId } from '@tillhook/openapi';
import { makeImage } from '../images/images.ts';
import { startCheckout } from '../money/payments.ts';
import { creditCollection, recipient } from '../money/transfers.ts';
import { insertDeliveries, unreachableUrl } from '../receivers/deliveries.ts';
import type { TestMerchant, TestServer } from '../server/tillhook.ts';
import { beginSignIn, newAuthenticator } from '../users/passkeys.ts';
import { addResetLink } from '../users/password-reset.ts';
import { signIn } from '../users/session.ts';
import { chosenPassword, invite, newEmail } from '../users/team.ts';
import { codeOf, emailOf } from '../users/two-step.ts';
import { addUser, password } from '../users/users.ts';

export interface Input {
  path?: Record<string, string>;
  query?: Record<string, unknown>;
  body?: Record<string, unknown>;
  /** The mode of the call; test mode when omitted. */
  mode?: 'live';
}

interface Scene extends Input {
  server: TestServer;
  merchant: TestMerchant;
}

type Arrangement = (scene: Scene) => Input | Promise<Input>;

const maxAmount = 999_999_999_999;

/** A generated passkey would be checked in place of the password. */
const byPassword = { password, passkey: undefined };

const asGenerated: Arrangement = () => ({});
const newReference = () => `order-${randomUUID()}`;

/** A field that the generated input omits stays omitted. */
function replaceGiven(given: Record<string, unknown> = {}, values: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(values).filter(([name]) => given[name] !== undefined));
}

const withCurrency: Arrangement = ({ query, body }) => ({
  query: replaceGiven(query, { currency: 'NGN' }),
  body: replaceGiven(body, { currency: 'NGN' }),
});

/** The line items must add up to the amount of the payment: the first item costs the amount, and the others cost 0. */
const withItemsThatAddUp: Arrangement = ({ body }) => {
  // Mobile money is not offered in naira.
  const paymentMethods = ['card', 'bank_transfer'];
  const items = (body?.lineItems ?? []) as { quantity: number }[];
  const lineItems = items.map((item, index) => ({
    ...item,
    ...(index === 0 ? { quantity: 1, unitAmount: body?.amount } : { unitAmount: 0 }),
  }));
  return { body: replaceGiven(body, { currency: 'NGN', locale: 'ar-EG-u-nu-arab', lineItems, paymentMethods }) };
};

const withCheckout: Arrangement = async ({ merchant }) => {
  const reference = newReference();
  await startCheckout(merchant, reference);
  return { path: { reference } };
};

const withEndpoint: Arrangement = async ({ merchant, body }) => {
  const { id } = await merchant.client.webhookEndpoints.register({ url: unreachableUrl });
  return { path: { id }, body: replaceGiven(body, { url: unreachableUrl }) };
};

const withProduct: Arrangement = async ({ merchant, body }) => {
  const { id } = await merchant.client.products.create({ name: 'Mug', price: 500 });
  return { path: { id }, body: replaceGiven(body, { currency: 'NGN' }) };
};

/** A link has one kind of price: the fields of the other kinds are left out. */
const withOnePrice: Arrangement = async ({ merchant, body = {} }) => {
  const dropped = Object.fromEntries([...openPrice, ...productPrice, 'amount'].map((name) => [name, undefined]));
  const others = replaceGiven(body, { slug: `link-${randomUUID()}`, expiresAt: '2099-01-01T00:00:00.000Z' });
  if (body.productId !== undefined) {
    const { id } = await merchant.client.products.create({ name: 'Mug', price: 500 });
    return { body: { ...others, ...dropped, currency: undefined, productId: id, maxQuantity: body.maxQuantity ?? 5 } };
  }
  const currency = replaceGiven(body, { currency: 'NGN' });
  if (body.amount !== undefined) return { body: { ...others, ...currency, ...dropped, amount: body.amount } };
  return { body: { ...others, ...currency, ...dropped, ...replaceGiven(body, openAmounts) } };
};

const openPrice = ['minAmount', 'maxAmount', 'suggestedAmount'];
const productPrice = ['productId', 'quantity', 'maxQuantity'];
const openAmounts = { minAmount: 1, maxAmount: maxAmount, suggestedAmount: 500 };

const withLink: Arrangement = async ({ merchant, body = {} }) => {
  const { id } = await merchant.client.paymentLinks.create({ name: 'Spring fundraiser' });
  const changes = {
    amount: undefined,
    quantity: undefined,
    maxQuantity: undefined,
    ...replaceGiven(body, { ...openAmounts, name: 'Autumn fundraiser' }),
    ...(body.expiresAt !== undefined && { expiresAt: '2099-01-01T00:00:00.000Z' }),
    name: 'Autumn fundraiser',
  };
  return { path: { id }, body: changes };
};

const withDelivery: Arrangement = async (scene) => {
  const { id } = await newDelivery(scene);
  return { path: { id } };
};

async function newDelivery({ server, merchant }: Scene) {
  const { id: webhookId } = await merchant.client.webhookEndpoints.register({ url: unreachableUrl });
  const reference = newReference();
  const [id = ''] = await insertDeliveries(server, merchant, { webhookId, reference });
  const { eventId } = await merchant.client.deliveries.get(id);
  return { id, webhookId, eventId, reference };
}

const withApiKey: Arrangement = async ({ server, merchant }) => {
  const [row] = await server.database.query<{ id: string }>(
    `select id from api_key where merchant_id = $1 and mode = 'test'`,
    [merchant.id],
  );
  return { path: { id: row?.id ?? '' } };
};

const withMember: Arrangement = async ({ server, merchant }) => ({
  path: { id: (await signIn(server, merchant, 'support')).session.user.id },
});

const withInvitation: Arrangement = async ({ server, merchant }) => ({
  path: { id: (await invite(server, merchant)).id },
});

const withToken: Arrangement = async ({ server, merchant, body }) => ({
  body: replaceGiven(body, { token: (await invite(server, merchant)).token }),
});

const withFunds: Arrangement = async ({ merchant, body }) => {
  await merchant.client.testHelpers.fundWallet({ amount: maxAmount });
  const { accountNumber, name } = (body?.recipient ?? {}) as Record<string, string>;
  const generated = { ...recipient(accountNumber), name };
  return { body: replaceGiven(body, { currency: 'NGN', recipient: generated }) };
};

async function newPaid({ client }: TestMerchant, amount: number): Promise<string> {
  const reference = newReference();
  await client.checkout.create({ email: 'ada@example.com', amount, reference });
  await client.testHelpers.completePayment(reference);
  return reference;
}

async function newRefund(merchant: TestMerchant) {
  return merchant.client.refunds.create(await newPaid(merchant, 1));
}

async function newTransfer({ client }: TestMerchant): Promise<string> {
  await client.testHelpers.fundWallet({ amount: 1 });
  const { reference } = await client.transfers.create({
    reference: newReference(),
    amount: 1,
    recipient: recipient(),
  });
  return reference;
}

const withLiveTransfer: Arrangement = async ({ server, merchant: { id: merchantId } }) => {
  const { id } = await server.arrange('createLiveTransfer', { merchantId });
  return { path: { id }, mode: 'live' };
};

const withTwoStep: Arrangement = async ({ server, merchant }) => {
  const { secret } = await server.arrange('turnTwoStepOn', { email: await emailOf(server, merchant) });
  return { body: { ...byPassword, code: codeOf(secret) } };
};

async function newPasskey(server: TestServer, merchant: TestMerchant) {
  const email = await emailOf(server, merchant);
  const authenticator = newAuthenticator(server);
  const options = await server.arrange('beginPasskey', { email });
  const { id } = await server.arrange('addPasskey', { email, ...authenticator.register(options) });
  return { authenticator, id };
}

const withPasskey: Arrangement = async ({ server, merchant }) => {
  const { id } = await newPasskey(server, merchant);
  return { path: { id } };
};

export const realInputs: Record<OperationId, Arrangement> = {
  getAccount: asGenerated,
  createCheckout: withItemsThatAddUp,
  listPayments: async ({ merchant, query }) => {
    const reference = newReference();
    await startCheckout(merchant, reference);
    return { query: replaceGiven(query, { reference, customerEmail: 'ada@example.com', currency: 'NGN' }) };
  },
  getPayment: withCheckout,
  updatePayment: withCheckout,
  cancelCheckout: withCheckout,
  createRefund: async ({ merchant, body }) => ({
    path: { reference: await newPaid(merchant, maxAmount) },
    body: replaceGiven(body, { reference: newReference() }),
  }),
  listRefunds: async ({ merchant, query }) => {
    const { reference, paymentReference } = await newRefund(merchant);
    return { query: replaceGiven(query, { reference, paymentReference, customerEmail: 'ada@example.com' }) };
  },
  getRefund: async ({ merchant }) => ({ path: { reference: (await newRefund(merchant)).reference } }),
  listCustomers: async ({ merchant, query }) => {
    await startCheckout(merchant, newReference());
    return { query: replaceGiven(query, { email: 'ada@example.com' }) };
  },
  getCustomer: async ({ merchant }) => {
    await startCheckout(merchant, newReference());
    const { customers } = await merchant.client.customers.list({ limit: 1 });
    return { path: { id: customers[0]?.id ?? '' } };
  },
  listWebhookEndpoints: asGenerated,
  registerWebhookEndpoint: ({ body }) => ({ body: replaceGiven(body, { url: `${unreachableUrl}/${randomUUID()}` }) }),
  getWebhookEndpoint: withEndpoint,
  updateWebhookEndpoint: withEndpoint,
  removeWebhookEndpoint: withEndpoint,
  sendTestEvent: withEndpoint,
  rotateWebhookSecret: withEndpoint,
  completeWebhookSecretRotation: async (scene) => {
    const real = await withEndpoint(scene);
    await scene.merchant.client.webhookEndpoints.rotateSecret(real.path?.id ?? '');
    return real;
  },
  replayDeliveries: withEndpoint,
  listDeliveries: async (scene) => {
    const { webhookId, eventId, reference } = await newDelivery(scene);
    return { query: replaceGiven(scene.query, { webhookId, eventId, reference }) };
  },
  getDelivery: withDelivery,
  resendDelivery: withDelivery,
  listEvents: async (scene) => {
    const { reference } = await newDelivery(scene);
    return { query: replaceGiven(scene.query, { reference }) };
  },
  getEvent: async (scene) => {
    await withDelivery(scene);
    const [event] = (await scene.merchant.client.events.list()).events;
    return { path: { id: event?.id ?? '' } };
  },
  createTransfer: withFunds,
  listTransfers: async ({ merchant, query }) => ({
    query: replaceGiven(query, { reference: await newTransfer(merchant) }),
  }),
  getTransfer: async ({ merchant }) => ({ path: { reference: await newTransfer(merchant) } }),
  listWallets: asGenerated,
  topUpTransferWallet: async (scene) => {
    await creditCollection(scene.server, scene.merchant, maxAmount);
    return withCurrency(scene);
  },
  listWalletEntries: withCurrency,
  listStorefrontProducts: asGenerated,
  createPaymentLink: withOnePrice,
  listPaymentLinks: asGenerated,
  getPaymentLink: withLink,
  updatePaymentLink: withLink,
  createProduct: withCurrency,
  getProduct: withProduct,
  updateProduct: withProduct,
  archiveProduct: withProduct,
  testCompletePayment: withCheckout,
  testFailPayment: withCheckout,
  testReceiveBankTransfer: withCheckout,
  testFundWallet: withCurrency,
  testAdvanceTime: asGenerated,
  getSession: asGenerated,
  signIn: async ({ server, merchant }) => ({ body: { email: await addUser(server, merchant), password } }),
  signOut: asGenerated,
  listSessions: asGenerated,
  endOtherSessions: asGenerated,
  endSession: async ({ server, merchant }) => {
    const [row] = await server.database.query<{ id: string }>(
      `select dashboard_session.id from dashboard_session join dashboard_user on dashboard_user.id = user_id
       where merchant_id = $1`,
      [merchant.id],
    );
    return { path: { id: row?.id ?? '' } };
  },
  changePassword: () => ({ body: byPassword }),
  requestPasswordReset: asGenerated,
  resetPassword: async ({ server, merchant }) => ({
    body: { token: await addResetLink(server, await addUser(server, merchant)) },
  }),
  beginTwoStep: () => ({ body: byPassword }),
  confirmTwoStep: async ({ server, merchant }) => {
    const { secret } = await server.arrange('beginTwoStep', { email: await emailOf(server, merchant) });
    return { body: { code: codeOf(secret) } };
  },
  renewRecoveryCodes: withTwoStep,
  removeTwoStep: withTwoStep,
  revealWebhookSecret: async (scene) => ({ ...(await withEndpoint(scene)), body: byPassword }),
  beginPasskey: () => ({ body: byPassword }),
  addPasskey: async ({ server, merchant }) => {
    const options = await server.arrange('beginPasskey', { email: await emailOf(server, merchant) });
    return { body: newAuthenticator(server).register(options) };
  },
  listPasskeys: asGenerated,
  renamePasskey: withPasskey,
  removePasskey: withPasskey,
  beginPasskeyProof: asGenerated,
  beginPasskeySignIn: asGenerated,
  signInWithPasskey: async ({ server, merchant }) => {
    await addUser(server, merchant);
    const { authenticator } = await newPasskey(server, merchant);
    return { body: { ...authenticator.sign(await beginSignIn(server)), userHandle: undefined } };
  },
  listApiKeys: asGenerated,
  listTeam: asGenerated,
  inviteMember: ({ body }) => ({ body: replaceGiven(body, { email: newEmail() }) }),
  updateMember: withMember,
  removeMember: withMember,
  resendInvitation: withInvitation,
  revokeInvitation: withInvitation,
  readInvitation: withToken,
  acceptInvitation: async (scene) => ({
    body: { ...(await withToken(scene)).body, password: chosenPassword, passkey: undefined },
  }),
  beginInvitationPasskey: withToken,
  createApiKey: asGenerated,
  rollApiKey: withApiKey,
  revokeApiKey: withApiKey,
  // Two generated times would usually be in the wrong order, or further apart than one response may cover.
  getStatistics: ({ query }) => ({ query: replaceGiven(query, { from: daysAgo(8), to: daysAgo(1) }) }),
  getOverview: asGenerated,
  getLiveSetup: asGenerated,
  listEndpointHealth: asGenerated,
  searchRecords: asGenerated,
  listPaymentAttempts: withCheckout,
  getPreferences: asGenerated,
  updatePreferences: ({ body }) => ({ body: replaceGiven(body, { timeZone: 'Africa/Lagos' }) }),
  getSettings: asGenerated,
  previewReceipt: asGenerated,
  updateSettings: ({ body }) => ({
    body: replaceGiven(body, {
      timeZone: 'Africa/Lagos',
      termsUrl: 'https://shop.example.com/terms',
      supportUrl: 'https://shop.example.com/help',
    }),
  }),
  uploadLogo: async () => ({ body: { image: (await makeImage('png', 10, 10)).toString('base64') } }),
  removeLogo: asGenerated,
  listAuditEntries: asGenerated,
  listProducts: asGenerated,
  listMerchants: asGenerated,
  listOpenTransfers: asGenerated,
  getOpenTransfer: withLiveTransfer,
  revealAccountNumber: async (scene) => ({ ...(await withLiveTransfer(scene)), body: byPassword }),
  settleTransfer: withLiveTransfer,
  failTransfer: withLiveTransfer,
  reverseTransfer: async ({ server, merchant: { id: merchantId } }) => {
    const { id } = await server.arrange('createLiveTransfer', { merchantId, status: 'completed' });
    return { path: { id }, mode: 'live' };
  },
  listReviews: asGenerated,
  resolveReview: async ({ server, merchant: { id: merchantId }, body }) => {
    const { id } = await server.arrange('createPaymentUnderReview', { merchantId });
    return { path: { id }, body: replaceGiven(body, { reason: 'amount_mismatch' }) };
  },
};

function daysAgo(days: number): string {
  return new Date(Date.now() - days * 86_400_000).toISOString();
}
