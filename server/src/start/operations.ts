import * as customers from '../money/customers/customers.operations.ts';
import * as receiptPreview from '../money/mails/receipt-preview.operations.ts';
import * as paymentLinks from '../money/payment-links/payment-links.operations.ts';
import * as payments from '../money/payments/payments.operations.ts';
import * as reviews from '../money/payments/reviews.operations.ts';
import * as products from '../money/products/products.operations.ts';
import * as refunds from '../money/refunds/refunds.operations.ts';
import * as operatorTransfers from '../money/transfers/operator-transfers.operations.ts';
import * as transfers from '../money/transfers/transfers.operations.ts';
import * as wallets from '../money/wallets/wallets.operations.ts';
import type { Operations } from '../operation/operation.ts';
import * as passkeys from '../people/account/passkeys.operations.ts';
import * as passwordReset from '../people/account/password-reset.operations.ts';
import * as preferences from '../people/account/preferences.operations.ts';
import * as twoStep from '../people/account/two-step.operations.ts';
import * as audit from '../people/audit/audit.operations.ts';
import * as apiKeys from '../people/keys/api-keys.operations.ts';
import * as logos from '../people/logos/logos.operations.ts';
import * as merchants from '../people/merchants/merchants.operations.ts';
import * as sessions from '../people/sessions/sessions.operations.ts';
import * as team from '../people/team/team.operations.ts';
import * as search from '../search/search.operations.ts';
import * as statistics from '../statistics/statistics.operations.ts';
import * as testTime from '../test-time/test-time.operations.ts';
import * as testEvent from '../webhooks/dispatch/test-event.operations.ts';
import * as endpoints from '../webhooks/endpoints/endpoints.operations.ts';
import * as events from '../webhooks/events/events.operations.ts';
import * as deliveries from '../webhooks/log/deliveries.operations.ts';

export const operations: Operations = {
  ...passkeys,
  ...sessions,
  ...preferences,
  ...twoStep,
  ...passwordReset,
  ...team,
  ...apiKeys,
  ...merchants,
  ...logos,
  ...receiptPreview,
  ...payments,
  ...refunds,
  ...customers,
  ...endpoints,
  ...testEvent,
  ...events,
  ...deliveries,
  ...transfers,
  ...wallets,
  ...paymentLinks,
  ...products,
  ...statistics,
  ...search,
  ...audit,
  ...operatorTransfers,
  ...reviews,
  ...testTime,
};
