// Made by `npm run generate` from openapi/openapi.yaml. Do not edit.
import type { Call } from '../call.ts';
import { type Feed, type FollowOptions, type FollowQuery, feedOver } from '../feed.ts';
import type { BindOperation } from '../methods.ts';
import type { OptionsOf, Query } from '../operations.ts';
import type { CsvPageCall, PageCall } from '../page-call.ts';
import type { ApiKeyRequest, BankTransferReceipt, CheckoutRequest, FundingRequest, InvitationAcceptance, InvitationRequest, InvitationToken, LogoUpload, MemberUpdate, PasskeyAssertion, PasskeyRegistration, PasskeyRename, PasswordChange, PasswordReset, PasswordResetRequest, PaymentLinkRequest, PaymentLinkUpdate, PaymentUpdate, PreferencesUpdate, ProductRequest, ProductUpdate, RefundRequest, ReplayRequest, RevealRequest, ReviewDecision, RollRequest, SecretRotationCompletion, SecretRotationRequest, SettingsUpdate, SignInRequest, TimeAdvanceRequest, TopUpRequest, TransferFailureRequest, TransferRequest, TwoStepBegin, TwoStepConfirmation, TwoStepProof, WalletKind, WebhookEndpointRequest, WebhookEndpointUpdate } from './schemas.ts';

export interface Account {
  /**
   * Get the account behind the key.
   *
   * Returns the merchant and the mode of the key, and what the key may do. Make it the first call of an integration:
   * it needs a valid key and nothing else, not even a scope.
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
   * Initializes a checkout session and returns the hosted checkout URL. Send the customer to that URL. The reference
   * identifies the payment in every later call and webhook. While the payment is pending, `getPayment` returns the
   * address again as `checkoutUrl`, for a caller who lost this answer.
   *
   * @throws {ConflictError} 409: The reference is in use in this mode, or the first call with this key has not ended.
   * @throws {IdempotencyError} 422: The `Idempotency-Key` was used for another request. The service compares requests byte for byte.
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
   * Returns the payments of the authenticated merchant and mode, newest first.
   *
   * `search` looks in the reference, the customer's e-mail address and the description.
   *
   * With `Accept: text/csv` the answer is a CSV file with all payments that match, whichever page and order
   * the query asks for.
   *
   * @example
   * for await (const payment of tillhook.payments.list()) console.log(payment);
   */
  list(query?: Query<'listPayments'>, options?: OptionsOf<'listPayments'>): CsvPageCall<'listPayments'>;
  /**
   * Get a payment.
   *
   * Returns the payment with this reference. Call it when the customer comes back to `callbackUrl`. Anyone can write
   * the status in that address; only this answer is reliable.
   *
   * @param reference The payment's reference.
   * @throws {NotFoundError} 404: This merchant has no such resource in this mode.
   * @example
   * await tillhook.payments.get('ref_k3v9m2q7x4t8w5n6b1zd');
   */
  get(reference: string, options?: OptionsOf<'getPayment'>): Call<'getPayment'>;
  /**
   * Write a note on a payment.
   *
   * Stores a note about the payment for the merchant's own people, for example what a customer said on the phone. A new
   * note replaces the old one, and null removes it. The customer never sees it: no page, mail or webhook has it.
   *
   * `updatedAt` stays, because a note changes nothing about the payment.
   *
   * @param reference The payment's reference.
   * @throws {NotFoundError} 404: This merchant has no such resource in this mode.
   * @example
   * await tillhook.payments.update('ref_k3v9m2q7x4t8w5n6b1zd', { note: 'The customer asked for a later delivery.' });
   */
  update(reference: string, body: PaymentUpdate, options?: OptionsOf<'updatePayment'>): Call<'updatePayment'>;
  /**
   * Cancel a checkout.
   *
   * Withdraws the hosted page, so that the customer can no longer pay there. `status` in the answer says what became
   * of the payment. It is `expired` if no card had been declined, and `checkout.expired` is sent with the reason
   * `cancelled`. It is `failed` if a card had been declined, and `checkout.failed` is sent. In both cases `cancelledBy` is
   * `merchant`.
   *
   * A customer who is on the page of the payment processor, or at a 3-D Secure step, cannot continue there. If the
   * processor gives no answer, nothing is withdrawn and the answer is 503 with `processor_error`.
   *
   * While the processor decides about a card, the payment is not withdrawn, because money may already be
   * moving. The answer is then 409 with `payment_in_progress`; call again after the decision.
   *
   * @param reference The payment's reference.
   * @throws {NotFoundError} 404: This merchant has no such resource in this mode.
   * @throws {ConflictError} 409: The payment is completed, failed or expired, or it is `processing` because its card is being decided, or the first call with this `Idempotency-Key` has not ended yet.
   * @throws {IdempotencyError} 422: The `Idempotency-Key` was used for another request. The service compares requests byte for byte.
   * @example
   * await tillhook.payments.cancel('ref_k3v9m2q7x4t8w5n6b1zd');
   */
  cancel(reference: string, options?: OptionsOf<'cancelCheckout'>): Call<'cancelCheckout'>;
  /**
   * List the attempts to pay.
   *
   * Returns each attempt of the customer to pay, first to last, with its card, its outcome and the reason. It is
   * also an attempt when a customer leaves the page of a payment processor without paying.
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
  update: op('updatePayment'),
  cancel: op('cancelCheckout'),
  listAttempts: op('listPaymentAttempts'),
});

export interface PaymentLinks {
  /**
   * List payment links.
   *
   * Returns the payment links of the authenticated merchant and mode, newest first.
   *
   * `search` looks in the name, the slug, the description and the amount of the newest 5,000 links.
   *
   * @example
   * for await (const paymentlink of tillhook.paymentLinks.list()) console.log(paymentlink);
   */
  list(query?: Query<'listPaymentLinks'>, options?: OptionsOf<'listPaymentLinks'>): PageCall<'listPaymentLinks'>;
  /**
   * Create a payment link.
   *
   * Creates a link that any number of customers can pay. Send its `url` to them, or print it as a QR code. Each
   * customer who opens it and enters an email address gets a separate checkout, and so a separate payment.
   *
   * The price is one of three:
   *
   * - `amount`: every customer pays this amount.
   * - `productId`: every customer pays the price that the product has at that time, `quantity` times. With
   *   `maxQuantity` the customer chooses the quantity.
   * - Neither: the customer enters the amount, from `minAmount` to `maxAmount`.
   *
   * @throws {ConflictError} 409: Another payment link has this slug, or the first call with this key has not ended.
   * @throws {IdempotencyError} 422: The `Idempotency-Key` was used for another request. The service compares requests byte for byte.
   * @example
   * await tillhook.paymentLinks.create({ name: 'One hour of advice', amount: 2500000 });
   */
  create(body: PaymentLinkRequest, options?: OptionsOf<'createPaymentLink'>): Call<'createPaymentLink'>;
  /**
   * Get a payment link.
   *
   * Returns the payment link with this id, and how much was paid by it. `listPayments` with `paymentLinkId` returns
   * its payments.
   *
   * @param id The payment link's id.
   * @throws {NotFoundError} 404: This merchant has no such resource in this mode.
   * @example
   * await tillhook.paymentLinks.get('019aa3c9-1a2b-7c52-8f3a-1b2c3d4e5f60');
   */
  get(id: string, options?: OptionsOf<'getPaymentLink'>): Call<'getPaymentLink'>;
  /**
   * Update a payment link.
   *
   * Changes the fields that the body names and keeps the others; `metadata` is replaced as a whole. The address, the
   * currency and the kind of price stay as they are: create another link for another price.
   *
   * `isActive: false` stops the link, and `true` starts it again. A change concerns customers who open the
   * link from now on. A customer who is already on the payment page pays what it shows, for at most an hour.
   *
   * @param id The payment link's id.
   * @throws {NotFoundError} 404: This merchant has no such resource in this mode.
   * @example
   * await tillhook.paymentLinks.update('019aa3c9-1a2b-7c52-8f3a-1b2c3d4e5f60', { isActive: false });
   */
  update(id: string, body: PaymentLinkUpdate, options?: OptionsOf<'updatePaymentLink'>): Call<'updatePaymentLink'>;
}

export const paymentLinks = (op: BindOperation): PaymentLinks => ({
  list: op('listPaymentLinks'),
  create: op('createPaymentLink'),
  get: op('getPaymentLink'),
  update: op('updatePaymentLink'),
});

