// Made by `npm run generate` from openapi/openapi.yaml. Do not edit.
import type { BindOperation } from '../methods.ts';
import * as resources from './resources.ts';

export class SessionResources {
  /**
   * Hosted checkout.
   */
  readonly checkout: resources.Checkout;
  /**
   * The payments that checkouts lead to.
   */
  readonly payments: resources.Payments;
  /**
   * Who hears of events, and where.
   */
  readonly webhookEndpoints: resources.WebhookEndpoints;
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
  readonly products: resources.Products;
  /**
   * What your storefront offers.
   */
  readonly storefront: resources.Storefront;
  /**
   * What a test needs and a customer would do; in test mode only.
   */
  readonly testHelpers: resources.TestHelpers;
  /**
   * Who is signed in to the dashboard.
   */
  readonly session: resources.Session;
  /**
   * Where the user is signed in.
   */
  readonly sessions: resources.Sessions;
  /**
   * How the user signs in.
   */
  readonly user: resources.User;
  /**
   * The keys that programs call with.
   */
  readonly apiKeys: resources.ApiKeys;
  /**
   * What holds for the merchant in both modes.
   */
  readonly settings: resources.Settings;
  /**
   * Money in and deliveries over time.
   */
  readonly statistics: resources.Statistics;
  /**
   * What people did.
   */
  readonly auditEntries: resources.AuditEntries;
  /**
   * What operators of the service look after, of all merchants.
   */
  readonly operator: resources.Operator;

  constructor(op: BindOperation) {
    this.checkout = resources.checkout(op);
    this.payments = resources.payments(op);
    this.webhookEndpoints = resources.webhookEndpoints(op);
    this.deliveries = resources.deliveries(op);
    this.events = resources.events(op);
    this.transfers = resources.transfers(op);
    this.wallets = resources.wallets(op);
    this.products = resources.products(op);
    this.storefront = resources.storefront(op);
    this.testHelpers = resources.testHelpers(op);
    this.session = resources.session(op);
    this.sessions = resources.sessions(op);
    this.user = resources.user(op);
    this.apiKeys = resources.apiKeys(op);
    this.settings = resources.settings(op);
    this.statistics = resources.statistics(op);
    this.auditEntries = resources.auditEntries(op);
    this.operator = resources.operator(op);
  }
}
