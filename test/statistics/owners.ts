import { type Context, type WithPrincipal, withFreshEntityManager } from '@tillhook/server/src/context.ts';
import { unreachableUrl } from '../support/receivers/deliveries.ts';
import type { ServerWithContext } from '../support/server/tillhook.ts';
import type { Owner } from './generated-rows.ts';

export async function createOwner(server: ServerWithContext): Promise<Owner> {
  const { id, client, liveClient } = await server.createMerchant();
  const three = async (of: typeof client) => {
    const made: string[] = [];
    for (let count = 0; count < 3; count += 1)
      made.push((await of.webhookEndpoints.register({ url: unreachableUrl })).id);
    await of.webhookEndpoints.remove(made[2] ?? '');
    return made;
  };
  return { id, endpoints: { test: await three(client), live: await three(liveClient) } };
}

const actor = { type: 'key', apiKeyId: '01997c3e-6f1d-7cc0-8e0b-2f5d9a1b4c7e' } as const;

export function contextAt(
  server: ServerWithContext,
  { now, merchantId, retentionDays = 30 }: { now: Date; merchantId: string; retentionDays?: number },
): Context & WithPrincipal {
  const context: Context = withFreshEntityManager(server.context);
  const principal = { merchantId, mode: 'test', currency: 'NGN', scopes: null, actor } as const;
  return { ...context, principal, clock: { now: () => now }, config: { ...context.config, retentionDays } };
}
