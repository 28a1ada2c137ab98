import { accountOperations } from '../auth/account.operations.ts';
import { deliveriesOperations } from '../delivery/deliveries.operations.ts';
import { paymentsOperations } from '../payments/payments.operations.ts';
import { productsOperations } from '../products/products.operations.ts';
import { transfersOperations } from '../transfers/transfers.operations.ts';
import { walletsOperations } from '../wallets/wallets.operations.ts';
import { webhooksOperations } from '../webhooks/webhooks.operations.ts';
import type { Operations } from './operation.ts';

/** Every operation of the contract and its handler: one line a room. */
export const operations: Operations = {
  ...accountOperations,
  ...paymentsOperations,
  ...webhooksOperations,
  ...deliveriesOperations,
  ...transfersOperations,
  ...walletsOperations,
  ...productsOperations,
};
