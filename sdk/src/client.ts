import { readOptions, type TillhookOptions } from './client-options.ts';
import { type Resource, resourcesOver } from './operations.ts';
import { account } from './resources/account.ts';
import { checkout } from './resources/checkout.ts';
import { deliveries } from './resources/deliveries.ts';
import { events } from './resources/events.ts';
import { payments } from './resources/payments.ts';
import { products } from './resources/products.ts';
import { storefront } from './resources/storefront.ts';
import { testHelpers } from './resources/test-helpers.ts';
import { transfers } from './resources/transfers.ts';
import { wallets } from './resources/wallets.ts';
import { webhookEndpoints } from './resources/webhook-endpoints.ts';
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
  /** Whose key this is. */
  readonly account: Resource<typeof account>;
  /** Hosted checkout. */
  readonly checkout: Resource<typeof checkout>;
  /** The payments that checkouts lead to. */
  readonly payments: Resource<typeof payments>;
  /** Who hears of events, and where. */
  readonly webhookEndpoints: Resource<typeof webhookEndpoints>;
  /** What was sent to the endpoints. */
  readonly deliveries: Resource<typeof deliveries>;
  /** What happened, whoever heard of it. */
  readonly events: Resource<typeof events>;
  /** Money sent out. */
  readonly transfers: Resource<typeof transfers>;
  /** The money you have. */
  readonly wallets: Resource<typeof wallets>;
  /** What you put on your storefront. */
  readonly products: Resource<typeof products>;
  /** What your storefront offers. */
  readonly storefront: Resource<typeof storefront>;
  /** What a test needs and a customer would do; for keys of test mode. */
  readonly testHelpers: Resource<typeof testHelpers>;

  constructor(apiKey: string, options: TillhookOptions) {
    const bind = resourcesOver(createTransport(readOptions(apiKey, options)));
    this.account = bind(account);
    this.checkout = bind(checkout);
    this.payments = bind(payments);
    this.webhookEndpoints = bind(webhookEndpoints);
    this.deliveries = bind(deliveries);
    this.events = bind(events);
    this.transfers = bind(transfers);
    this.wallets = bind(wallets);
    this.products = bind(products);
    this.storefront = bind(storefront);
    this.testHelpers = bind(testHelpers);
  }
}
