import type { TestMerchant, TestServer } from '../server/tillhook.ts';

/** Inserts products by SQL, because so many calls would exceed the rate limit. */
export async function insertProducts(server: TestServer, { id }: TestMerchant, count: number): Promise<void> {
  await server.database.query(
    `insert into product (id, merchant_id, mode, name, price, currency, is_active, metadata, created_at, updated_at)
     select uuidv7(), $1, 'test', 'Mug ' || n, 450000, 'NGN', true, '{}', now(), now() from generate_series(1, $2::int) n`,
    [id, count],
  );
}
