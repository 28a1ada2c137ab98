// Made by `npm run generate` from openapi/openapi.yaml. Do not edit.
import type { Call } from '../call.ts';
import type { BindOperation } from '../methods.ts';
import type { OptionsOf, Query } from '../operations.ts';
import type { PageCall } from '../page-call.ts';
import type { ApiKeyRequest, CheckoutRequest, FundingRequest, PasswordChange, ProductRequest, ProductUpdate, ReplayRequest, RevealRequest, ReviewDecision, RollRequest, SecretRotationCompletion, SecretRotationRequest, SettingsUpdate, SignInRequest, TopUpRequest, TransferFailureRequest, TransferRequest, TwoStepBegin, TwoStepConfirmation, TwoStepProof, WalletKind, WebhookEndpointRequest, WebhookEndpointUpdate } from './schemas.ts';

export interface Account {
  /**
   * Get the account behind the key.
   *
   * Whose key this is, which mode it works in and what it may do: the first call of an integration, because it needs
   * nothing but a key that is valid. It needs no scope.
   *
   * @example
   * await tillhook.account.get();
   */
  get(options?: OptionsOf<'getAccount'>): Call<'getAccount'>;
}

export const account = (op: BindOperation): Account => ({
  get: op('getAccount'),
});

export interface Checkout {
  /**
   * Generate a payment checkout link.
   *
   * Initializes a checkout session and returns the hosted checkout address to send the customer to. The reference
   * identifies the payment in every later call and webhook.
   *
   * @throws {ConflictError} 409: The reference is taken in this mode, or the first call with this key has not ended.
   * @throws {IdempotencyError} 422: The `Idempotency-Key` was used for a request that was not this one, byte for byte.
   * @example
   * await tillhook.checkout.create({ email: 'ada@example.com', amount: 500000 });
   */
  create(body: CheckoutRequest, options?: OptionsOf<'createCheckout'>): Call<'createCheckout'>;
}

export const checkout = (op: BindOperation): Checkout => ({
  create: op('createCheckout'),
});

export interface Payments {
  /**
   * List payments.
   *
   * Payments of the authenticated merchant and mode, newest first.
   *
   * @example
   * for await (const payment of tillhook.payments.list()) console.log(payment);
   */
  list(query?: Query<'listPayments'>, options?: OptionsOf<'listPayments'>): PageCall<'listPayments'>;
  /**
   * Get a payment.
   *
   * The payment with this reference. Ask here after the customer came back to `callbackUrl`: the status in that
   * address is a hint that anyone can write, this answer is the truth.
   *
   * @param reference The payment's reference.
   * @throws {NotFoundError} 404: This merchant has no such resource in this mode.
   * @example
   * await tillhook.payments.get('ref_k3v9m2q7x4t8w5n6b1zd');
   */
  get(reference: string, options?: OptionsOf<'getPayment'>): Call<'getPayment'>;
  /**
   * Cancel a checkout.
   *
   * Withdraws the hosted page, so that nobody can pay there any more. The answer's `status` says what became of the
   * payment: `expired` when nobody had tried to pay, and no event is sent; `failed` when a card had been declined, and
   * `checkout.failed` is sent.
   *
   * A customer who is asked for more (on the page of the payment processor, or for a 3-D Secure step) cannot go on there
   * any more. When the processor gives no answer about that, nothing is withdrawn: 503 `processor_error`.
   *
   * While a card is being decided the payment is not withdrawn, because money may already be moving, and 409 is
   * answered; ask again once it is.
   *
   * @param reference The payment's reference.
   * @throws {NotFoundError} 404: This merchant has no such resource in this mode.
   * @throws {ConflictError} 409: The payment is completed, failed or expired (a cancellation is refused while it is `processing`, too), or the first call with this `Idempotency-Key` has not ended yet.
   * @throws {IdempotencyError} 422: The `Idempotency-Key` was used for a request that was not this one, byte for byte.
   * @example
   * await tillhook.payments.cancel('ref_k3v9m2q7x4t8w5n6b1zd');
   */
  cancel(reference: string, options?: OptionsOf<'cancelCheckout'>): Call<'cancelCheckout'>;
  /**
   * List the attempts to pay.
   *
   * Each try of the customer to pay this payment, first to last: with which card, what became of it and why. A customer who
   * leaves the page of a payment processor without having paid has tried as well.
   *
   * @param reference The payment's reference.
   * @throws {NotFoundError} 404: This merchant has no such resource in this mode.
   * @example
   * await tillhook.payments.listAttempts('ref_k3v9m2q7x4t8w5n6b1zd');
   */
  listAttempts(reference: string, options?: OptionsOf<'listPaymentAttempts'>): Call<'listPaymentAttempts'>;
}

export const payments = (op: BindOperation): Payments => ({
  list: op('listPayments'),
  get: op('getPayment'),
  cancel: op('cancelCheckout'),
  listAttempts: op('listPaymentAttempts'),
});

