/**
 * Creates transfers by calling the service of `createTransfer` directly, without HTTP: it seals, checks, posts and
 * saves.
 */
import { randomBytes, randomUUID } from 'node:crypto';
import { openCommandContext } from '@tillhook/server/src/command-context.ts';
import { loadConfig } from '@tillhook/server/src/config.ts';
import { type WithPrincipal, withFreshEntityManager } from '@tillhook/server/src/context.ts';
import { inTransaction } from '@tillhook/server/src/database/transaction.ts';
import { startTransfer } from '@tillhook/server/src/transfers/transfers.service.ts';
import { amount, answerWalletWork, poolSize } from './wallet-work.ts';

const [, , databaseUrl = ''] = process.argv;
const config = loadConfig({
  DATABASE_URL: databaseUrl,
  DATABASE_POOL_SIZE: String(poolSize),
  MASTER_KEYS: `bench:${randomBytes(32).toString('base64')}`,
  LOG_LEVEL: 'warn',
  NODE_ENV: 'production',
});
const started = new AsyncDisposableStack();
const command = await openCommandContext({ config, started });
const context = { ...command.context, payouts: { serves: () => true, ring() {} } };

const caller = { mode: 'test', currency: 'NGN', scopes: null, actor: { type: 'key', apiKeyId: '' } } as const;
const recipient = { name: 'Grace Hopper', accountNumber: '0123456789', bankCode: '058' };

answerWalletWork(async (merchantId) => {
  const called: WithPrincipal = { principal: { ...caller, merchantId } };
  const details = { reference: `payout-${randomUUID()}`, amount, recipient };
  await inTransaction({ ...withFreshEntityManager(context), ...called }, (tx) => startTransfer(tx, details));
});
