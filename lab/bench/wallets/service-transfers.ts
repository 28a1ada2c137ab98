/** Creates transfers by calling the service of `createTransfer` without HTTP. */
import { randomUUID } from 'node:crypto';
import { withFreshEntityManager } from '@tillhook/server/src/context.ts';
import { startTransfer } from '@tillhook/server/src/money/transfers/transfers.service.ts';
import { inTransaction } from '@tillhook/server/src/platform/database/transaction.ts';
import { callerOf, openWalletService } from './wallet-service.ts';
import { amount, answerWalletWork } from './wallet-work.ts';

const context = { ...(await openWalletService()), payouts: { serves: () => true, ring() {} } };
const recipient = { name: 'Grace Hopper', accountNumber: '0123456789', bankCode: '058' };

answerWalletWork(async (merchantId) => {
  const details = { reference: `payout-${randomUUID()}`, amount, recipient };
  await inTransaction({ ...withFreshEntityManager(context), ...callerOf(merchantId) }, (tx) =>
    startTransfer(tx, details),
  );
});