export interface Refunds {
  /**
   * Refund a payment.
   *
   * Gives the customer of a completed payment back all or a part of the amount, in the currency of the payment.
   * Without `amount` it is all that is left. A payment can be refunded several times, until nothing is left.
   *
   * The service sets the amount aside in the Collection wallet at once and then asks the payment processor. The
   * event `refund.success` or `refund.failed` reports the result. When a refund fails, its money is in the
   * Collection wallet again and can be refunded again. The payment stays `completed` and shows `amountRefunded`.
   *
   * A completed refund can still fail, because the bank of the customer may send the money back days later.
   * `refund.failed` then follows `refund.success` for the same reference.
   *
   * In test mode no money is sent, and the card that paid decides: a refund to `4000 0000 0000 7726` stays
   * `processing` for 30 seconds and then completes, a refund to `4000 0000 0000 5126` stays `processing` for 30
   * seconds and then fails, and a refund to any other card completes.
   *
   * @param reference The payment's reference.
   * @throws {NotFoundError} 404: This merchant has no such resource in this mode.
   * @throws {ConflictError} 409: The payment is not completed, or is under review, or the reference is in use in this mode, or the first call with this key has not ended.
   * @throws {RefundError | TransferError | IdempotencyError} 422: The refund cannot be made; nothing was changed. Or the `Idempotency-Key` was used for another request.
   * @example
   * await tillhook.refunds.create('ref_k3v9m2q7x4t8w5n6b1zd', { amount: 200000 });
   */
  create(reference: string, body?: RefundRequest, options?: OptionsOf<'createRefund'>): Call<'createRefund'>;
  /**
   * List refunds.
   *
   * Returns the refunds of the authenticated merchant and mode, newest first.
   *
   * `search` looks in the reference, that of the payment, and the reason.
   *
   * With `Accept: text/csv` the answer is a CSV file with all refunds that match, whichever page and order
   * the query asks for.
   *
   * @example
   * for await (const refund of tillhook.refunds.list()) console.log(refund);
   */
  list(query?: Query<'listRefunds'>, options?: OptionsOf<'listRefunds'>): CsvPageCall<'listRefunds'>;
  /**
   * Get a refund.
   *
   * Returns the refund with this reference.
   *
   * @param reference The refund's reference.
   * @throws {NotFoundError} 404: This merchant has no such resource in this mode.
   * @example
   * await tillhook.refunds.get('refund-1042');
   */
  get(reference: string, options?: OptionsOf<'getRefund'>): Call<'getRefund'>;
}

export const refunds = (op: BindOperation): Refunds => ({
  create: op('createRefund'),
  list: op('listRefunds'),
  get: op('getRefund'),
});

export interface Customers {
  /**
   * List customers.
   *
   * Returns the customers of the authenticated merchant and mode. A customer is an e-mail address for which a
   * checkout was created, in lower case. The customer with the newest payment comes first.
   *
   * `search` finds customers by a part of their address. With `after`, a customer who pays in the meantime moves to
   * the beginning of the list, or to its end with `order=asc`.
   *
   * A customer is not a record that is created or changed. The payments are counted when the list is read, so
   * the figures are up to date. Only the figures of a customer with more than 1,000 payments are stored, and
   * `countedAt` says when they were counted.
   *
   * With `Accept: text/csv` the answer is a CSV file with all customers that match, whichever page the query asks
   * for.
   *
   * @example
   * for await (const customer of tillhook.customers.list()) console.log(customer);
   */
  list(query?: Query<'listCustomers'>, options?: OptionsOf<'listCustomers'>): CsvPageCall<'listCustomers'>;
  /**
   * Get a customer.
   *
   * Returns the customer. `listCustomers` with `email` finds the id, and `listPayments` with `customerEmail` has the
   * payments.
   *
   * The path has an id, so that logs, links and the histories of browsers have no e-mail addresses.
   *
   * @param id The customer's id.
   * @throws {NotFoundError} 404: This merchant has no such resource in this mode.
   * @example
   * await tillhook.customers.get('019aa3c4-7a5b-8c52-8f3a-1b2c3d4e5f60');
   */
  get(id: string, options?: OptionsOf<'getCustomer'>): Call<'getCustomer'>;
}

export const customers = (op: BindOperation): Customers => ({
  list: op('listCustomers'),
  get: op('getCustomer'),
});