export interface WebhookEndpoints {
  /**
   * List webhook endpoints.
   *
   * Every webhook endpoint registered for the authenticated merchant and mode, newest first, with masked secrets. The
   * list is always complete: `limit` and `offset` are accepted and change nothing.
   *
   * @example
   * for await (const webhook of tillhook.webhookEndpoints.list()) console.log(webhook);
   */
  list(query?: Query<'listWebhookEndpoints'>, options?: OptionsOf<'listWebhookEndpoints'>): PageCall<'listWebhookEndpoints'>;
  /**
   * Register a webhook endpoint.
   *
   * From now on, every subscribed event is sent to this address, signed with the `secret` of this response. Keep the
   * secret: no later response shows it in full. A merchant has at most 16 endpoints in each mode.
   *
   * @throws {ConflictError} 409: The merchant has 16 endpoints in this mode, or the first call with this key has not ended.
   * @throws {IdempotencyError} 422: The `Idempotency-Key` was used for a request that was not this one, byte for byte.
   * @example
   * await tillhook.webhookEndpoints.register({ url: 'https://shop.example.com/webhooks' });
   */
  register(body: WebhookEndpointRequest, options?: OptionsOf<'registerWebhookEndpoint'>): Call<'registerWebhookEndpoint'>;
  /**
   * Get a webhook endpoint.
   *
   * The endpoint with this id, with a masked secret.
   *
   * @param id The webhook endpoint's id.
   * @throws {NotFoundError} 404: This merchant has no such resource in this mode.
   * @example
   * await tillhook.webhookEndpoints.get('019aa3c4-9d1e-7c52-8f3a-1b2c3d4e5f60');
   */
  get(id: string, options?: OptionsOf<'getWebhookEndpoint'>): Call<'getWebhookEndpoint'>;
  /**
   * Update a webhook endpoint.
   *
   * Changes what the body names and leaves the rest. While `isActive` is false nothing is sent: events are still kept,
   * as deliveries with the status `skipped` that `replayDeliveries` brings back. Setting it to true also forgets earlier
   * failures and why the service had disabled the endpoint. Deliveries that still wait go to the new `url`.
   *
   * @param id The webhook endpoint's id.
   * @throws {NotFoundError} 404: This merchant has no such resource in this mode.
   * @example
   * await tillhook.webhookEndpoints.update('019aa3c4-9d1e-7c52-8f3a-1b2c3d4e5f60', { url: 'https://shop.example.com/webhooks' });
   */
  update(id: string, body: WebhookEndpointUpdate, options?: OptionsOf<'updateWebhookEndpoint'>): Call<'updateWebhookEndpoint'>;
  /**
   * Remove a webhook endpoint.
   *
   * Nothing is sent to the endpoint any more, deliveries that still wait included. Its delivery log stays. Removing it
   * again answers 404.
   *
   * @param id The webhook endpoint's id.
   * @throws {NotFoundError} 404: This merchant has no such resource in this mode.
   * @example
   * await tillhook.webhookEndpoints.remove('019aa3c4-9d1e-7c52-8f3a-1b2c3d4e5f60');
   */
  remove(id: string, options?: OptionsOf<'removeWebhookEndpoint'>): Call<'removeWebhookEndpoint'>;
  /**
   * Send a test event.
   *
   * Immediately delivers a `test.event` to the endpoint, through the same signing and delivery path as real events, and
   * answers with what the receiver said. `success` says that the test was carried out; `data.delivered` says whether
   * the receiver answered 2xx. One attempt, never retried, also allowed while the endpoint is inactive; at most 10 in a
   * minute for each endpoint. After a 5xx or a lost answer the event may have been sent: `listDeliveries` shows it.
   *
   * @param id The webhook endpoint's id.
   * @throws {NotFoundError} 404: This merchant has no such resource in this mode.
   * @example
   * await tillhook.webhookEndpoints.sendTest('019aa3c4-9d1e-7c52-8f3a-1b2c3d4e5f60');
   */
  sendTest(id: string, options?: OptionsOf<'sendTestEvent'>): Call<'sendTestEvent'>;
  /**
   * Rotate a webhook endpoint's secret.
   *
   * Stages a next secret. From now on `webhook-signature` holds a signature with each of the two, while
   * `X-Service-Signature` stays with the present one until `completeWebhookSecretRotation` or, after `switchAfterSeconds`,
   * the clock makes the next secret the endpoint's. The old one signs `webhook-signature` for 24 hours more, until
   * `oldSecretEndsAt`.
   *
   * No answer after the registration shows a secret, so send one of your own (`generateSecret()` of the SDK makes
   * one) or read the generated one in the dashboard. A second rotation before the first is complete replaces the
   * staged secret, so that a secret staged by mistake never has to become the endpoint's. The present secret
   * cannot be staged (400).
   *
   * @param id The webhook endpoint's id.
   * @throws {NotFoundError} 404: This merchant has no such resource in this mode.
   * @throws {ConflictError} 409: The first call with this `Idempotency-Key` has not ended yet.
   * @throws {IdempotencyError} 422: The `Idempotency-Key` was used for a request that was not this one, byte for byte.
   * @example
   * await tillhook.webhookEndpoints.rotateSecret('019aa3c4-9d1e-7c52-8f3a-1b2c3d4e5f60', { secret: 'whsec_x2bT0mJ5c8Zq1vN4rYk7LdHs9GfWpQ3u' });
   */
  rotateSecret(id: string, body?: SecretRotationRequest, options?: OptionsOf<'rotateWebhookSecret'>): Call<'rotateWebhookSecret'>;
  /**
   * Complete the rotation of a secret.
   *
   * Makes the staged secret the endpoint's at once. The old one signs `webhook-signature` for 24 hours more, or not at all
   * with `revokeOld`, which is for a secret that leaked. With nothing staged it answers the endpoint as it is, and
   * `revokeOld` still ends the old secret, because the clock may have completed the rotation a moment before.
   *
   * @param id The webhook endpoint's id.
   * @throws {NotFoundError} 404: This merchant has no such resource in this mode.
   * @throws {ConflictError} 409: The first call with this `Idempotency-Key` has not ended yet.
   * @throws {IdempotencyError} 422: The `Idempotency-Key` was used for a request that was not this one, byte for byte.
   * @example
   * await tillhook.webhookEndpoints.completeSecretRotation('019aa3c4-9d1e-7c52-8f3a-1b2c3d4e5f60', { revokeOld: false });
   */
  completeSecretRotation(id: string, body?: SecretRotationCompletion, options?: OptionsOf<'completeWebhookSecretRotation'>): Call<'completeWebhookSecretRotation'>;
  /**
   * Replay an endpoint's missed deliveries.
   *
   * Sends again what the endpoint missed in a time, oldest first, each as a new delivery of the same event. At most 10,000
   * in one call: while `data.hasMore` is true, call again with the same body. A delivery that was resent or replayed before
   * is not taken again, test events never are. While the endpoint is inactive nothing is taken, so enable it first.
   *
   * @param id The webhook endpoint's id.
   * @throws {NotFoundError} 404: This merchant has no such resource in this mode.
   * @throws {ConflictError} 409: The first call with this `Idempotency-Key` has not ended yet.
   * @throws {IdempotencyError} 422: The `Idempotency-Key` was used for a request that was not this one, byte for byte.
   * @example
   * await tillhook.webhookEndpoints.replay('019aa3c4-9d1e-7c52-8f3a-1b2c3d4e5f60', { since: '2026-11-21T08:00:00.000Z' });
   */
  replay(id: string, body: ReplayRequest, options?: OptionsOf<'replayDeliveries'>): Call<'replayDeliveries'>;
  /**
   * Show an endpoint's signing secret.
   *
   * Takes the password once more, and a code where two-step sign-in is on, because a computer left alone is signed in too, and
   * writes an audit entry. The only way to read a secret after the registration.
   *
   * @param id The webhook endpoint's id.
   * @throws {NotFoundError} 404: This merchant has no such resource in this mode.
   * @example
   * await tillhook.webhookEndpoints.revealSecret('019aa3c4-9d1e-7c52-8f3a-1b2c3d4e5f60', { password: 'gm2wk-9p4hd-t7x3n' });
   */
  revealSecret(id: string, body: RevealRequest, options?: OptionsOf<'revealWebhookSecret'>): Call<'revealWebhookSecret'>;
  /**
   * List how well the webhook endpoints do.
   *
   * Deliveries and the time that receivers took, for each webhook endpoint that is there and each of the last hours; in this
   * mode. An hour is one of UTC, and the last of them is the present one, until now. A delivery and all attempts for it
   * belong to the hour in which the delivery was created.
   *
   * @example
   * await tillhook.webhookEndpoints.listHealth();
   */
  listHealth(query?: Query<'listEndpointHealth'>, options?: OptionsOf<'listEndpointHealth'>): Call<'listEndpointHealth'>;
}

