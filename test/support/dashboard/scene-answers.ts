/** Changes to the mock's responses. Each key is the end of a URL path. */

export const operator = { 'dashboard/session': { user: { role: 'operator' } } };
export const twoStep = { 'dashboard/session': { user: { twoStep: { isOn: true, isRequired: false } } } };
export const staged = { 'merchant-webhooks/*': { nextSecretAt: '2026-11-22T09:15:00.000Z' } };
export const replaced = { 'merchant-webhooks/*': { oldSecretEndsAt: '2026-11-22T09:15:00.000Z' } };
export const liveKinds = ['payment_processor', 'payout_processor', 'business_details', 'api_key', 'webhook_endpoint'];
export const liveNeeds = (unmet: readonly string[]) => ({
  needs: liveKinds.map((kind) => ({ kind, isMet: !unmet.includes(kind) })),
});
export const pending = {
  refunds: { refunds: [], total: 0 },
  'payments/order-1042': {
    status: 'pending',
    completedAt: null,
    paymentMethod: null,
    failureCode: null,
    failureMessage: null,
    checkoutUrl: 'https://pay.example.com/checkout/5f0c9d9e-3b1f-4a86-9e0d-6c2a7b1d4e83',
    cancelUrl: 'https://shop.example.com/cart',
  },
  'dashboard/payments/order-1042/attempts': { attempts: [] },
  events: { events: [], total: 0 },
  'webhook-deliveries': { deliveries: [], total: 0 },
};
export const reviewed = {
  ...pending,
  'dashboard/payments/order-1042/attempts': {
    attempts: [
      {
        number: 1,
        startedAt: '2026-11-21T10:15:10.000Z',
        settledAt: '2026-11-21T10:16:30.000Z',
        method: 'bank_transfer',
        card: null,
        outcome: 'paid',
        amountReceived: 1900,
        currencyReceived: 'USD',
        failureCode: null,
        failureMessage: null,
        threeDSecure: null,
      },
    ],
  },
  'payments/order-1042': {
    status: 'processing',
    paymentMethod: { type: 'bank_transfer', brand: 'unknown', last4: '0042' },
    attempts: 0,
    reviewReason: 'amount_mismatch',
    completedAt: null,
    failureCode: null,
    failureMessage: null,
  },
};
const refund = {
  id: '019aa3cd-1b2c-7c52-8f3a-1b2c3d4e5f60',
  reference: 'refund-1042',
  paymentReference: 'ref_k3v9m2q7x4t8w5n6b1zd',
  amount: 200_000,
  currency: 'NGN',
  status: 'completed',
  reason: 'One ticket was returned',
  failureCode: null,
  failureReason: null,
  origin: 'dashboard',
  metadata: {},
  mode: 'test',
  createdAt: '2026-11-21T11:00:00.000Z',
  updatedAt: '2026-11-21T11:00:05.000Z',
  completedAt: '2026-11-21T11:00:05.000Z',
};
const failedRefund = {
  ...refund,
  id: '019aa3cd-1b2c-7c52-8f3a-1b2c3d4e5f61',
  reference: 'ref_b2n7x4t8w5k3v9m2q6zd',
  status: 'failed',
  reason: null,
  failureCode: 'refund_failed',
  failureReason: 'The bank of the customer refused the refund',
  origin: 'processor',
  completedAt: null,
};
export const refundedInPart = {
  'payments/ref_k3v9m2q7x4t8w5n6b1zd': { amountRefunded: 200_000 },
  refunds: { refunds: [failedRefund, refund], total: 2 },
};
/** In the mock's example this payment is fully refunded. These fields undo the refund. */
export const notRefunded = {
  'payments/ref_k3v9m2q7x4t8w5n6b1zd': { amountRefunded: 0 },
  refunds: { refunds: [], total: 0 },
};
export const disputed = {
  ...notRefunded,
  'payments/ref_k3v9m2q7x4t8w5n6b1zd': { amountRefunded: 0, reviewReason: 'disputed' },
};
export const moved = { 'webhook-deliveries/*': { url: 'https://shop.example.com/new-webhooks' } };

