/**
 * Creates refunds by calling the service of `createRefund` directly, without HTTP: it locks the payment, checks what is
 * left of it, saves and posts.
 */
import { randomBytes } from 'node:crypto';
import { openCommandContext } from '@tillhook/server/src/command-context.ts';
import { loadConfig } from '@tillhook/server/src/config.ts';
import { type WithPrincipal, withFreshEntityManager } from '@tillhook/server/src/context.ts';
import { inTransaction } from '@tillhook/server/src/database/transaction.ts';
import { createSimulator } from '@tillhook/server/src/processors/simulator.ts';
import { startRefund } from '@tillhook/server/src/refunds/refunds.service.ts';
import { amount, answerWalletWork, poolSize, referenceOf } from './wallet-work.ts';

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
const context = { ...command.context, processors: { test: createSimulator('test') }, refunds: { ring() {} } };

const caller = { mode: 'test', currency: 'NGN', scopes: null, actor: { type: 'key', apiKeyId: '' } } as const;

answerWalletWork(async (merchantId, number) => {
  const called: WithPrincipal = { principal: { ...caller, merchantId } };
  const details = { amount, reason: 'The customer returned the order' };
  await inTransaction({ ...withFreshEntityManager(context), ...called }, (tx) =>
    startRefund(tx, referenceOf(number), details),
  );
});