export const webhookEndpoints = (op: BindOperation): WebhookEndpoints => ({
  list: op('listWebhookEndpoints'),
  register: op('registerWebhookEndpoint'),
  get: op('getWebhookEndpoint'),
  update: op('updateWebhookEndpoint'),
  remove: op('removeWebhookEndpoint'),
  sendTest: op('sendTestEvent'),
  rotateSecret: op('rotateWebhookSecret'),
  completeSecretRotation: op('completeWebhookSecretRotation'),
  replay: op('replayDeliveries'),
  revealSecret: op('revealWebhookSecret'),
  listHealth: op('listEndpointHealth'),
});

export interface Deliveries {
  /**
   * List webhook deliveries.
   *
   * What was sent, or is still to be sent, to the endpoints of the authenticated merchant and mode, newest first.
   * Deliveries are kept for 30 days, those of removed endpoints too.
   *
   * @example
   * for await (const delivery of tillhook.deliveries.list()) console.log(delivery);
   */
  list(query?: Query<'listDeliveries'>, options?: OptionsOf<'listDeliveries'>): PageCall<'listDeliveries'>;
  /**
   * Get a webhook delivery.
   *
   * The delivery with what was sent and every attempt to send it, first to last.
   *
   * @param id The delivery's id, the header `X-Service-Delivery-Id` of the webhook.
   * @throws {NotFoundError} 404: This merchant has no such resource in this mode.
   * @example
   * await tillhook.deliveries.get('019aa3c7-0a1e-7c52-8f3a-1b2c3d4e5f60');
   */
  get(id: string, options?: OptionsOf<'getDelivery'>): Call<'getDelivery'>;
  /**
   * Resend a webhook delivery.
   *
   * Makes a new delivery of the same event to the same endpoint, with the endpoint's present address and secret, attempts
   * from 1 and retries like any other. Its `webhook-id` is that of the first, so a receiver that deduplicates is safe.
   * Any delivery may be resent, whatever its status; to an inactive endpoint the new one is `skipped` at once, and
   * for a removed endpoint the answer is 404, because nothing will ever be sent there. A test event is not resent (400);
   * send another.
   *
   * @param id The delivery's id, the header `X-Service-Delivery-Id` of the webhook.
   * @throws {NotFoundError} 404: This merchant has no such resource in this mode.
   * @throws {ConflictError} 409: The first call with this `Idempotency-Key` has not ended yet.
   * @throws {IdempotencyError} 422: The `Idempotency-Key` was used for a request that was not this one, byte for byte.
   * @example
   * await tillhook.deliveries.resend('019aa3c7-0a1e-7c52-8f3a-1b2c3d4e5f60');
   */
  resend(id: string, options?: OptionsOf<'resendDelivery'>): Call<'resendDelivery'>;
}

