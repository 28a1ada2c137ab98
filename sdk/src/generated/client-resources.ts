// Made by `npm run generate` from openapi/openapi.yaml. Do not edit.
import type { BindOperation } from '../methods.ts';
import * as resources from './resources.ts';

export class ClientResources {
  /**
   * The merchant and the key that call.
   */
  readonly account: resources.Account;
  /**
   * Hosted checkout.
   */
  readonly checkout: resources.Checkout;
  /**
   * The payments that checkouts lead to.
   */
  readonly payments: Pick<resources.Payments, 'list' | 'get' | 'update' | 'cancel'>;
  /**
   * Links that any number of customers can pay.
   */
  readonly paymentLinks: resources.PaymentLinks;
  /**
   * Money given back to customers.
   */
  readonly refunds: resources.Refunds;
  /**
   * The addresses that paid, with their payments added up.
   */
  readonly customers: resources.Customers;
  /**
   * The addresses that receive events.
   */
  readonly webhookEndpoints: Pick<resources.WebhookEndpoints, 'list' | 'register' | 'get' | 'update' | 'remove' | 'sendTest' | 'rotateSecret' | 'completeSecretRotation' | 'replay'>;
  /**
   * What the service sent to the endpoints.
   */
  readonly deliveries: resources.Deliveries;
  /**
   * Everything that happened, whether or not an endpoint received it.
   */
  readonly events: resources.Events;
  /**
   * Money sent out.
   */
  readonly transfers: resources.Transfers;
  /**
   * The money that you have.
   */
  readonly wallets: resources.Wallets;
  /**
   * The products that you sell.
   */
  readonly products: Pick<resources.Products, 'create' | 'get' | 'update' | 'archive'>;
  /**
   * The products that your storefront shows.
   */
  readonly storefront: resources.Storefront;
  /**
   * Calls for tests, in test mode only. They end payments, add money and let time pass.
   */
  readonly test: resources.Test;

  constructor(op: BindOperation) {
    this.account = resources.account(op);
    this.checkout = resources.checkout(op);
    this.payments = {
      list: op('listPayments'),
      get: op('getPayment'),
      update: op('updatePayment'),
      cancel: op('cancelCheckout'),
    };
    this.paymentLinks = resources.paymentLinks(op);
    this.refunds = resources.refunds(op);
    this.customers = resources.customers(op);
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
      get: op('getProduct'),
      update: op('updateProduct'),
      archive: op('archiveProduct'),
    };
    this.storefront = resources.storefront(op);
    this.test = resources.test(op);
  }
}
