import { newIds } from '../database/new-ids.ts';
import type { TestMerchant, TestServer } from '../server/tillhook.ts';

/** Inserts products by SQL, because so many API calls would exceed the rate limit. */
export async function insertProducts(server: TestServer, { id }: TestMerchant, count: number): Promise<void> {
  await server.database.query(
    `insert into product (id, merchant_id, mode, name, price, currency, is_active, metadata, created_at, updated_at)
     select new_id, $1, 'test', 'Mug ' || n, 450000, 'NGN', true, '{}', now(), now()
     from unnest($2::uuid[]) with ordinality as given (new_id, n)`,
    [id, newIds(count)],
  );
}
