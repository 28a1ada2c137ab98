import { auditOperations } from './audit/audit.operations.ts';
import { apiKeysOperations } from './auth/keys/api-keys.operations.ts';
import { merchantsOperations } from './auth/merchants/merchants.operations.ts';
import { sessionsOperations } from './auth/sessions/sessions.operations.ts';
import { twoStepOperations } from './auth/sessions/two-step.operations.ts';
import { deliveriesOperations } from './delivery/log/deliveries.operations.ts';
import { logosOperations } from './logos/logos.operations.ts';
import type { Operations } from './operation/operation.ts';
import { paymentsOperations } from './payments/payments.operations.ts';
import { reviewsOperations } from './payments/reviews.operations.ts';
import { productsOperations } from './products/products.operations.ts';
import { refundsOperations } from './refunds/refunds.operations.ts';
import { statisticsOperations } from './statistics/statistics.operations.ts';
import { testTimeOperations } from './test-time/test-time.operations.ts';
import { operatorTransfersOperations } from './transfers/operator-transfers.operations.ts';
import { transfersOperations } from './transfers/transfers.operations.ts';
import { walletsOperations } from './wallets/wallets.operations.ts';
import { webhooksOperations } from './webhooks/webhooks.operations.ts';

/** All operations of the contract with their handlers, one line for each room. */
export const operations: Operations = {
  ...sessionsOperations,
  ...twoStepOperations,
  ...apiKeysOperations,
  ...merchantsOperations,
  ...logosOperations,
  ...paymentsOperations,
  ...refundsOperations,
  ...webhooksOperations,
  ...deliveriesOperations,
  ...transfersOperations,
  ...walletsOperations,
  ...productsOperations,
  ...statisticsOperations,
  ...auditOperations,
  ...operatorTransfersOperations,
  ...reviewsOperations,
  ...testTimeOperations,
};