export interface WebhookEndpoints {
  /**
   * List webhook endpoints.
   *
   * Returns every webhook endpoint registered for the authenticated merchant and mode, newest first, with masked
   * secrets. The list is always complete: `limit` and `offset` are accepted and change nothing.
   *
   * @example
   * for await (const webhook of tillhook.webhookEndpoints.list()) console.log(webhook);
   */
  list(query?: Query<'listWebhookEndpoints'>, options?: OptionsOf<'listWebhookEndpoints'>): PageCall<'listWebhookEndpoints'>;
  /**
   * Register a webhook endpoint.
   *
   * Registers an address. From now on the service sends every subscribed event there, signed with the `secret` of
   * this answer. Keep the secret: afterwards only the dashboard shows it in full. A merchant has at most 16
   * endpoints in each mode.
   *
   * @throws {ConflictError} 409: The merchant has 16 endpoints in this mode, or the first call with this key has not ended.
   * @throws {IdempotencyError} 422: The `Idempotency-Key` was used for another request. The service compares requests byte for byte.
   * @example
   * await tillhook.webhookEndpoints.register({ url: 'https://shop.example.com/webhooks' });
   */
  register(body: WebhookEndpointRequest, options?: OptionsOf<'registerWebhookEndpoint'>): Call<'registerWebhookEndpoint'>;
  /**
   * Get a webhook endpoint.
   *
   * Returns the endpoint with this id, with a masked secret.
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
   * Changes the fields that the body names and keeps the others. While `isActive` is false the service sends
   * nothing. It keeps each event as a delivery with the status `skipped`, and `replayDeliveries` sends those later.
   * Setting `isActive` to true also resets the count of failures in a row, and removes the reason for which the
   * service had disabled the endpoint. Deliveries that still wait go to the new `url`.
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
   * Removes the endpoint. The service sends nothing to it any more; deliveries that still wait are not sent. Its
   * delivery log stays. Removing it again is answered 404, as reading it is.
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
   * Immediately delivers a `test.event` to the endpoint, through the same signing and delivery path as real events,
   * and returns what the receiver answered. `success` says that the test was carried out. `data.delivered` says
   * whether the receiver answered 2xx. The service makes one attempt and never retries, also while the endpoint is
   * inactive. It accepts at most 10 calls in a minute for each endpoint. After a 5xx or a lost answer the event may
   * have been sent: `listDeliveries` shows it.
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
   * Stages a next secret beside the present one. From now on `webhook-signature` holds two signatures, one with each
   * secret. `X-Service-Signature` still uses the present secret. The next secret becomes the present one when you
   * call `completeWebhookSecretRotation`, or by itself after `switchAfterSeconds`. From then on the old secret also
   * signs `webhook-signature` for 24 more hours, until `oldSecretEndsAt`.
   *
   * No answer to an API key after the registration shows a secret. So send a secret that you made
   * (`generateSecret()` of the SDK makes one), or read the generated one in the dashboard. A second call
   * before the rotation is complete replaces the staged secret, so that a secret staged by mistake never has to
   * become the present one. The present secret cannot be staged (400).
   *
   * @param id The webhook endpoint's id.
   * @throws {NotFoundError} 404: This merchant has no such resource in this mode.
   * @throws {ConflictError} 409: The first call with this `Idempotency-Key` has not ended yet.
   * @throws {IdempotencyError} 422: The `Idempotency-Key` was used for another request. The service compares requests byte for byte.
   * @example
   * await tillhook.webhookEndpoints.rotateSecret('019aa3c4-9d1e-7c52-8f3a-1b2c3d4e5f60', { secret: 'whsec_x2bT0mJ5c8Zq1vN4rYk7LdHs9GfWpQ3u' });
   */
  rotateSecret(id: string, body?: SecretRotationRequest, options?: OptionsOf<'rotateWebhookSecret'>): Call<'rotateWebhookSecret'>;
  /**
   * Complete the rotation of a secret.
   *
   * Makes the staged secret the present one at once. The old secret also signs `webhook-signature` for 24 more
   * hours. With `revokeOld` it signs nothing from now on: use this if the secret leaked. If no secret is
   * staged, the answer is the endpoint as it is, and `revokeOld` still ends the old secret, because the rotation may
   * have completed by itself a moment before.
   *
   * @param id The webhook endpoint's id.
   * @throws {NotFoundError} 404: This merchant has no such resource in this mode.
   * @throws {ConflictError} 409: The first call with this `Idempotency-Key` has not ended yet.
   * @throws {IdempotencyError} 422: The `Idempotency-Key` was used for another request. The service compares requests byte for byte.
   * @example
   * await tillhook.webhookEndpoints.completeSecretRotation('019aa3c4-9d1e-7c52-8f3a-1b2c3d4e5f60', { revokeOld: false });
   */
  completeSecretRotation(id: string, body?: SecretRotationCompletion, options?: OptionsOf<'completeWebhookSecretRotation'>): Call<'completeWebhookSecretRotation'>;
  /**
   * Replay an endpoint's missed deliveries.
   *
   * Sends again the deliveries that the endpoint missed between `since` and `until`, oldest first, each as a new
   * delivery of the same event. One call takes at most 10,000 deliveries: while `data.hasMore` is true, call again
   * with the same body. It never takes a delivery that was resent or replayed before, or a test event. While
   * the endpoint is inactive it takes nothing, so enable the endpoint first.
   *
   * @param id The webhook endpoint's id.
   * @throws {NotFoundError} 404: This merchant has no such resource in this mode.
   * @throws {ConflictError} 409: The first call with this `Idempotency-Key` has not ended yet.
   * @throws {IdempotencyError} 422: The `Idempotency-Key` was used for another request. The service compares requests byte for byte.
   * @example
   * await tillhook.webhookEndpoints.replay('019aa3c4-9d1e-7c52-8f3a-1b2c3d4e5f60', { since: '2026-11-21T08:00:00.000Z' });
   */
  replay(id: string, body: ReplayRequest, options?: OptionsOf<'replayDeliveries'>): Call<'replayDeliveries'>;
  /**
   * Show an endpoint's signing secret.
   *
   * Returns the endpoint's secret in full. After the registration no other operation does. The user sends the
   * password again, and a code where two-step sign-in is on, because someone else may use a computer that is signed
   * in. The service writes an audit entry.
   *
   * @param id The webhook endpoint's id.
   * @throws {NotFoundError} 404: This merchant has no such resource in this mode.
   * @example
   * await tillhook.webhookEndpoints.revealSecret('019aa3c4-9d1e-7c52-8f3a-1b2c3d4e5f60', { password: 'gm2wk-9p4hd-t7x3n' });
   */
  revealSecret(id: string, body: RevealRequest, options?: OptionsOf<'revealWebhookSecret'>): Call<'revealWebhookSecret'>;
  /**
   * List the health of the webhook endpoints.
   *
   * Returns the deliveries and response times of each webhook endpoint for each of the last hours, in this mode.
   * Hours are UTC hours, and the last one is the present hour until now. A delivery and all its attempts belong to
   * the hour in which the delivery was created.
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
   * Returns what was sent, or is still to be sent, to the endpoints of the authenticated merchant and mode, newest
   * first. The service keeps deliveries for 30 days, also those of removed endpoints.
   *
   * With `Accept: text/csv` the answer is a CSV file with all deliveries that match, whichever page and order
   * the query asks for.
   *
   * @example
   * for await (const delivery of tillhook.deliveries.list()) console.log(delivery);
   */
  list(query?: Query<'listDeliveries'>, options?: OptionsOf<'listDeliveries'>): CsvPageCall<'listDeliveries'>;
  /**
   * Get a webhook delivery.
   *
   * Returns the delivery with what was sent and every attempt to send it, first to last.
   *
   * A key never gets the signatures, because a key that may only read could then send the body in our name.
   * Users of the dashboard with the role `administrator` or `developer`, who may see the secret, get the signatures of
   * each attempt that was made with the present secrets.
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
   * Makes a new delivery of the same event to the same endpoint. The service sends it to the endpoint's present
   * address, signs it with the present secret, counts its attempts from 1 and retries it like any other. It has the
   * `webhook-id` of the first delivery, so a receiver that deduplicates handles the event only once. A
   * delivery of any status may be resent. If the endpoint is inactive, the new delivery is `skipped` at once. If the
   * endpoint was removed, the answer is 404, because the service will never send anything there. A test event cannot
   * be resent (400); send another.
   *
   * @param id The delivery's id, the header `X-Service-Delivery-Id` of the webhook.
   * @throws {NotFoundError} 404: This merchant has no such resource in this mode.
   * @throws {ConflictError} 409: The first call with this `Idempotency-Key` has not ended yet.
   * @throws {IdempotencyError} 422: The `Idempotency-Key` was used for another request. The service compares requests byte for byte.
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
   * Returns everything that happened to the authenticated merchant in this mode, newest first, whether or not an
   * endpoint received it. The service keeps events for 30 days.
   *
   * To follow the events, send the `id` of the last event that you have as `after`. The answer has the events that
   * follow it, oldest first. With `wait`, the service holds an empty answer back until there is an event. Whatever
   * the answer has, call again with the last `id` that you have. **A program that follows the events gets every
   * event exactly once**, also events that are saved at the same moment.
   *
   * To begin with the oldest event, send `order=asc` and no `after`; `from` begins at a time. To begin now, send
   * `order=desc&limit=1&wait=0` and follow the event in the answer. If it has none, nothing has happened yet, so
   * begin with the oldest event.
   *
   * @example
   * for await (const event of tillhook.events.list()) console.log(event);
   */
  list(query?: Query<'listEvents'>, options?: OptionsOf<'listEvents'>): PageCall<'listEvents'>;
  /**
   * Follows the events as they happen, oldest first, for ever: each comes exactly once, also over restarts of the service.
   *
   * Without `after` and `from` it begins now. Save the `id` of each event together with what it changes, and give the
   * last one as `after` when the program starts again. `from` counts only while there is no `after`.
   *
   * A lost connection, 408, 425, 429 and 5xx are retried without end; the hook `retry` tells of them. The loop ends
   * with `break`, or quietly when `signal` is aborted; both also end the request that is waiting.
   *
   * @throws {AuthenticationError} 401: The key is wrong, was revoked or has expired.
   * @throws {PermissionError} 403: The key may not read them.
   * @throws {ValidationError} 400: `param` is `after` if the service does not have that event, or no longer.
   * @example
   * for await (const event of tillhook.events.follow({ after: await savedId(), from: 'oldest' })) {
   *   await saveWithId(event);
   * }
   */
  follow(query?: FollowQuery<'listEvents'>, options?: FollowOptions): Feed<'listEvents'>;
  /**
   * Get an event.
   *
   * Returns the event with this id, which is the header `webhook-id` of its deliveries.
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
  follow: feedOver(op('listEvents'), 'events'),
  get: op('getEvent'),
});

export interface Transfers {
  /**
   * List transfers.
   *
   * Returns the outbound transfers of the authenticated merchant and mode, newest first.
   *
   * `search` looks in the reference, the recipient's name and the narration.
   *
   * With `Accept: text/csv` the answer is a CSV file with all transfers that match, whichever page and order
   * the query asks for.
   *
   * @example
   * for await (const transfer of tillhook.transfers.list()) console.log(transfer);
   */
  list(query?: Query<'listTransfers'>, options?: OptionsOf<'listTransfers'>): CsvPageCall<'listTransfers'>;
  /**
   * Create a transfer.
   *
   * Sends money from the merchant's Transfer wallet to a recipient. The service sets the amount and the fee aside at
   * once. If the transfer fails, both come back to the wallet. If it is reversed, the amount comes back. The event
   * `transfer.success` or `transfer.failed` reports the result.
   *
   * In test mode no money is sent, and the recipient's `accountNumber` decides: `0000000000` completes, `0000000001`
   * fails, `0000000002` stays `processing` for 30 seconds and then completes, `0000000003` completes and is then
   * reversed; any other number completes. In test mode every `bankCode` exists except `000`, which is
   * refused with `invalid_recipient`, so that you can try each answer of this operation.
   *
   * @throws {ConflictError} 409: The reference is in use in this mode, or the first call with this key has not ended.
   * @throws {TransferError | IdempotencyError} 422: The transfer cannot be made; nothing was changed. Or the `Idempotency-Key` was used for another request.
   * @example
   * await tillhook.transfers.create({ reference: 'payout-77', amount: 250000, recipient: { name: 'Grace Hopper', accountNumber: '0123456789', bankCode: '058' } });
   */
  create(body: TransferRequest, options?: OptionsOf<'createTransfer'>): Call<'createTransfer'>;
  /**
   * Get a transfer.
   *
   * Returns the transfer with this reference.
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
   * Returns the merchant's wallets in this mode: a Collection wallet and a Transfer wallet for each currency,
   * ordered by currency and then kind. The list is always complete: `limit` and `offset` are accepted and change
   * nothing.
   *
   * @example
   * for await (const wallet of tillhook.wallets.list()) console.log(wallet);
   */
  list(query?: Query<'listWallets'>, options?: OptionsOf<'listWallets'>): PageCall<'listWallets'>;
  /**
   * Top up the Transfer wallet.
   *
   * Moves money at once from the Collection wallet, where the money of customers arrives, to the Transfer wallet of
   * the same currency. A reference is unique among the top-ups of a merchant and mode, as it is among
   * payments and among transfers. When the Transfer wallet would then have more than 9007199254740991, the highest number
   * that JSON says exactly, the answer is 400 with `invalid_parameter`.
   *
   * @throws {ConflictError} 409: The reference is in use in this mode, or the first call with this key has not ended.
   * @throws {TransferError | IdempotencyError} 422: The Collection wallet holds too little, or the `Idempotency-Key` was used for another request.
   * @example
   * await tillhook.wallets.topUp({ amount: 500000 });
   */
  topUp(body: TopUpRequest, options?: OptionsOf<'topUpTransferWallet'>): Call<'topUpTransferWallet'>;
  /**
   * List a wallet's entries.
   *
   * Returns the statement of a wallet: each movement with the balance after it, newest first. A merchant with
   * wallets in several currencies must send `currency`; without it the answer is 400 with `missing_parameter`.
   *
   * With `Accept: text/csv` the answer is a CSV file with all entries that match, whichever page and order
   * the query asks for.
   *
   * @param kind Which wallet.
   * @example
   * for await (const entry of tillhook.wallets.listEntries('transfer')) console.log(entry);
   */
  listEntries(kind: WalletKind, query?: Query<'listWalletEntries'>, options?: OptionsOf<'listWalletEntries'>): CsvPageCall<'listWalletEntries'>;
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
   * @throws {IdempotencyError} 422: The `Idempotency-Key` was used for another request. The service compares requests byte for byte.
   * @example
   * await tillhook.products.create({ name: 'Enamel mug', price: 450000 });
   */
  create(body: ProductRequest, options?: OptionsOf<'createProduct'>): Call<'createProduct'>;
  /**
   * Get a product.
   *
   * Returns the product with this id. An archived product is returned too, with `isActive` false.
   *
   * @param id The product's id.
   * @throws {NotFoundError} 404: This merchant has no such resource in this mode.
   * @example
   * await tillhook.products.get('019aa3c7-2c3d-7c52-8f3a-1b2c3d4e5f60');
   */
  get(id: string, options?: OptionsOf<'getProduct'>): Call<'getProduct'>;
  /**
   * Update a product.
   *
   * Changes the fields that the body names and keeps the others; `metadata` is replaced as a whole. `isActive: true` brings an archived product back, so that archiving by mistake can be undone. The product then
   * counts towards the 1,000 active products again.
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
   * Takes the product off the storefront; nothing is deleted. Archiving it again returns the same product, as reading
   * it does.
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
   * Returns every product of the merchant in this mode, also archived ones, newest first. `listStorefrontProducts`
   * returns only the products that the storefront shows.
   *
   * `search` looks in the name, the description and the price of the newest 5,000 products.
   *
   * @example
   * for await (const product of tillhook.products.list()) console.log(product);
   */
  list(query?: Query<'listProducts'>, options?: OptionsOf<'listProducts'>): PageCall<'listProducts'>;
}

