import { hashApiKey, newApiKey } from '@tillhook/server/src/auth/keys/api-key.ts';
import { newId } from '@tillhook/server/src/kit/ids.ts';
import type { Client } from 'pg';

export async function createMerchant(database: Client): Promise<string> {
  const id = newId();
  await database.query(
    `insert into merchant (id, name, currency, created_at) values ($1, 'Bench Store', 'NGN', now())`,
    [id],
  );
  return id;
}

/** Creates an API key of test mode for the merchant, and returns it. */
export async function createTestKey(database: Client, merchantId: string): Promise<string> {
  const key = newApiKey('test');
  await database.query(
    `insert into api_key (id, merchant_id, mode, hash, prefix, last4, created_at)
     values ($1, $2, 'test', $3, $4, $5, now())`,
    [newId(), merchantId, hashApiKey(key), key.slice(0, 12), key.slice(-4)],
  );
  return key;
}

export async function merchantOf(database: Client, endpointId: string): Promise<string> {
  const { rows } = await database.query('select merchant_id from webhook_endpoint where id = $1', [endpointId]);
  return rows[0].merchant_id;
}
