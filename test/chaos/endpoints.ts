import { newId } from '@tillhook/server/src/kit/ids.ts';
import { newSigningSecret } from '@tillhook/server/src/webhooks/signing-secret.ts';
import type { Stage } from './stage.ts';

/** Registers so many endpoints at one address and returns their ids. */
export async function registerEndpoints(
  { database, sealer }: Stage,
  merchantId: string,
  { url, count }: { url: string; count: number },
): Promise<string[]> {
  const endpoints = Array.from({ length: count }, () => {
    const id = newId();
    return { id, secret: sealer.seal(newSigningSecret(), id) };
  });
  await database.query(
    `insert into webhook_endpoint (id, merchant_id, mode, url, sealed_secret, secret_last4, events, is_active, created_at)
     select id, $1, 'test', $2, secret, '0000', '*', true, now()
     from json_to_recordset($3) as endpoint (id uuid, secret text)`,
    [merchantId, url, JSON.stringify(endpoints)],
  );
  return endpoints.map(({ id }) => id);
}