export const products = (op: BindOperation): Products => ({
  create: op('createProduct'),
  get: op('getProduct'),
  update: op('updateProduct'),
  archive: op('archiveProduct'),
  list: op('listProducts'),
});

export interface Storefront {
  /**
   * List storefront products.
   *
   * Returns every active product of the authenticated merchant and mode, newest first. The list is always complete:
   * `limit` and `offset` are accepted and change nothing. Send the `ETag` of the last answer as `If-None-Match`: if
   * nothing has changed since, the answer is 304 without a body.
   *
   * @example
   * for await (const product of tillhook.storefront.listProducts()) console.log(product);
   */
  listProducts(query?: Query<'listStorefrontProducts'>, options?: OptionsOf<'listStorefrontProducts'>): PageCall<'listStorefrontProducts'>;
}

export const storefront = (op: BindOperation): Storefront => ({
  listProducts: op('listStorefrontProducts'),
});

export interface Test {
  /**
   * Complete a test payment.
   *
   * Completes a payment of test mode as if the customer had paid, and sends the same events. Your test needs no
   * browser. The customer pays with the card 4242 4242 4242 4242, or in the way that the customer has chosen.
   *
   * If the payment is under review because of money that came, this accepts the payment, as the operator of the service
   * does in live mode.
   *
   * @param reference The payment's reference.
   * @throws {NotFoundError} 404: This merchant has no such resource in this mode.
   * @throws {ConflictError} 409: The payment is completed, failed or expired, or the first call with this `Idempotency-Key` has not ended yet.
   * @throws {IdempotencyError} 422: The `Idempotency-Key` was used for another request. The service compares requests byte for byte.
   * @example
   * await tillhook.test.completePayment('ref_k3v9m2q7x4t8w5n6b1zd');
   */
  completePayment(reference: string, options?: OptionsOf<'testCompletePayment'>): Call<'testCompletePayment'>;
  /**
   * Fail a test payment.
   *
   * Fails a payment of test mode as if the customer's card had been declined and the time to pay were then over, and
   * sends the same events. The reason is always `card_declined`. For other reasons, use the test cards on the hosted
   * page.
   *
   * If the payment is under review because of money that came, this refuses that money, as the operator of the service
   * does in live mode. The payment fails, unless the customer is paying in another way. A payment that is already
   * completed stays so, and the answer is 409.
   *
   * @param reference The payment's reference.
   * @throws {NotFoundError} 404: This merchant has no such resource in this mode.
   * @throws {ConflictError} 409: The payment is completed, failed or expired, or the first call with this `Idempotency-Key` has not ended yet.
   * @throws {IdempotencyError} 422: The `Idempotency-Key` was used for another request. The service compares requests byte for byte.
   * @example
   * await tillhook.test.failPayment('ref_k3v9m2q7x4t8w5n6b1zd');
   */
  failPayment(reference: string, options?: OptionsOf<'testFailPayment'>): Call<'testFailPayment'>;
  /**
   * Receive a bank transfer for a test payment.
   *
   * Lets money come in for a payment of test mode, as if the customer had chosen to pay by bank transfer and had sent this
   * amount. Exactly the amount of the payment completes it, with the same events, entries and mails as a card. Any other
   * amount, a second transfer and a transfer after the payment has ended are never refused: the payment is then under review,
   * and `reviewReason` says why.
   *
   * The payment must offer bank transfers: see `paymentMethods` of `createCheckout`. While the customer is paying in another
   * way, the answer is 409 with `payment_in_progress`.
   *
   * @param reference The payment's reference.
   * @throws {NotFoundError} 404: This merchant has no such resource in this mode.
   * @throws {ConflictError} 409: The payment has ended, or its customer is paying in another way, and no account was opened for a transfer. Or the first call with this `Idempotency-Key` has not ended yet.
   * @throws {IdempotencyError} 422: The `Idempotency-Key` was used for another request. The service compares requests byte for byte.
   * @example
   * await tillhook.test.receiveBankTransfer('ref_k3v9m2q7x4t8w5n6b1zd', { amount: 500000 });
   */
  receiveBankTransfer(reference: string, body: BankTransferReceipt, options?: OptionsOf<'testReceiveBankTransfer'>): Call<'testReceiveBankTransfer'>;
  /**
   * Fund the Transfer wallet of test mode.
   *
   * Adds money of test mode to the Transfer wallet, so that you can try transfers. When the wallet would then have more
   * than 9007199254740991, the highest number that JSON says exactly, the answer is 400 with `invalid_parameter`.
   *
   * @throws {ConflictError} 409: The first call with this `Idempotency-Key` has not ended yet.
   * @throws {IdempotencyError} 422: The `Idempotency-Key` was used for another request. The service compares requests byte for byte.
   * @example
   * await tillhook.test.fundWallet({ amount: 1000000 });
   */
  fundWallet(body: FundingRequest, options?: OptionsOf<'testFundWallet'>): Call<'testFundWallet'>;
  /**
   * Let time pass in test mode.
   *
   * Brings every deadline of your test mode nearer by this many seconds, and does at once what has become due. So a
   * test sees the end of a checkout, the retries of a delivery or the end of an old key in a second and not in hours.
   * The deadlines are
   *
   * - the expiry of checkouts,
   * - the next attempt of deliveries,
   * - the next status check of transfers and refunds,
   * - the switch to a staged signing secret, and the end of the secret that it replaced,
   * - the end of API keys that were rolled.
   *
   * No clock moves: what has happened keeps its time, and so do the timestamps of new events. Other merchants and live
   * mode notice nothing. A deadline that is farther away than this comes nearer and is not due yet. A retry that fails
   * plans the next one from now on, so call again for each retry.
   *
   * The call first waits for up to three seconds until what is already due is done, so that the deadlines which follow
   * from it come nearer too. `moved` says how many deadlines came nearer. When the answer arrives, checkouts have
   * expired and secrets have switched, unless there are thousands of them. Deliveries, transfers and refunds follow
   * within a second or so.
   *
   * @throws {ConflictError} 409: The first call with this `Idempotency-Key` has not ended yet.
   * @throws {IdempotencyError} 422: The `Idempotency-Key` was used for another request. The service compares requests byte for byte.
   * @example
   * await tillhook.test.advanceTime({ seconds: 86400 });
   */
  advanceTime(body: TimeAdvanceRequest, options?: OptionsOf<'testAdvanceTime'>): Call<'testAdvanceTime'>;
}

