import { openDatabase } from '@tillhook/server/src/database/orm.ts';
import { newId } from '@tillhook/server/src/kit/ids.ts';
import type { ExecutionContext } from 'ava';
import { createTestDatabase, type TestDatabase } from './database.ts';

/** A database that nobody has migrated. */
export async function emptyDatabase(t: ExecutionContext) {
  const database = await createTestDatabase();
  t.teardown(() => database.drop());
  const open = async () => {
    const orm = await openDatabase(database.url, 2);
    t.teardown(() => orm.close());
    return orm;
  };
  await database.query('drop schema public cascade; create schema public');
  return { database, open };
}

/** One merchant, as the first version wrote it. */
export async function insertMerchant(database: TestDatabase): Promise<string> {
  const id = newId();
  await database.query(`insert into merchant (id, name, currency, created_at) values ($1, 'Store', 'NGN', now())`, [
    id,
  ]);
  return id;
}

/** A payment of 100 as a version without a ledger leaves it. */
export async function insertPayment(
  database: TestDatabase,
  merchantId: string,
  { currency = 'NGN', status = 'completed' } = {},
): Promise<string> {
  const id = newId();
  await database.query(
    `insert into payment (id, merchant_id, mode, reference, access_code, amount, currency, status, customer_email,
       metadata, attempts, expires_at, completed_at, created_at, updated_at)
     values ($1, $2, 'test', $1::uuid::text, gen_random_uuid(), 100, $3, $4, 'ada@example.com', '{}', 1, now(), now(), now(), now())`,
    [id, merchantId, currency, status],
  );
  return id;
}
