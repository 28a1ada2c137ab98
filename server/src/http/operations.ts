import { auditOperations } from '../audit/audit.operations.ts';
import { accountOperations } from '../auth/account.operations.ts';
import { apiKeysOperations } from '../auth/api-keys.operations.ts';
import { operatorOperations } from '../auth/operator.operations.ts';
import { sessionOperations } from '../auth/session.operations.ts';
import { sessionsOperations } from '../auth/sessions.operations.ts';
import { settingsOperations } from '../auth/settings.operations.ts';
import { twoStepOperations } from '../auth/two-step.operations.ts';
import { deliveriesOperations } from '../delivery/deliveries.operations.ts';
import { paymentsOperations } from '../payments/payments.operations.ts';
import { reviewsOperations } from '../payments/reviews.operations.ts';
import { productsOperations } from '../products/products.operations.ts';
import { statisticsOperations } from '../statistics/statistics.operations.ts';
import { operatorTransfersOperations } from '../transfers/operator-transfers.operations.ts';
import { transfersOperations } from '../transfers/transfers.operations.ts';
import { walletsOperations } from '../wallets/wallets.operations.ts';
import { webhooksOperations } from '../webhooks/webhooks.operations.ts';
import type { Operations } from './operation.ts';

/** Every operation of the contract and its handler: one line a room. */
export const operations: Operations = {
  ...accountOperations,
  ...sessionOperations,
  ...sessionsOperations,
  ...twoStepOperations,
  ...apiKeysOperations,
  ...settingsOperations,
  ...paymentsOperations,
  ...webhooksOperations,
  ...deliveriesOperations,
  ...transfersOperations,
  ...walletsOperations,
  ...productsOperations,
  ...statisticsOperations,
  ...auditOperations,
  ...operatorOperations,
  ...operatorTransfersOperations,
  ...reviewsOperations,
};