export const deliveries = (op: BindOperation): Deliveries => ({
  list: op('listDeliveries'),
  get: op('getDelivery'),
  resend: op('resendDelivery'),
});

export interface Events {
  /**
   * List events.
   *
   * Everything that happened to the authenticated merchant in this mode, newest first, whether an endpoint heard of it or
   * not. Events are kept for 30 days: a receiver that was down reconciles here, best with `order=asc` and `from`.
   *
   * @example
   * for await (const event of tillhook.events.list()) console.log(event);
   */
  list(query?: Query<'listEvents'>, options?: OptionsOf<'listEvents'>): PageCall<'listEvents'>;
  /**
   * Get an event.
   *
   * The event with this id, which is the header `webhook-id` of its deliveries.
   *
   * @param id The event's id, the header `webhook-id` of the webhook.
   * @throws {NotFoundError} 404: This merchant has no such resource in this mode.
   * @example
   * await tillhook.events.get('019aa3c7-0a1d-7c52-8f3a-1b2c3d4e5f60');
   */
  get(id: string, options?: OptionsOf<'getEvent'>): Call<'getEvent'>;
}

export const events = (op: BindOperation): Events => ({
  list: op('listEvents'),
  get: op('getEvent'),
});

export interface Transfers {
  /**
   * List transfers.
   *
   * Outbound transfers of the authenticated merchant and mode, newest first.
   *
   * @example
   * for await (const transfer of tillhook.transfers.list()) console.log(transfer);
   */
  list(query?: Query<'listTransfers'>, options?: OptionsOf<'listTransfers'>): PageCall<'listTransfers'>;
  /**
   * Create a transfer.
   *
   * Sends money from the merchant's Transfer wallet to a recipient. The amount and the fee are set aside at once; when the
   * transfer fails both come back, and when it is reversed the amount does. `transfer.success` or `transfer.failed` tells
   * the end.
   *
   * In test mode nothing is sent, and the recipient's `accountNumber` decides: `0000000000` completes, `0000000001` fails,
   * `0000000002` stays `processing` for 30 seconds and then completes, `0000000003` completes and is then reversed; any
   * other completes. The bank of test mode knows every `bankCode` but `000`, which is refused with
   * `invalid_recipient`, so that each answer of this operation can be tried.
   *
   * @throws {ConflictError} 409: The reference is taken in this mode, or the first call with this key has not ended.
   * @throws {TransferError | IdempotencyError} 422: The transfer cannot be made; nothing was changed. Or the `Idempotency-Key` was used for another request.
   * @example
   * await tillhook.transfers.create({ reference: 'payout-77', amount: 250000, recipient: { name: 'Grace Hopper', accountNumber: '0123456789', bankCode: '058' } });
   */
  create(body: TransferRequest, options?: OptionsOf<'createTransfer'>): Call<'createTransfer'>;
  /**
   * Get a transfer.
   *
   * The transfer with this reference.
   *
   * @param reference The transfer's reference.
   * @throws {NotFoundError} 404: This merchant has no such resource in this mode.
   * @example
   * await tillhook.transfers.get('payout-77');
   */
  get(reference: string, options?: OptionsOf<'getTransfer'>): Call<'getTransfer'>;
}

export const transfers = (op: BindOperation): Transfers => ({
  list: op('listTransfers'),
  create: op('createTransfer'),
  get: op('getTransfer'),
});

export interface Wallets {
  /**
   * List wallets.
   *
   * The merchant's wallets in this mode, a Collection wallet and a Transfer wallet for each currency, ordered by currency
   * and then kind. The list is always complete: `limit` and `offset` are accepted and change nothing.
   *
   * @example
   * for await (const wallet of tillhook.wallets.list()) console.log(wallet);
   */
  list(query?: Query<'listWallets'>, options?: OptionsOf<'listWallets'>): PageCall<'listWallets'>;
  /**
   * Top up the Transfer wallet.
   *
   * Moves money that customers paid from the Collection wallet to the Transfer wallet of the same currency, at once.
   * A reference is unique among the top-ups of a merchant and mode, as it is among payments and transfers.
   *
   * @throws {ConflictError} 409: The reference is taken in this mode, or the first call with this key has not ended.
   * @throws {TransferError | IdempotencyError} 422: The Collection wallet holds too little, or the `Idempotency-Key` was used for another request.
   * @example
   * await tillhook.wallets.topUp({ amount: 500000 });
   */
  topUp(body: TopUpRequest, options?: OptionsOf<'topUpTransferWallet'>): Call<'topUpTransferWallet'>;
  /**
   * List a wallet's entries.
   *
   * The statement of a wallet: each movement with the balance after it, newest first. A merchant with wallets in several
   * currencies must say which one, or the answer is 400 with `missing_parameter`.
   *
   * @param kind Which wallet.
   * @example
   * for await (const entry of tillhook.wallets.listEntries('transfer')) console.log(entry);
   */
  listEntries(kind: WalletKind, query?: Query<'listWalletEntries'>, options?: OptionsOf<'listWalletEntries'>): PageCall<'listWalletEntries'>;
}

export const wallets = (op: BindOperation): Wallets => ({
  list: op('listWallets'),
  topUp: op('topUpTransferWallet'),
  listEntries: op('listWalletEntries'),
});