export const test = (op: BindOperation): Test => ({
  completePayment: op('testCompletePayment'),
  failPayment: op('testFailPayment'),
  receiveBankTransfer: op('testReceiveBankTransfer'),
  fundWallet: op('testFundWallet'),
  advanceTime: op('testAdvanceTime'),
});

export interface Session {
  /**
   * Get the user who is signed in.
   *
   * Returns the user and the merchant of the session. It is the first call of a page that was opened or reloaded.
   *
   * @example
   * await tillhook.session.get();
   */
  get(options?: OptionsOf<'getSession'>): Call<'getSession'>;
  /**
   * Sign in to the dashboard.
   *
   * Begins a session and sets its cookie, which no script can read. The session ends 12 hours after its last use, a
   * week after it began, or with `signOut`. The call needs no credential. The service refuses a browser's request
   * that comes from another site. A user with two-step sign-in also sends a code; without it the answer is 401 with
   * `two_step_required`.
   *
   * @example
   * await tillhook.session.signIn({ email: 'demo@example.com', password: 'gm2wk-9p4hd-t7x3n' });
   */
  signIn(body: SignInRequest, options?: OptionsOf<'signIn'>): Call<'signIn'>;
  /**
   * Sign out.
   *
   * Ends the session and removes the cookie. A copy of the cookie is useless from now on.
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
   * Returns the sessions of the calling user that have not ended, newest first. They show on which computers and
   * telephones the user is signed in.
   *
   * @example
   * for await (const session of tillhook.sessions.list()) console.log(session);
   */
  list(query?: Query<'listSessions'>, options?: OptionsOf<'listSessions'>): PageCall<'listSessions'>;
  /**
   * End all your other sessions.
   *
   * Ends all sessions of the calling user except the one that makes the call.
   *
   * @example
   * await tillhook.sessions.endOthers();
   */
  endOthers(options?: OptionsOf<'endOtherSessions'>): Call<'endOtherSessions'>;
  /**
   * End a session.
   *
   * Ends one session of the calling user. The next call of that session is refused with `invalid_session`. A session
   * can also end itself, but only `signOut` removes its cookie.
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
  endOthers: op('endOtherSessions'),
  end: op('endSession'),
});

export interface User {
  /**
   * Change your password.
   *
   * Replaces the password of the calling user, and ends all other sessions of that user. Where two-step sign-in is
   * on, the call needs a code.
   *
   * @example
   * await tillhook.user.changePassword({ password: 'gm2wk-9p4hd-t7x3n', newPassword: 'a longer one than before' });
   */
  changePassword(body: PasswordChange, options?: OptionsOf<'changePassword'>): Call<'changePassword'>;
  /**
   * Get your preferences.
   *
   * Returns what the calling user has chosen for themselves. It is the same in both modes and in every browser.
   *
   * @example
   * await tillhook.user.getPreferences();
   */
  getPreferences(options?: OptionsOf<'getPreferences'>): Call<'getPreferences'>;
  /**
   * Change your preferences.
   *
   * Changes the fields that the body names and keeps the others.
   *
   * @example
   * await tillhook.user.updatePreferences({ theme: 'dark', timeZone: 'Asia/Tokyo', language: 'ja-JP' });
   */
  updatePreferences(body: PreferencesUpdate, options?: OptionsOf<'updatePreferences'>): Call<'updatePreferences'>;
  /**
   * Request a link for a new password.
   *
   * Sends a mail with a link to the user who has this address. The link works once, for 30 minutes. The answer is the
   * same if no user has the address. The call needs no credential. Calls are limited by address and by network. A
   * service that sends no mails answers 409.
   *
   * @throws {ConflictError} 409: The service sends no mails.
   * @example
   * await tillhook.user.requestPasswordReset({ email: 'demo@example.com' });
   */
  requestPasswordReset(body: PasswordResetRequest, options?: OptionsOf<'requestPasswordReset'>): Call<'requestPasswordReset'>;
  /**
   * Set a new password by a link.
   *
   * Replaces the password of the user who got the link, and ends all sessions of that user and all other links to that
   * address. Two-step sign-in stays on. The call needs no credential but the token of the link, and does not sign the user in.
   *
   * @throws {ConflictError} 409: The link does not work, or works no longer.
   * @example
   * await tillhook.user.resetPassword({ token: 'q1Zr8dXv2mTt0cJk5nYb7wLsQ9eRfGh3uPa6iXo4vKM', password: 'a longer one than before' });
   */
  resetPassword(body: PasswordReset, options?: OptionsOf<'resetPassword'>): Call<'resetPassword'>;
  /**
   * Begin two-step sign-in.
   *
   * Creates a secret for an authenticator application, which reads `uri` as a QR code. `confirmTwoStep` turns
   * two-step sign-in on with the first code, within ten minutes. If two-step sign-in is on already, this call moves
   * it to another device: it needs a code, and the present secret is used until the new one is confirmed.
   *
   * @example
   * await tillhook.user.beginTwoStep({ password: 'gm2wk-9p4hd-t7x3n' });
   */
  beginTwoStep(body: TwoStepBegin, options?: OptionsOf<'beginTwoStep'>): Call<'beginTwoStep'>;
  /**
   * Turn two-step sign-in on.
   *
   * Takes the first code of the secret that `beginTwoStep` created. From now on each sign-in needs a code, and so do
   * `revealWebhookSecret`, `createApiKey` and `rollApiKey`. A code works once. The user's other sessions end. Only
   * this answer shows the recovery codes; each can be used once in place of a code.
   *
   * @throws {ConflictError} 409: No secret waits to be confirmed: `beginTwoStep` was not called, or its secret was confirmed already or has expired.
   * @example
   * await tillhook.user.confirmTwoStep({ code: '593455' });
   */
  confirmTwoStep(body: TwoStepConfirmation, options?: OptionsOf<'confirmTwoStep'>): Call<'confirmTwoStep'>;
  /**
   * Replace your recovery codes.
   *
   * Creates ten new recovery codes. Earlier ones no longer work.
   *
   * @throws {ConflictError} 409: The user does not sign in by two steps.
   * @example
   * await tillhook.user.renewRecoveryCodes({ password: 'gm2wk-9p4hd-t7x3n', code: '593455' });
   */
  renewRecoveryCodes(body: TwoStepProof, options?: OptionsOf<'renewRecoveryCodes'>): Call<'renewRecoveryCodes'>;
  /**
   * Turn two-step sign-in off.
   *
   * Sign-in needs only the password from now on. If the merchant requires two-step sign-in, the call is refused with
   * `two_step_setup_required`.
   *
   * @throws {ConflictError} 409: The user does not sign in by two steps.
   * @example
   * await tillhook.user.removeTwoStep({ password: 'gm2wk-9p4hd-t7x3n', code: '593455' });
   */
  removeTwoStep(body: TwoStepProof, options?: OptionsOf<'removeTwoStep'>): Call<'removeTwoStep'>;
}

export const user = (op: BindOperation): User => ({
  changePassword: op('changePassword'),
  getPreferences: op('getPreferences'),
  updatePreferences: op('updatePreferences'),
  requestPasswordReset: op('requestPasswordReset'),
  resetPassword: op('resetPassword'),
  beginTwoStep: op('beginTwoStep'),
  confirmTwoStep: op('confirmTwoStep'),
  renewRecoveryCodes: op('renewRecoveryCodes'),
  removeTwoStep: op('removeTwoStep'),
});

