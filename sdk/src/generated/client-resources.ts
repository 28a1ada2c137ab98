// Made by `npm run generate` from openapi/openapi.yaml. Do not edit.
import type { BindOperation } from '../methods.ts';
import * as resources from './resources.ts';

export class ClientResources {
  /**
   * Whose key this is.
   */
  readonly account: resources.Account;
  /**
   * Hosted checkout.
   */
  readonly checkout: resources.Checkout;
  /**
   * The payments that checkouts lead to.
   */
  readonly payments: Pick<resources.Payments, 'list' | 'get' | 'cancel'>;
  /**
   * Who hears of events, and where.
   */
  readonly webhookEndpoints: Pick<resources.WebhookEndpoints, 'list' | 'register' | 'get' | 'update' | 'remove' | 'sendTest' | 'rotateSecret' | 'completeSecretRotation' | 'replay'>;
  /**
   * What was sent to the endpoints.
   */
  readonly deliveries: resources.Deliveries;
  /**
   * Everything that happened, whether or not an endpoint was told.
   */
  readonly events: resources.Events;
  /**
   * Money sent out.
   */
  readonly transfers: resources.Transfers;
  /**
   * The money you have.
   */
  readonly wallets: resources.Wallets;
  /**
   * What you put on your storefront.
   */
  readonly products: Pick<resources.Products, 'create' | 'update' | 'archive'>;
  /**
   * What your storefront offers.
   */
  readonly storefront: resources.Storefront;
  /**
   * What a test needs and a customer would do; in test mode only.
   */
  readonly testHelpers: resources.TestHelpers;

  constructor(op: BindOperation) {
    this.account = resources.account(op);
    this.checkout = resources.checkout(op);
    this.payments = {
      list: op('listPayments'),
      get: op('getPayment'),
      cancel: op('cancelCheckout'),
    };
    this.webhookEndpoints = {
      list: op('listWebhookEndpoints'),
      register: op('registerWebhookEndpoint'),
      get: op('getWebhookEndpoint'),
      update: op('updateWebhookEndpoint'),
      remove: op('removeWebhookEndpoint'),
      sendTest: op('sendTestEvent'),
      rotateSecret: op('rotateWebhookSecret'),
      completeSecretRotation: op('completeWebhookSecretRotation'),
      replay: op('replayDeliveries'),
    };
    this.deliveries = resources.deliveries(op);
    this.events = resources.events(op);
    this.transfers = resources.transfers(op);
    this.wallets = resources.wallets(op);
    this.products = {
      create: op('createProduct'),
      update: op('updateProduct'),
      archive: op('archiveProduct'),
    };
    this.storefront = resources.storefront(op);
    this.testHelpers = resources.testHelpers(op);
  }
}