export interface Products {
  /**
   * Create a product.
   *
   * Adds an active product to the storefront. A merchant has at most 1,000 active products in each mode.
   *
   * @throws {ConflictError} 409: The merchant has 1,000 active products in this mode, or the first call with this key has not ended.
   * @throws {IdempotencyError} 422: The `Idempotency-Key` was used for a request that was not this one, byte for byte.
   * @example
   * await tillhook.products.create({ name: 'Enamel mug', price: 450000 });
   */
  create(body: ProductRequest, options?: OptionsOf<'createProduct'>): Call<'createProduct'>;
  /**
   * Update a product.
   *
   * Changes what the body names and leaves the rest; `metadata` is replaced as a whole. `isActive: true` brings an
   * archived product back, so that archiving by mistake can be undone; it counts towards the 1,000 again.
   *
   * @param id The product's id.
   * @throws {NotFoundError} 404: This merchant has no such resource in this mode.
   * @throws {ConflictError} 409: An archived product cannot come back, because 1,000 products are active in this mode.
   * @example
   * await tillhook.products.update('019aa3c7-2c3d-7c52-8f3a-1b2c3d4e5f60', { price: 500000 });
   */
  update(id: string, body: ProductUpdate, options?: OptionsOf<'updateProduct'>): Call<'updateProduct'>;
  /**
   * Archive a product.
   *
   * Takes the product off the storefront; nothing is deleted. Archiving it again answers the same product, so that
   * a call whose answer was lost can be repeated.
   *
   * @param id The product's id.
   * @throws {NotFoundError} 404: This merchant has no such resource in this mode.
   * @example
   * await tillhook.products.archive('019aa3c7-2c3d-7c52-8f3a-1b2c3d4e5f60');
   */
  archive(id: string, options?: OptionsOf<'archiveProduct'>): Call<'archiveProduct'>;
  /**
   * List products.
   *
   * Every product of the merchant in this mode, the archived ones too, newest first. `listStorefrontProducts` has those that
   * the storefront shows.
   *
   * @example
   * for await (const product of tillhook.products.list()) console.log(product);
   */
  list(query?: Query<'listProducts'>, options?: OptionsOf<'listProducts'>): PageCall<'listProducts'>;
}

export const products = (op: BindOperation): Products => ({
  create: op('createProduct'),
  update: op('updateProduct'),
  archive: op('archiveProduct'),
  list: op('listProducts'),
});

export interface Storefront {
  /**
   * List storefront products.
   *
   * Every active product of the authenticated merchant and mode, newest first. The list is always complete: `limit` and
   * `offset` are accepted and change nothing. Send the `ETag` of the last answer as `If-None-Match` to hear only whether
   * anything has changed.
   *
   * @example
   * for await (const product of tillhook.storefront.listProducts()) console.log(product);
   */
  listProducts(query?: Query<'listStorefrontProducts'>, options?: OptionsOf<'listStorefrontProducts'>): PageCall<'listStorefrontProducts'>;
}

export const storefront = (op: BindOperation): Storefront => ({
  listProducts: op('listStorefrontProducts'),
});

export interface TestHelpers {
  /**
   * Complete a test payment.
   *
   * Completes a payment of test mode as if the customer had paid with the card 4242 4242 4242 4242, events included, so
   * that a test of yours needs no browser.
   *
   * @param reference The payment's reference.
   * @throws {NotFoundError} 404: This merchant has no such resource in this mode.
   * @throws {ConflictError} 409: The payment is completed, failed or expired (a cancellation is refused while it is `processing`, too), or the first call with this `Idempotency-Key` has not ended yet.
   * @throws {IdempotencyError} 422: The `Idempotency-Key` was used for a request that was not this one, byte for byte.
   * @example
   * await tillhook.testHelpers.completePayment('ref_k3v9m2q7x4t8w5n6b1zd');
   */
  completePayment(reference: string, options?: OptionsOf<'testCompletePayment'>): Call<'testCompletePayment'>;
  /**
   * Fail a test payment.
   *
   * Fails a payment of test mode as if the customer's card had been declined and the customer had then given up, events
   * included. The reason is always `card_declined`; the test cards on the hosted page give the others.
   *
   * @param reference The payment's reference.
   * @throws {NotFoundError} 404: This merchant has no such resource in this mode.
   * @throws {ConflictError} 409: The payment is completed, failed or expired (a cancellation is refused while it is `processing`, too), or the first call with this `Idempotency-Key` has not ended yet.
   * @throws {IdempotencyError} 422: The `Idempotency-Key` was used for a request that was not this one, byte for byte.
   * @example
   * await tillhook.testHelpers.failPayment('ref_k3v9m2q7x4t8w5n6b1zd');
   */
  failPayment(reference: string, options?: OptionsOf<'testFailPayment'>): Call<'testFailPayment'>;
  /**
   * Fund the Transfer wallet of test mode.
   *
   * Puts money of test mode into the Transfer wallet out of nothing, to try transfers with.
   *
   * @throws {ConflictError} 409: The first call with this `Idempotency-Key` has not ended yet.
   * @throws {IdempotencyError} 422: The `Idempotency-Key` was used for a request that was not this one, byte for byte.
   * @example
   * await tillhook.testHelpers.fundWallet({ amount: 1000000 });
   */
  fundWallet(body: FundingRequest, options?: OptionsOf<'testFundWallet'>): Call<'testFundWallet'>;
}

export const testHelpers = (op: BindOperation): TestHelpers => ({
  completePayment: op('testCompletePayment'),
  failPayment: op('testFailPayment'),
  fundWallet: op('testFundWallet'),
});

