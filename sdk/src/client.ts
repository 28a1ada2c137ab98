import { readOptions, type TillhookOptions } from './client-options.ts';
import { type Resource, resourcesOver } from './operations.ts';
import { createTransport } from './transport.ts';

/**
 * A client of one Tillhook server with one API key. The key's mode, test or live, is the mode of
 * everything that the client makes and lists. The key is a secret: keep it on your server.
 *
 * @example
 * const tillhook = new Tillhook('sk_test_…', { baseUrl: 'http://localhost:3000' });
 * const session = await tillhook.checkout.create({ email: 'ada@example.com', amount: 500000 });
 * console.log('Send the customer to', session.data.checkoutUrl);
 */
export class Tillhook {
  /** Hosted checkout. */
  readonly checkout: Resource<typeof checkout>;
  /** The payments that checkouts lead to. */
  readonly payments: Resource<typeof payments>;
  /** Who hears of events, and where. */
  readonly webhookEndpoints: Resource<typeof webhookEndpoints>;
  /** Money sent out. */
  readonly transfers: Resource<typeof transfers>;
  /** What your storefront offers. */
  readonly storefront: Resource<typeof storefront>;

  constructor(apiKey: string, options: TillhookOptions) {
    const bind = resourcesOver(createTransport(readOptions(apiKey, options)));
    this.checkout = bind(checkout);
    this.payments = bind(payments);
    this.webhookEndpoints = bind(webhookEndpoints);
    this.transfers = bind(transfers);
    this.storefront = bind(storefront);
  }
}

const checkout = {
  /**
   * Creates a checkout session; send the customer to `data.checkoutUrl`.
   *
   * @example
   * const { data } = await tillhook.checkout.create({ email: 'ada@example.com', amount: 500000 });
   */
  create: 'createCheckout',
} as const;

const payments = {
  /**
   * Lists one page of payments, newest first.
   *
   * @example
   * const { payments, total } = await tillhook.payments.list({ status: 'completed', limit: 50 });
   */
  list: 'listPayments',
  /**
   * Gets the payment with this reference, or throws a `NotFoundError`.
   *
   * @example
   * const payment = await tillhook.payments.get('order-1042');
   */
  get: 'getPayment',
} as const;

const webhookEndpoints = {
  /**
   * Registers an address for events. Keep the `secret` of the answer: it is never shown again.
   *
   * @example
   * const { secret } = await tillhook.webhookEndpoints.register({ url: 'https://shop.example.com/webhooks' });
   */
  register: 'registerWebhookEndpoint',
  /**
   * Lists every endpoint of this merchant and mode, with masked secrets.
   *
   * @example
   * const { webhooks } = await tillhook.webhookEndpoints.list();
   */
  list: 'listWebhookEndpoints',
  /**
   * Removes an endpoint; nothing is sent to it any more.
   *
   * @example
   * await tillhook.webhookEndpoints.remove(endpoint.id);
   */
  remove: 'removeWebhookEndpoint',
  /**
   * Sends a `test.event` to an endpoint and answers with what the receiver said.
   *
   * @example
   * const { data } = await tillhook.webhookEndpoints.sendTest(endpoint.id);
   * console.log(data.delivered ? 'It works.' : `It failed: ${data.error ?? data.statusCode}`);
   */
  sendTest: 'sendTestEvent',
} as const;

const transfers = {
  /**
   * Lists one page of outbound transfers, newest first.
   *
   * @example
   * const { transfers, total } = await tillhook.transfers.list({ limit: 20, offset: 40 });
   */
  list: 'listTransfers',
} as const;

const storefront = {
  /**
   * Lists every active product; the list is always complete.
   *
   * @example
   * const { products } = await tillhook.storefront.listProducts();
   */
  listProducts: 'listStorefrontProducts',
} as const;