export interface Passkeys {
  /**
   * List your passkeys.
   *
   * Returns the passkeys of the calling user, newest first.
   *
   * @example
   * for await (const passkey of tillhook.passkeys.list()) console.log(passkey);
   */
  list(query?: Query<'listPasskeys'>, options?: OptionsOf<'listPasskeys'>): PageCall<'listPasskeys'>;
  /**
   * Add a passkey.
   *
   * Takes what the browser returned for the options of `beginPasskey`, and stores the passkey's public key. The passkey is
   * named after its password manager where that is known, and otherwise after the browser. A passkey alone signs its user
   * in, and counts as both steps of two-step sign-in. The user gets a mail.
   *
   * @throws {ConflictError} 409: The challenge is too old or was used already, the user has twenty passkeys, or the address of this service is no domain.
   * @example
   * await tillhook.passkeys.add({ credentialId: 'k3v9m2q7x4t8w5n6b1zd7c52', clientDataJSON: 'eyJ0eXBlIjoid2ViYXV0aG4uY3JlYXRlIn0', attestationObject: 'o2NmbXRkbm9uZWdhdHRTdG10oGhhdXRoRGF0YQ', transports: ['internal'] });
   */
  add(body: PasskeyRegistration, options?: OptionsOf<'addPasskey'>): Call<'addPasskey'>;
  /**
   * Rename a passkey.
   *
   * Only the name changes. It is shown to the user alone.
   *
   * @param id The passkey's id.
   * @throws {NotFoundError} 404: This merchant has no such resource in this mode.
   * @example
   * await tillhook.passkeys.rename('019aa3d0-1111-7c52-8f3a-1b2c3d4e5f60', { name: 'My work laptop' });
   */
  rename(id: string, body: PasskeyRename, options?: OptionsOf<'renamePasskey'>): Call<'renamePasskey'>;
  /**
   * Remove a passkey.
   *
   * From now on, no sign-in with the passkey is accepted. The other sessions that it opened end. The last passkey is refused
   * with `last_passkey` if the user has no other way to sign in: no company account, and no password or a service that has
   * switched passwords off. It is also refused where it is the second step that the merchant requires. The user gets a mail.
   *
   * @param id The passkey's id.
   * @throws {NotFoundError} 404: This merchant has no such resource in this mode.
   * @throws {ConflictError} 409: The user cannot sign in without this passkey.
   * @example
   * await tillhook.passkeys.remove('019aa3d0-1111-7c52-8f3a-1b2c3d4e5f60');
   */
  remove(id: string, options?: OptionsOf<'removePasskey'>): Call<'removePasskey'>;
  /**
   * Begin to add a passkey.
   *
   * Returns the options for `navigator.credentials.create`, as `PublicKeyCredential.parseCreationOptionsFromJSON` reads them.
   * The challenge works once, within five minutes, and only for this user. The call needs the password, and a code where
   * two-step sign-in is on. A user without a password sends `passkey` instead, an answer to `beginPasskeyProof`.
   *
   * @throws {ConflictError} 409: The challenge is too old or was used already, the user has twenty passkeys, or the address of this service is no domain.
   * @example
   * await tillhook.passkeys.begin({ password: 'gm2wk-9p4hd-t7x3n' });
   */
  begin(body: RevealRequest, options?: OptionsOf<'beginPasskey'>): Call<'beginPasskey'>;
  /**
   * Begin a proof by passkey.
   *
   * Returns the options for `navigator.credentials.get` with the user's own passkeys. What the browser returns is `passkey` in
   * calls that ask for the password. It stands for the password and the code. The challenge works once, within five
   * minutes, and only for this user.
   *
   * @throws {ConflictError} 409: The address of this service is no domain.
   * @example
   * await tillhook.passkeys.beginProof();
   */
  beginProof(options?: OptionsOf<'beginPasskeyProof'>): Call<'beginPasskeyProof'>;
  /**
   * Begin to sign in with a passkey.
   *
   * Returns the options for `navigator.credentials.get`, as `PublicKeyCredential.parseRequestOptionsFromJSON` reads them. They
   * name no passkey, so the browser offers all passkeys that it has for this service. The challenge works once, within five
   * minutes. The call needs no credential.
   *
   * @throws {ConflictError} 409: The address of this service is no domain.
   * @example
   * await tillhook.passkeys.beginSignIn();
   */
  beginSignIn(options?: OptionsOf<'beginPasskeySignIn'>): Call<'beginPasskeySignIn'>;
  /**
   * Sign in with a passkey.
   *
   * Begins a session like `signIn`. The passkey counts as both steps of two-step sign-in, so no code is needed. An unknown passkey and a
   * wrong signature get the same answer. A passkey whose counter went back is refused, because an attacker may have a
   * copy of it; the user gets a mail, and the user's other passkeys go on working.
   *
   * @throws {ConflictError} 409: The challenge is too old, or was used already.
   * @example
   * await tillhook.passkeys.signIn({ credentialId: 'q1Zr8dXv2mTt0cJk5nYb7wLs', clientDataJSON: 'eyJ0eXBlIjoid2ViYXV0aG4uZ2V0In0', authenticatorData: 'SZYN5YgOjGh0NBcPZHZgW4_krrmihjLHmVzzuoMdl2MFAAAAAQ', signature: 'MEUCIQDpassthissignaturetoverify' });
   */
  signIn(body: PasskeyAssertion, options?: OptionsOf<'signInWithPasskey'>): Call<'signInWithPasskey'>;
}

export const passkeys = (op: BindOperation): Passkeys => ({
  list: op('listPasskeys'),
  add: op('addPasskey'),
  rename: op('renamePasskey'),
  remove: op('removePasskey'),
  begin: op('beginPasskey'),
  beginProof: op('beginPasskeyProof'),
  beginSignIn: op('beginPasskeySignIn'),
  signIn: op('signInWithPasskey'),
});