export interface Session {
  /**
   * Get who is signed in.
   *
   * The user and the merchant of the session, the first call of a page that was opened or reloaded.
   *
   * @example
   * await tillhook.session.get();
   */
  get(options?: OptionsOf<'getSession'>): Call<'getSession'>;
  /**
   * Sign in to the dashboard.
   *
   * Begins a session and keeps it in a cookie that no script can read. It ends 12 hours after its last use, a week after
   * it began, or with `signOut`. Needs no credential; a browser's request that comes from another site is refused. A user with
   * two-step sign-in gives a code too: without it the answer is 401 with `two_step_required`.
   *
   * @example
   * await tillhook.session.signIn({ email: 'demo@example.com', password: 'gm2wk-9p4hd-t7x3n' });
   */
  signIn(body: SignInRequest, options?: OptionsOf<'signIn'>): Call<'signIn'>;
  /**
   * Sign out.
   *
   * Ends the session, so that a copy of its cookie is worth nothing any more, and removes the cookie.
   *
   * @example
   * await tillhook.session.signOut();
   */
  signOut(options?: OptionsOf<'signOut'>): Call<'signOut'>;
}

export const session = (op: BindOperation): Session => ({
  get: op('getSession'),
  signIn: op('signIn'),
  signOut: op('signOut'),
});

export interface Sessions {
  /**
   * List your sessions.
   *
   * The sessions of the user who is calling, newest first, without those that are over: which computers and telephones are signed in.
   *
   * @example
   * for await (const session of tillhook.sessions.list()) console.log(session);
   */
  list(query?: Query<'listSessions'>, options?: OptionsOf<'listSessions'>): PageCall<'listSessions'>;
  /**
   * End a session.
   *
   * Ends one session of the user who is calling: its next call is refused with `invalid_session`. The session that calls can end
   * itself too; `signOut` removes its cookie as well.
   *
   * @param id The session's id.
   * @throws {NotFoundError} 404: This merchant has no such resource in this mode.
   * @example
   * await tillhook.sessions.end('019aa3c9-8888-7c52-8f3a-1b2c3d4e5f60');
   */
  end(id: string, options?: OptionsOf<'endSession'>): Call<'endSession'>;
}

export const sessions = (op: BindOperation): Sessions => ({
  list: op('listSessions'),
  end: op('endSession'),
});

export interface User {
  /**
   * Change your password.
   *
   * Replaces the password of the user who is calling and ends all of their sessions but this one. Where two-step sign-in is on, it takes a code too.
   *
   * @example
   * await tillhook.user.changePassword({ password: 'gm2wk-9p4hd-t7x3n', newPassword: 'a longer one than before' });
   */
  changePassword(body: PasswordChange, options?: OptionsOf<'changePassword'>): Call<'changePassword'>;
  /**
   * Begin two-step sign-in.
   *
   * Makes a secret for an authenticator application, which reads `uri` as a QR code. It counts once `confirmTwoStep` has had its
   * first code; it waits for ten minutes. Where two-step sign-in is on already, this moves it to another device: it takes a code,
   * and the present secret goes on until the new one is confirmed.
   *
   * @example
   * await tillhook.user.beginTwoStep({ password: 'gm2wk-9p4hd-t7x3n' });
   */
  beginTwoStep(body: TwoStepBegin, options?: OptionsOf<'beginTwoStep'>): Call<'beginTwoStep'>;
  /**
   * Turn two-step sign-in on.
   *
   * Takes the first code of the secret that `beginTwoStep` made. From now on each sign-in takes a code, and so do `revealWebhookSecret`,
   * `createApiKey` and `rollApiKey`. A code works once. The user's other sessions end. The recovery codes of this answer are
   * shown only now; each takes the place of one code.
   *
   * @throws {ConflictError} 409: No secret waits to be confirmed.
   * @example
   * await tillhook.user.confirmTwoStep({ code: '593455' });
   */
  confirmTwoStep(body: TwoStepConfirmation, options?: OptionsOf<'confirmTwoStep'>): Call<'confirmTwoStep'>;
  /**
   * Replace your recovery codes.
   *
   * Makes ten new ones; those from before are worth nothing any more.
   *
   * @throws {ConflictError} 409: The user does not sign in by two steps.
   * @example
   * await tillhook.user.renewRecoveryCodes({ password: 'gm2wk-9p4hd-t7x3n', code: '593455' });
   */
  renewRecoveryCodes(body: TwoStepProof, options?: OptionsOf<'renewRecoveryCodes'>): Call<'renewRecoveryCodes'>;
  /**
   * Turn two-step sign-in off.
   *
   * The password alone is asked for again. Refused with `two_step_setup_required` where the merchant requires two-step sign-in.
   *
   * @throws {ConflictError} 409: The user does not sign in by two steps.
   * @example
   * await tillhook.user.removeTwoStep({ password: 'gm2wk-9p4hd-t7x3n', code: '593455' });
   */
  removeTwoStep(body: TwoStepProof, options?: OptionsOf<'removeTwoStep'>): Call<'removeTwoStep'>;
}

export const user = (op: BindOperation): User => ({
  changePassword: op('changePassword'),
  beginTwoStep: op('beginTwoStep'),
  confirmTwoStep: op('confirmTwoStep'),
  renewRecoveryCodes: op('renewRecoveryCodes'),
  removeTwoStep: op('removeTwoStep'),
});

