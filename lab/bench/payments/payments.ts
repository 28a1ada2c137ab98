import { randomUUID } from 'node:crypto';
import type { Pool } from 'undici';
import type { Bench } from '../bench.ts';

export async function createPayments(
  { database }: Pick<Bench, 'database'>,
  merchantId: string,
  total: number,
): Promise<string[]> {
  const { rows } = await database.query(
    `insert into payment
       (id, merchant_id, mode, reference, access_code, amount, currency, status, customer_email, metadata, attempts,
        expires_at, created_at, updated_at)
     select uuidv7(), $1, 'test', 'ref_' || replace(uuidv7()::text, '-', ''), gen_random_uuid(), 500000, 'NGN', 'pending',
       'ada@example.com', '{}', 0, now() + interval '1 day', now(), now()
     from generate_series(1, $2::int) returning reference`,
    [merchantId, total],
  );
  return rows.map(({ reference }) => reference);
}

export async function completePayment(pool: Pool, key: string, reference: string): Promise<void> {
  const { statusCode, body } = await pool.request({
    method: 'POST',
    path: `/api/v1/test-helpers/payments/${reference}/complete`,
    headers: { authorization: `Bearer ${key}` },
  });
  const answer = await body.text();
  if (statusCode !== 200) throw new Error(`Failed to complete a payment: ${statusCode} ${answer}`);
}

export async function createCheckout(pool: Pool, key: string): Promise<string> {
  const { statusCode, body } = await pool.request({
    method: 'POST',
    path: '/api/v1/payments/checkout',
    headers: { 'content-type': 'application/json', 'x-api-key': key, 'idempotency-key': randomUUID() },
    body: JSON.stringify({ email: 'ada@example.com', amount: 500_000 }),
  });
  const answer = (await body.json()) as { data: { reference: string } };
  if (statusCode !== 201) throw new Error(`Failed to create a checkout: ${statusCode} ${JSON.stringify(answer)}`);
  return answer.data.reference;
}
