import { paymentsOperations } from '../money/payments/payments.operations.ts';
import { reviewsOperations } from '../money/payments/reviews.operations.ts';
import { productsOperations } from '../money/products/products.operations.ts';
import { refundsOperations } from '../money/refunds/refunds.operations.ts';
import { operatorTransfersOperations } from '../money/transfers/operator-transfers.operations.ts';
import { transfersOperations } from '../money/transfers/transfers.operations.ts';
import { walletsOperations } from '../money/wallets/wallets.operations.ts';
import type { Operations } from '../operation/operation.ts';
import { auditOperations } from '../people/audit/audit.operations.ts';
import { apiKeysOperations } from '../people/keys/api-keys.operations.ts';
import { logosOperations } from '../people/logos/logos.operations.ts';
import { merchantsOperations } from '../people/merchants/merchants.operations.ts';
import { sessionsOperations } from '../people/sessions/sessions.operations.ts';
import { twoStepOperations } from '../people/sessions/two-step.operations.ts';
import { statisticsOperations } from '../statistics/statistics.operations.ts';
import { testTimeOperations } from '../test-time/test-time.operations.ts';
import { webhooksOperations } from '../webhooks/endpoints/webhooks.operations.ts';
import { deliveriesOperations } from '../webhooks/log/deliveries.operations.ts';

/** All operations of the contract with their handlers, one line for each module. */
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