export interface ApiKeys {
  /**
   * List API keys.
   *
   * The keys of this merchant and mode, newest first, with those that have ended. None can be read.
   *
   * @example
   * for await (const apikey of tillhook.apiKeys.list()) console.log(apikey);
   */
  list(query?: Query<'listApiKeys'>, options?: OptionsOf<'listApiKeys'>): PageCall<'listApiKeys'>;
  /**
   * Create an API key.
   *
   * Makes a key of the mode in `X-Service-Mode`, at most 100 that can be used. Where two-step sign-in is on, it takes a code.
   * `key` of this answer is the only moment at which it can be read. No
   * `Idempotency-Key`: when the answer was lost, revoke the key that the list shows and create another.
   *
   * @throws {ConflictError} 409: The merchant has 100 API keys in this mode that can be used.
   * @example
   * await tillhook.apiKeys.create({ name: 'Web shop' });
   */
  create(body: ApiKeyRequest, options?: OptionsOf<'createApiKey'>): Call<'createApiKey'>;
  /**
   * Replace an API key.
   *
   * Makes a successor with the same name, scopes and mode. The old key goes on working until the overlap ends. `key` of
   * this answer is the only moment at which the successor can be read. A key that has ended is 409 with `api_key_ended`;
   * one that is already being rolled away gets another successor. Where two-step sign-in is on, it takes a code. No `Idempotency-Key`, as for `createApiKey`.
   *
   * @param id The API key's id.
   * @throws {NotFoundError} 404: This merchant has no such resource in this mode.
   * @throws {ConflictError} 409: The key was revoked or has expired, and cannot be rolled; or the merchant has 100 keys in this mode.
   * @example
   * await tillhook.apiKeys.roll('019aa3c8-1111-7c52-8f3a-1b2c3d4e5f60', { overlapSeconds: 86400 });
   */
  roll(id: string, body?: RollRequest, options?: OptionsOf<'rollApiKey'>): Call<'rollApiKey'>;
  /**
   * Revoke an API key.
   *
   * Ends the key at once: it is refused from now on. Its record stays in the list. Revoking it again answers the
   * same record, so that a call whose answer was lost can be repeated.
   *
   * @param id The API key's id.
   * @throws {NotFoundError} 404: This merchant has no such resource in this mode.
   * @example
   * await tillhook.apiKeys.revoke('019aa3c8-1111-7c52-8f3a-1b2c3d4e5f60');
   */
  revoke(id: string, options?: OptionsOf<'revokeApiKey'>): Call<'revokeApiKey'>;
}

export const apiKeys = (op: BindOperation): ApiKeys => ({
  list: op('listApiKeys'),
  create: op('createApiKey'),
  roll: op('rollApiKey'),
  revoke: op('revokeApiKey'),
});

export interface Settings {
  /**
   * Get the merchant's settings.
   *
   * What holds for the merchant in both modes.
   *
   * @example
   * await tillhook.settings.get();
   */
  get(options?: OptionsOf<'getSettings'>): Call<'getSettings'>;
  /**
   * Change the merchant's settings.
   *
   * Changes what the body names and leaves the rest. Name, logo and colour are what customers see on the hosted page, in both modes, from
   * now on. The currency is fixed: what was created in it could not follow.
   *
   * @example
   * await tillhook.settings.update({ name: 'Ada\'s Bookshop' });
   */
  update(body: SettingsUpdate, options?: OptionsOf<'updateSettings'>): Call<'updateSettings'>;
}

export const settings = (op: BindOperation): Settings => ({
  get: op('getSettings'),
  update: op('updateSettings'),
});

export interface Statistics {
  /**
   * Get statistics.
   *
   * Money in and deliveries over time, in this mode. Payments and deliveries are counted by the moment of their creation, as
   * the filters `from` and `to` of the lists take them. The first and the last interval hold only what lies between `from`
   * and `to`. Deliveries are kept for a time, 30 days unless the operator of the server chose otherwise, and older ones are
   * not counted any more. At most 750 intervals, which is 31 days by the hour or two years by the day; more is
   * 400.
   *
   * @example
   * await tillhook.statistics.get();
   */
  get(query?: Query<'getStatistics'>, options?: OptionsOf<'getStatistics'>): Call<'getStatistics'>;
  /**
   * Get the overview of an account.
   *
   * The figures of the last days beside those of as many days before them, what needs attention, and the first steps of an
   * account; in this mode. A day is one of UTC, and the last of them is today, until now: `days=1` is since 00:00 UTC. The time
   * before is as long and ends at the same hour, so that `days=1` is compared with the same hours of yesterday.
   *
   * Payments and deliveries are counted by the moment of their creation, as the lists filter them: `from` belongs to a
   * time and `to` does not. Deliveries are kept for a time, 30 days unless the operator of the server chose otherwise. Those
   * from before `deliveriesKeptFrom` are not counted, and a time that begins before it is not compared: in `before` its
   * deliveries and answers are null.
   *
   * @example
   * await tillhook.statistics.getOverview();
   */
  getOverview(query?: Query<'getOverview'>, options?: OptionsOf<'getOverview'>): Call<'getOverview'>;
}

export const statistics = (op: BindOperation): Statistics => ({
  get: op('getStatistics'),
  getOverview: op('getOverview'),
});

export interface AuditEntries {
  /**
   * List audit entries.
   *
   * What people did that a merchant may have to account for: sign-ins, secrets shown and rotated, keys, transfers, top-ups,
   * settings, endpoints, products, deliveries sent again; in both modes, newest first, kept for good. What a program does with an API key is not in it.
   *
   * @example
   * for await (const auditentry of tillhook.auditEntries.list()) console.log(auditentry);
   */
  list(query?: Query<'listAuditEntries'>, options?: OptionsOf<'listAuditEntries'>): PageCall<'listAuditEntries'>;
}

export const auditEntries = (op: BindOperation): AuditEntries => ({
  list: op('listAuditEntries'),
});

