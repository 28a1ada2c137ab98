import { randomBytes } from 'node:crypto';
import { loadConfig } from '@tillhook/server/src/config/config.ts';
import type { WithPrincipal } from '@tillhook/server/src/context.ts';
import { openCommandContext } from '@tillhook/server/src/start/command-context.ts';

export async function openWalletService() {
  const [, , databaseUrl = ''] = process.argv;
  const config = loadConfig({
    DATABASE_URL: databaseUrl,
    MASTER_KEYS: `bench:${randomBytes(32).toString('base64')}`,
    NODE_ENV: 'production',
  });
  const { context } = await openCommandContext({ config, started: new AsyncDisposableStack() });
  return context;
}

export function callerOf(merchantId: string): WithPrincipal {
  const actor = { type: 'key', apiKeyId: '' } as const;
  return { principal: { merchantId, mode: 'test', currency: 'NGN', scopes: null, actor } };
}
