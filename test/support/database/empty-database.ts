import { systemClock } from '@tillhook/server/src/kit/clock.ts';
import { newId } from '@tillhook/server/src/kit/ids.ts';
import { reachDatabase } from '@tillhook/server/src/platform/database/connection/connections.ts';
import { openOrm } from '@tillhook/server/src/start/orm.ts';
import type { ExecutionContext } from 'ava';
import { createTestDatabase, type Database } from './database.ts';

export async function emptyDatabase(t: ExecutionContext) {
  const database = await createTestDatabase();
  t.teardown(() => database.drop());
  const open = async () => {
    const orm = await openOrm(reachDatabase(database.url), 2);
    t.teardown(() => orm.close());
    return orm;
  };
  await database.query('drop schema public cascade; create schema public');
  return { database, open };
}

/** Inserts a merchant, with only the columns that the first release had. */
export async function insertMerchant(database: Database): Promise<string> {
  const id = newId();
  await database.query(`insert into merchant (id, name, currency, created_at) values ($1, 'Store', 'NGN', now())`, [
    id,
  ]);
  return id;
}

export function contextOf(orm: Awaited<ReturnType<typeof openOrm>>) {
  return { em: orm.em.fork(), clock: systemClock, config: { retentionDays: 30 } };
}

const eventOf = new Map([
  ['completed', 'checkout.success'],
  ['failed', 'checkout.failed'],
]);

/** Inserts a payment of 100 and its event, as releases without a ledger did. */
export async function insertPayment(
  database: Database,
  merchantId: string,
  { currency = 'NGN', status = 'completed' } = {},
): Promise<string> {
  const id = newId();
  const event = eventOf.get(status);
  await database.query(
    `insert into payment (id, merchant_id, mode, reference, access_code, amount, currency, status, customer_email,
       metadata, attempts, expires_at, completed_at, created_at, updated_at)
     values ($1, $2, 'test', $1::uuid::text, gen_random_uuid(), 100, $3, $4, 'ada@example.com', '{}', 1, now(), now(), now(), now())`,
    [id, merchantId, currency, status],
  );
  if (event) {
    await database.query(
      `insert into event (id, merchant_id, mode, name, reference, body, created_at)
       values (gen_random_uuid(), $1, 'test', $2, $3, '{', now())`,
      [merchantId, event, id],
    );
  }
  return id;
}
