import { newId } from '@tillhook/server/src/kit/ids.ts';
import { hashApiKey, newApiKey } from '@tillhook/server/src/people/keys/api-key.ts';
import type { Client } from 'pg';

export interface Merchant {
  id: string;
  key: string;
}

/** With this number of merchants, the rows and locks of a merchant cost as much as in a large service. */
const usualCount = 100;

export async function createMerchants(database: Client): Promise<Merchant[]> {
  const merchants: Merchant[] = [];
  while (merchants.length < usualCount) {
    const id = await createMerchant(database);
    merchants.push({ id, key: await createTestKey(database, id) });
  }
  return merchants;
}

export async function createMerchant(database: Client): Promise<string> {
  const id = newId();
  await database.query(
    `insert into merchant (id, name, currency, created_at) values ($1, 'Bench Store', 'NGN', now())`,
    [id],
  );
  return id;
}

export async function createTestKey(database: Client, merchantId: string): Promise<string> {
  const key = newApiKey('test');
  await database.query(
    `insert into api_key (id, merchant_id, mode, hash, prefix, last4, created_at)
     values ($1, $2, 'test', $3, $4, $5, now())`,
    [newId(), merchantId, hashApiKey(key), key.slice(0, 12), key.slice(-4)],
  );
  return key;
}