export interface Operator {
  /**
   * List all merchants.
   *
   * All merchants of the service, newest first. Name one in `X-Service-Merchant` to look at it.
   *
   * @example
   * for await (const merchant of tillhook.operator.listMerchants()) console.log(merchant);
   */
  listMerchants(query?: Query<'listMerchants'>, options?: OptionsOf<'listMerchants'>): PageCall<'listMerchants'>;
  /**
   * List the transfers of all merchants.
   *
   * The transfers of this mode of all merchants: those that wait, the oldest first, so that they are paid first; with `status` those that
   * have it, and of those that ended the newest first.
   *
   * @example
   * for await (const transfer of tillhook.operator.listTransfers()) console.log(transfer);
   */
  listTransfers(query?: Query<'listOpenTransfers'>, options?: OptionsOf<'listOpenTransfers'>): PageCall<'listOpenTransfers'>;
  /**
   * Get a transfer of any merchant.
   *
   * All that it takes to make the payment but the account number, which `revealAccountNumber` shows.
   *
   * @param id The transfer's id.
   * @throws {NotFoundError} 404: This merchant has no such resource in this mode.
   * @example
   * await tillhook.operator.getTransfer('019aa3c6-4444-7c52-8f3a-1b2c3d4e5f60');
   */
  getTransfer(id: string, options?: OptionsOf<'getOpenTransfer'>): Call<'getOpenTransfer'>;
  /**
   * Show a recipient's account number.
   *
   * Takes the password once more, and a code where two-step sign-in is on. The merchant's audit log says that an operator looked.
   *
   * @param id The transfer's id.
   * @throws {NotFoundError} 404: This merchant has no such resource in this mode.
   * @example
   * await tillhook.operator.revealAccountNumber('019aa3c6-4444-7c52-8f3a-1b2c3d4e5f60', { password: 'gm2wk-9p4hd-t7x3n' });
   */
  revealAccountNumber(id: string, body: RevealRequest, options?: OptionsOf<'revealAccountNumber'>): Call<'revealAccountNumber'>;
  /**
   * Say that a live transfer has arrived.
   *
   * The transfer is completed, and the merchant is told at once. Repeated, it is 409 and changes nothing.
   *
   * @param id The transfer's id.
   * @throws {NotFoundError} 404: This merchant has no such resource in this mode.
   * @throws {ConflictError} 409: The transfer has a status from which it cannot go on so, or is of test mode, where the simulator decides.
   * @example
   * await tillhook.operator.settleTransfer('019aa3c6-4444-7c52-8f3a-1b2c3d4e5f60');
   */
  settleTransfer(id: string, options?: OptionsOf<'settleTransfer'>): Call<'settleTransfer'>;
  /**
   * Say that a live transfer cannot be paid.
   *
   * Amount and fee go back to the merchant, who is told at once. Repeated, it is 409 and changes nothing.
   *
   * @param id The transfer's id.
   * @throws {NotFoundError} 404: This merchant has no such resource in this mode.
   * @throws {ConflictError} 409: The transfer has a status from which it cannot go on so, or is of test mode, where the simulator decides.
   * @example
   * await tillhook.operator.failTransfer('019aa3c6-4444-7c52-8f3a-1b2c3d4e5f60', { reason: 'The account is closed' });
   */
  failTransfer(id: string, body: TransferFailureRequest, options?: OptionsOf<'failTransfer'>): Call<'failTransfer'>;
  /**
   * Say that the money of a completed live transfer came back.
   *
   * The amount goes back to the merchant, who is told at once. Repeated, it is 409 and changes nothing.
   *
   * @param id The transfer's id.
   * @throws {NotFoundError} 404: This merchant has no such resource in this mode.
   * @throws {ConflictError} 409: The transfer has a status from which it cannot go on so, or is of test mode, where the simulator decides.
   * @example
   * await tillhook.operator.reverseTransfer('019aa3c6-4444-7c52-8f3a-1b2c3d4e5f60', { reason: 'The bank sent it back' });
   */
  reverseTransfer(id: string, body: TransferFailureRequest, options?: OptionsOf<'reverseTransfer'>): Call<'reverseTransfer'>;
  /**
   * List the payments that wait for a decision.
   *
   * The payments of this mode of all merchants of which the processor has other money than was asked for, oldest first.
   *
   * @example
   * for await (const review of tillhook.operator.listReviews()) console.log(review);
   */
  listReviews(query?: Query<'listReviews'>, options?: OptionsOf<'listReviews'>): PageCall<'listReviews'>;
  /**
   * Decide a payment.
   *
   * `completed` credits the merchant with what was asked for. `failed` leaves the money to be given back at the processor; a payment that is
   * completed already cannot fail. Repeated, it is 409 and changes nothing.
   *
   * @param id The payment's id.
   * @throws {NotFoundError} 404: This merchant has no such resource in this mode.
   * @throws {ConflictError} 409: The payment waits for no decision, or is completed and cannot fail any more.
   * @example
   * await tillhook.operator.resolveReview('019aa3c4-7a5b-7c52-8f3a-1b2c3d4e5f62', { as: 'completed' });
   */
  resolveReview(id: string, body: ReviewDecision, options?: OptionsOf<'resolveReview'>): Call<'resolveReview'>;
}

export const operator = (op: BindOperation): Operator => ({
  listMerchants: op('listMerchants'),
  listTransfers: op('listOpenTransfers'),
  getTransfer: op('getOpenTransfer'),
  revealAccountNumber: op('revealAccountNumber'),
  settleTransfer: op('settleTransfer'),
  failTransfer: op('failTransfer'),
  reverseTransfer: op('reverseTransfer'),
  listReviews: op('listReviews'),
  resolveReview: op('resolveReview'),
});