const failedAt = (attempt: number, startedAt: string) => ({
  attempt,
  url: 'https://shop.example.com/webhooks',
  startedAt,
  durationMs: 15_000,
  statusCode: null,
  error: 'timeout',
  errorDetail: null,
  requestHeaders: { 'Content-Type': 'application/json', 'X-Service-Attempt': String(attempt) },
  responseHeaders: null,
  responseBody: null,
  responseTruncated: false,
});
export const failedDelivery = {
  'webhook-deliveries/*': {
    status: 'failed',
    statusReason: 'attempts_exhausted',
    attemptCount: 4,
    completedAt: '2026-11-21T10:21:30.000Z',
    attempts: [
      failedAt(1, '2026-11-21T10:15:30.000Z'),
      failedAt(2, '2026-11-21T10:16:30.000Z'),
      failedAt(3, '2026-11-21T10:18:30.000Z'),
      failedAt(4, '2026-11-21T10:21:15.000Z'),
    ],
  },
};

export const noted = { note: 'The customer called: the card was replaced.\nWants to pay by Friday.' };

const arabic = 'تذكرتان لعرض المساء في المسرح الكبير، مقاعد متجاورة';
const webhook = (number: number, status: string, url: string) => ({
  id: `019aa3c7-0a1e-7c52-8f3a-1b2c3d4e5f7${number}`,
  eventId: '019aa3c7-0a1d-7c52-8f3a-1b2c3d4e5f60',
  webhookId: `019aa3c4-9d1e-7c52-8f3a-1b2c3d4e5f6${number}`,
  event: 'checkout.success',
  reference: 'ref_k3v9m2q7x4t8w5n6b1zd',
  url,
  mode: 'test',
  status,
  statusReason: status === 'failed' ? 'attempts_exhausted' : null,
  attemptCount: status === 'failed' ? 4 : 1,
  nextAttemptAt: null,
  resentFrom: null,
  createdAt: '2026-11-21T10:15:30.000Z',
  completedAt: '2026-11-21T10:15:31.000Z',
});
export const manyWebhooks = {
  'payments/ref_k3v9m2q7x4t8w5n6b1zd': {
    customerEmail: 'a.very.long.mailbox.name.of.a.customer@subdomain.of.a.large.company.example.com',
    description: arabic,
    note: arabic,
    metadata: { shelf: 'B7', 'a-name-of-forty-characters-of-the-shop-1': 'a-value-that-does-not-wrap-'.repeat(6) },
    lineItems: [
      { name: arabic, quantity: 2, unitAmount: 200_000 },
      { name: 'Booking fee', quantity: 1, unitAmount: 100_000 },
    ],
    callbackUrl: 'https://shop.example.com/thanks?cart=7&visit=5f0c9d9e3b1f4a869e0d6c2a7b1d4e83',
  },
  'webhook-deliveries': {
    deliveries: [
      webhook(1, 'delivered', 'https://shop.example.com/webhooks'),
      webhook(2, 'failed', 'https://warehouse.example.com/webhooks'),
      webhook(3, 'delivered', 'https://books.example.com/webhooks'),
    ],
    total: 3,
  },
};

export const signedDelivery = {
  'webhook-deliveries/*': {
    attempts: [
      {
        ...failedAt(1, '2026-11-21T10:15:30.000Z'),
        durationMs: 41,
        statusCode: 400,
        error: null,
        requestHeaders: {
          'Content-Type': 'application/json',
          'X-Service-Attempt': '1',
          'X-Service-Signature': '3f1c8b52a97d0e64f1b3a5c7e9d2f4068b1a3c5d7e9f0a2b4c6d8e0f1a3b5c7d',
          'webhook-id': '019aa3c7-0a1d-7c52-8f3a-1b2c3d4e5f60',
          'webhook-timestamp': '1795256130',
          'webhook-signature': 'v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=',
        },
        responseHeaders: { 'content-type': 'application/json' },
        responseBody: '{"error":"The signature does not match","received":true,"count":3,"at":null}',
      },
    ],
  },
};
