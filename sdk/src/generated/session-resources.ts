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
  readonly webhookEndpoints: resources.WebhookEndpoints;
  /**
   * What the service sent to the endpoints.
   */
  readonly deliveries: resources.Deliveries;
  /**
   * Everything that happened, whether or not an endpoint received it.
   */
  readonly events: Pick<resources.Events, 'list' | 'get'>;
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
  readonly products: resources.Products;
  /**
   * The products that your storefront shows.
   */
  readonly storefront: resources.Storefront;
  /**
   * Calls for tests, in test mode only. They end payments, add money and let time pass.
   */
  readonly test: resources.Test;
  /**
   * The session of the user who is signed in to the dashboard.
   */
  readonly session: resources.Session;
  /**
   * All sessions of that user.
   */
  readonly sessions: resources.Sessions;
  /**
   * The preferences, the password and the two-step sign-in of that user.
   */
  readonly user: resources.User;
  /**
   * The passkeys of that user.
   */
  readonly passkeys: resources.Passkeys;
  /**
   * The users of the merchant, and invitations.
   */
  readonly team: resources.Team;
  /**
   * The API keys of programs.
   */
  readonly apiKeys: resources.ApiKeys;
  /**
   * The merchant's settings, the same in both modes.
   */
  readonly settings: resources.Settings;
  /**
   * Payments and deliveries over time.
   */
  readonly statistics: resources.Statistics;
  /**
   * Records of what users did.
   */
  readonly auditEntries: resources.AuditEntries;
  /**
   * The work of the service's operators, for all merchants.
   */
  readonly operator: resources.Operator;
  readonly search: resources.Search;

  constructor(op: BindOperation) {
    this.checkout = resources.checkout(op);
    this.payments = resources.payments(op);
    this.paymentLinks = resources.paymentLinks(op);
    this.refunds = resources.refunds(op);
    this.customers = resources.customers(op);
    this.webhookEndpoints = resources.webhookEndpoints(op);
    this.deliveries = resources.deliveries(op);
    this.events = {
      list: op('listEvents'),
      get: op('getEvent'),
    };
    this.transfers = resources.transfers(op);
    this.wallets = resources.wallets(op);
    this.products = resources.products(op);
    this.storefront = resources.storefront(op);
    this.test = resources.test(op);
    this.session = resources.session(op);
    this.sessions = resources.sessions(op);
    this.user = resources.user(op);
    this.passkeys = resources.passkeys(op);
    this.team = resources.team(op);
    this.apiKeys = resources.apiKeys(op);
    this.settings = resources.settings(op);
    this.statistics = resources.statistics(op);
    this.auditEntries = resources.auditEntries(op);
    this.operator = resources.operator(op);
    this.search = resources.search(op);
  }
}