export interface Team {
  /**
   * Begin to accept an invitation with a passkey.
   *
   * Returns the options for `navigator.credentials.create`. The challenge works once, within five minutes, and only for this
   * invitation. The call needs no credential.
   *
   * @throws {NotFoundError} 404: There is no invitation with this token.
   * @throws {ConflictError} 409: The invitation has expired, or was revoked or accepted. Or the address of this service is no domain.
   * @example
   * await tillhook.team.beginInvitationPasskey({ token: 'Zk3vXq8dTm1cJ0nYb5wLsR7hPe2uAi4oGf6tKx9yBcE' });
   */
  beginInvitationPasskey(body: InvitationToken, options?: OptionsOf<'beginInvitationPasskey'>): Call<'beginInvitationPasskey'>;
  /**
   * List who has access to the merchant.
   *
   * Lists the users of the merchant, the oldest first, and the invitations that no person has accepted yet, the newest first.
   * Operators of the service are in no list: they have access to every merchant.
   *
   * @example
   * await tillhook.team.list();
   */
  list(options?: OptionsOf<'listTeam'>): Call<'listTeam'>;
  /**
   * Change the role of a user.
   *
   * The new role holds from the user's next call on, also in sessions that are open. The last administrator keeps the role.
   *
   * @param id The user's id.
   * @throws {NotFoundError} 404: This merchant has no such resource in this mode.
   * @throws {ConflictError} 409: The user is the last administrator of the merchant.
   * @example
   * await tillhook.team.update('019aa3c4-2222-7c52-8f3a-1b2c3d4e5f62', { role: 'viewer' });
   */
  update(id: string, body: MemberUpdate, options?: OptionsOf<'updateMember'>): Call<'updateMember'>;
  /**
   * Remove a user.
   *
   * Removes the user, ends all sessions of the user at once and revokes the open invitations that the user made. The last
   * administrator cannot be removed. What the user did stays in the audit log, and API keys that the user created still work.
   *
   * @param id The user's id.
   * @throws {NotFoundError} 404: This merchant has no such resource in this mode.
   * @throws {ConflictError} 409: The user is the last administrator of the merchant.
   * @example
   * await tillhook.team.remove('019aa3c4-2222-7c52-8f3a-1b2c3d4e5f62');
   */
  remove(id: string, options?: OptionsOf<'removeMember'>): Call<'removeMember'>;
  /**
   * Invite a person.
   *
   * Sends an e-mail with a link by which the person chooses a password and becomes a user of the merchant with the role.
   * If the service sends no mails, the answer has the link, and no other operation shows it; otherwise only the mail has it, so
   * that only the owner of the address can accept. The link works once, and for seven days. Another
   * invitation of the same address replaces the earlier one, so a call whose answer was lost can be repeated. A merchant
   * can invite 50 times in 24 hours, and has at most 500 users and open invitations.
   *
   * @throws {ConflictError} 409: The address belongs to a user of the merchant, or the merchant has 500 users and open invitations.
   * @example
   * await tillhook.team.invite({ email: 'grace@example.com', role: 'developer' });
   */
  invite(body: InvitationRequest, options?: OptionsOf<'inviteMember'>): Call<'inviteMember'>;
  /**
   * Revoke an invitation.
   *
   * The link of the invitation does not work from now on.
   *
   * @param id The invitation's id.
   * @throws {NotFoundError} 404: This merchant has no such resource in this mode.
   * @throws {ConflictError} 409: The invitation has expired, or was revoked or accepted.
   * @example
   * await tillhook.team.revokeInvitation('019aa3c4-3333-7c52-8f3a-1b2c3d4e5f60');
   */
  revokeInvitation(id: string, options?: OptionsOf<'revokeInvitation'>): Call<'revokeInvitation'>;
  /**
   * Send an invitation again.
   *
   * Sends the e-mail again, with a new link that works for seven days from now on. The earlier link does not work any more.
   * The answer has the link only if the service sends no mails.
   * This counts as one of the 50 invitations in 24 hours.
   *
   * @param id The invitation's id.
   * @throws {NotFoundError} 404: This merchant has no such resource in this mode.
   * @throws {ConflictError} 409: The invitation has expired, or was revoked or accepted.
   * @example
   * await tillhook.team.resendInvitation('019aa3c4-3333-7c52-8f3a-1b2c3d4e5f60');
   */
  resendInvitation(id: string, options?: OptionsOf<'resendInvitation'>): Call<'resendInvitation'>;
  /**
   * Read an invitation.
   *
   * Returns what an invitation offers to the person who has its link. The call needs no credential and changes nothing.
   *
   * @throws {NotFoundError} 404: There is no invitation with this token.
   * @throws {ConflictError} 409: The invitation has expired, or was revoked or accepted.
   * @example
   * await tillhook.team.readInvitation({ token: 'Zk3vXq8dTm1cJ0nYb5wLsR7hPe2uAi4oGf6tKx9yBcE' });
   */
  readInvitation(body: InvitationToken, options?: OptionsOf<'readInvitation'>): Call<'readInvitation'>;
  /**
   * Accept an invitation.
   *
   * Makes the person a user of the merchant, and begins a session as `signIn` does. The link works once: of two calls at the
   * same moment, one succeeds. A person belongs to one merchant, so an address that already has a user is refused.
   *
   * @throws {NotFoundError} 404: There is no invitation with this token.
   * @throws {ConflictError} 409: The invitation has expired, or was revoked or accepted. Or the address already has a user.
   * @example
   * await tillhook.team.acceptInvitation({ token: 'Zk3vXq8dTm1cJ0nYb5wLsR7hPe2uAi4oGf6tKx9yBcE', name: 'Grace Eze', password: 'kitchen-radio-april' });
   */
  acceptInvitation(body: InvitationAcceptance, options?: OptionsOf<'acceptInvitation'>): Call<'acceptInvitation'>;
}

export const team = (op: BindOperation): Team => ({
  beginInvitationPasskey: op('beginInvitationPasskey'),
  list: op('listTeam'),
  update: op('updateMember'),
  remove: op('removeMember'),
  invite: op('inviteMember'),
  revokeInvitation: op('revokeInvitation'),
  resendInvitation: op('resendInvitation'),
  readInvitation: op('readInvitation'),
  acceptInvitation: op('acceptInvitation'),
});

export interface ApiKeys {
  /**
   * List API keys.
   *
   * Returns the keys of this merchant and mode, newest first, also those that have ended. It shows no key in full.
   *
   * @example
   * for await (const apikey of tillhook.apiKeys.list()) console.log(apikey);
   */
  list(query?: Query<'listApiKeys'>, options?: OptionsOf<'listApiKeys'>): PageCall<'listApiKeys'>;
  /**
   * Create an API key.
   *
   * Creates a key of the mode in `X-Service-Mode`. A merchant has at most 100 usable keys in each mode. Where
   * two-step sign-in is on, the call needs a code. Only this answer shows `key` in full. The operation takes no
   * `Idempotency-Key`: if the answer was lost, revoke the key that the list shows and create another. In live mode a
   * developer may create only a key with scopes, without `checkout:write`, `payments:write`, `transfers:write` and
   * `products:write`.
   *
   * @throws {ConflictError} 409: The merchant has 100 usable API keys in this mode.
   * @example
   * await tillhook.apiKeys.create({ name: 'Web shop' });
   */
  create(body: ApiKeyRequest, options?: OptionsOf<'createApiKey'>): Call<'createApiKey'>;
  /**
   * Replace an API key.
   *
   * Creates a successor with the same name, scopes and mode. The old key works until the overlap ends. Only this
   * answer shows the successor in full, as `key`. A key that has ended is answered 409 with `api_key_ended`. A key
   * that is already being rolled gets another successor. Where two-step sign-in is on, the call needs a code. The
   * operation takes no `Idempotency-Key`, like `createApiKey`. A developer may roll only a key that a developer may
   * create.
   *
   * @param id The API key's id.
   * @throws {NotFoundError} 404: This merchant has no such resource in this mode.
   * @throws {ConflictError} 409: The key was revoked or has expired and cannot be rolled, or the merchant has 100 keys in this mode.
   * @example
   * await tillhook.apiKeys.roll('019aa3c8-1111-7c52-8f3a-1b2c3d4e5f60', { overlapSeconds: 86400 });
   */
  roll(id: string, body?: RollRequest, options?: OptionsOf<'rollApiKey'>): Call<'rollApiKey'>;
  /**
   * Revoke an API key.
   *
   * Ends the key at once: the service refuses it from now on. Its record stays in the list. Revoking it
   * again returns the same record, so that a call whose answer was lost can be repeated.
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
   * Get what live mode still needs.
   *
   * Returns what a merchant needs before customers can pay real money, and which of it is there. The answer is the
   * same in both modes. Without a payment processor, live checkouts are refused with `processor_not_configured`, and
   * live transfers without a payout processor. The other needs are advice: live mode works without them.
   *
   * @example
   * await tillhook.settings.getLiveSetup();
   */
  getLiveSetup(options?: OptionsOf<'getLiveSetup'>): Call<'getLiveSetup'>;
  /**
   * Get the merchant's settings.
   *
   * Returns the merchant's settings. They are the same in both modes.
   *
   * @example
   * await tillhook.settings.get();
   */
  get(options?: OptionsOf<'getSettings'>): Call<'getSettings'>;
  /**
   * Change the merchant's settings.
   *
   * Changes the fields that the body names and keeps the others. Customers see the new name, colour and
   * links on the hosted page from now on, in both modes. The currency cannot be changed, because existing payments and wallets
   * would keep the old one.
   *
   * @example
   * await tillhook.settings.update({ name: 'Ada\'s Bookshop' });
   */
  update(body: SettingsUpdate, options?: OptionsOf<'updateSettings'>): Call<'updateSettings'>;
  /**
   * Preview the receipt that customers get.
   *
   * Returns the receipt of an invented payment, with the merchant's name, logo, colour and contact, also while
   * `sendReceipts` is off. No mail is sent.
   *
   * @example
   * await tillhook.settings.previewReceipt();
   */
  previewReceipt(query?: Query<'previewReceipt'>, options?: OptionsOf<'previewReceipt'>): Call<'previewReceipt'>;
  /**
   * Upload the merchant's logo.
   *
   * Replaces the logo that customers see on the hosted page, in both modes. The picture is a PNG, JPEG or WebP of at
   * most 256 KiB, 4,096 pixels a side and 4,194,304 pixels in all, and not animated. The service decodes it, makes it at
   * most 512 pixels a side, and keeps a new PNG without metadata.
   *
   * @example
   * await tillhook.settings.uploadLogo({ image: 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==' });
   */
  uploadLogo(body: LogoUpload, options?: OptionsOf<'uploadLogo'>): Call<'uploadLogo'>;
  /**
   * Remove the merchant's logo.
   *
   * Removes the logo. The hosted page shows the first letter of the merchant's name instead. Without a logo it changes
   * nothing.
   *
   * @example
   * await tillhook.settings.removeLogo();
   */
  removeLogo(options?: OptionsOf<'removeLogo'>): Call<'removeLogo'>;
}

