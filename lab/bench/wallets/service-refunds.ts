/** Creates refunds by calling the service of `createRefund` without HTTP. */
import { withFreshEntityManager } from '@tillhook/server/src/context.ts';
import { startRefund } from '@tillhook/server/src/money/refunds/refunds.service.ts';
import { inTransaction } from '@tillhook/server/src/platform/database/transaction.ts';
import { createPaymentSimulator } from '@tillhook/server/src/processors/simulator/payments.ts';
import { callerOf, openWalletService } from './wallet-service.ts';
import { amount, answerWalletWork, referenceOf } from './wallet-work.ts';

const service = await openWalletService();
const context = { ...service, processors: { test: createPaymentSimulator('test') }, refunds: { ring() {} } };

answerWalletWork(async (merchantId, number) => {
  const details = { amount, reason: 'The customer returned the order' };
  await inTransaction({ ...withFreshEntityManager(context), ...callerOf(merchantId) }, (tx) =>
    startRefund(tx, referenceOf(number), details),
  );
});