export const settings = (op: BindOperation): Settings => ({
  getLiveSetup: op('getLiveSetup'),
  get: op('getSettings'),
  update: op('updateSettings'),
  previewReceipt: op('previewReceipt'),
  uploadLogo: op('uploadLogo'),
  removeLogo: op('removeLogo'),
});

export interface Statistics {
  /**
   * Get statistics.
   *
   * Returns payments and deliveries over time, in this mode. A payment or delivery is counted at the moment of its
   * creation, as the filters `from` and `to` of the lists take it. The first and the last interval hold only what
   * lies between `from` and `to`. The service keeps deliveries for 30 days, unless the operator of the server chose
   * another time, and does not count older ones. At most 750 intervals, which is 31 days by the hour or two
   * years by the day; more are answered 400.
   *
   * @example
   * await tillhook.statistics.get();
   */
  get(query?: Query<'getStatistics'>, options?: OptionsOf<'getStatistics'>): Call<'getStatistics'>;
  /**
   * Get the overview of an account.
   *
   * Returns the figures of the last days in this mode, together with those of the same number of days before. It
   * also returns what needs attention, and which first steps the account has taken. Days are those of the
   * merchant's time zone (`timeZone` of the settings, UTC until the merchant chooses another one), and the last one
   * is today until now: `days=1` counts from midnight there. The days before end at the same time of the day, at a
   * quarter of an hour, so that `days=1` is compared with the same hours of yesterday. All moments in the answer
   * are in UTC, as everywhere in the API.
   *
   * `volume` counts money at the moment at which it moved: a payment when it was completed, a refund when it was
   * made. `payments` and `deliveries` are counted at the moment of their creation, as the lists filter them. The
   * service keeps deliveries for 30 days, unless the operator of the server chose another time. It does not count deliveries from
   * before `deliveriesKeptFrom`. If the days before begin earlier than that, they cannot be compared: deliveries and
   * answers in `before` are null.
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
   * Returns what users did that a merchant may have to account for: sign-ins, secrets shown and rotated, keys,
   * transfers, top-ups, settings, endpoints, products, deliveries sent again. The list covers both modes, newest
   * first, and its entries are never deleted. Calls of programs with an API key are not in it.
   *
   * With `Accept: text/csv` the answer is a CSV file with all entries that match, whichever page and order
   * the query asks for.
   *
   * @example
   * for await (const auditentry of tillhook.auditEntries.list()) console.log(auditentry);
   */
  list(query?: Query<'listAuditEntries'>, options?: OptionsOf<'listAuditEntries'>): CsvPageCall<'listAuditEntries'>;
}

export const auditEntries = (op: BindOperation): AuditEntries => ({
  list: op('listAuditEntries'),
});

export interface Operator {
  /**
   * List all merchants.
   *
   * Returns all merchants of the service, newest first. To look at one, send its id in `X-Service-Merchant`.
   *
   * @example
   * for await (const merchant of tillhook.operator.listMerchants()) console.log(merchant);
   */
  listMerchants(query?: Query<'listMerchants'>, options?: OptionsOf<'listMerchants'>): PageCall<'listMerchants'>;
  /**
   * List the transfers of all merchants.
   *
   * Returns transfers of all merchants in this mode. Without `status` these are the transfers that wait, oldest
   * first, so that the oldest is paid first. With `status` these are the transfers in that status; those that have
   * ended come newest first.
   *
   * @example
   * for await (const transfer of tillhook.operator.listTransfers()) console.log(transfer);
   */
  listTransfers(query?: Query<'listOpenTransfers'>, options?: OptionsOf<'listOpenTransfers'>): PageCall<'listOpenTransfers'>;
  /**
   * Get a transfer of any merchant.
   *
   * Returns everything that is needed to make the payment, except the account number. `revealAccountNumber` shows
   * that.
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
   * Returns the account number in full. The operator sends the password again, and a code where two-step sign-in is
   * on. The merchant's audit log says that an operator looked at it.
   *
   * @param id The transfer's id.
   * @throws {NotFoundError} 404: This merchant has no such resource in this mode.
   * @example
   * await tillhook.operator.revealAccountNumber('019aa3c6-4444-7c52-8f3a-1b2c3d4e5f60', { password: 'gm2wk-9p4hd-t7x3n' });
   */
  revealAccountNumber(id: string, body: RevealRequest, options?: OptionsOf<'revealAccountNumber'>): Call<'revealAccountNumber'>;
  /**
   * Record that a live transfer has arrived.
   *
   * Completes the transfer and notifies the merchant at once. A second call is answered 409 and changes nothing.
   *
   * @param id The transfer's id.
   * @throws {NotFoundError} 404: This merchant has no such resource in this mode.
   * @throws {ConflictError} 409: The transfer's status does not allow this change, or the transfer is of test mode, where the simulator decides.
   * @example
   * await tillhook.operator.settleTransfer('019aa3c6-4444-7c52-8f3a-1b2c3d4e5f60');
   */
  settleTransfer(id: string, options?: OptionsOf<'settleTransfer'>): Call<'settleTransfer'>;
  /**
   * Record that a live transfer cannot be paid.
   *
   * Gives the amount and the fee back to the merchant, and notifies the merchant at once. A second call is answered
   * 409 and changes nothing.
   *
   * @param id The transfer's id.
   * @throws {NotFoundError} 404: This merchant has no such resource in this mode.
   * @throws {ConflictError} 409: The transfer's status does not allow this change, or the transfer is of test mode, where the simulator decides.
   * @example
   * await tillhook.operator.failTransfer('019aa3c6-4444-7c52-8f3a-1b2c3d4e5f60', { reason: 'The account is closed' });
   */
  failTransfer(id: string, body: TransferFailureRequest, options?: OptionsOf<'failTransfer'>): Call<'failTransfer'>;
  /**
   * Record that the money of a completed live transfer came back.
   *
   * Gives the amount back to the merchant, and notifies the merchant at once. A second call is answered 409 and
   * changes nothing.
   *
   * @param id The transfer's id.
   * @throws {NotFoundError} 404: This merchant has no such resource in this mode.
   * @throws {ConflictError} 409: The transfer's status does not allow this change, or the transfer is of test mode, where the simulator decides.
   * @example
   * await tillhook.operator.reverseTransfer('019aa3c6-4444-7c52-8f3a-1b2c3d4e5f60', { reason: 'The bank sent it back' });
   */
  reverseTransfer(id: string, body: TransferFailureRequest, options?: OptionsOf<'reverseTransfer'>): Call<'reverseTransfer'>;
  /**
   * List the payments that wait for a decision.
   *
   * Returns the payments of all merchants in this mode that wait for a decision, oldest first. A payment can wait
   * for several decisions: `reasons` has each of them.
   *
   * @example
   * for await (const review of tillhook.operator.listReviews()) console.log(review);
   */
  listReviews(query?: Query<'listReviews'>, options?: OptionsOf<'listReviews'>): PageCall<'listReviews'>;
  /**
   * Decide a payment.
   *
   * Decides a payment that `listReviews` lists. `completed` credits the merchant with the amount that was asked for.
   * `failed` credits nothing, and the operator gives the money back at the processor; a payment that is already
   * completed cannot fail. A second call is answered 409 and changes nothing.
   *
   * A payment that is under review for several reasons needs a decision about each. Then `reason` says which one
   * this is, and the payment stays under review for the others.
   *
   * @param id The payment's id.
   * @throws {NotFoundError} 404: This merchant has no such resource in this mode.
   * @throws {ConflictError} 409: The payment does not wait for this decision, or it is completed and can no longer fail.
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

export interface Search {
  /**
   * Search the records of an account.
   *
   * Finds records of this mode by a part of their text, in any case: payments by reference, customer's e-mail
   * address and description; refunds by their reference, that of their payment, and reason; transfers by reference,
   * recipient's name and narration; products by name and description; payment links by name, slug and description;
   * endpoints by URL. Customers are those of the
   * payments that were found. Several words are found in any order, and all have to match. An amount is found as a
   * whole, as `35`, `3,500.00`, `₦3500` or `NGN 3500`. A whole id finds its payment, refund, transfer, endpoint,
   * event or delivery.
   *
   * Each kind has its newest five records. A part of one or two characters is looked for in the newest 5,000 records
   * of each kind only, and an amount of one or two digits is no part of a reference.
   *
   * @example
   * await tillhook.search.find();
   */
  find(query?: Query<'searchRecords'>, options?: OptionsOf<'searchRecords'>): Call<'searchRecords'>;
}

export const search = (op: BindOperation): Search => ({
  find: op('searchRecords'),
});
