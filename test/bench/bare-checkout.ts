/**
 * The smallest HTTP server that saves a payment and its answer: no API key, no validation, no rate limits, no log. Its
 * arguments are the address of the database and the ids of the merchants, who get the payments in turn.
 */
import { randomBytes, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import express from 'express';
import { Pool, type PoolClient } from 'pg';

const [, , databaseUrl, ...merchantIds] = process.argv;
const pool = new Pool({ connectionString: databaseUrl, max: 10 });
let received = 0;
const app = express();
app.use(express.json());
app.post('/api/v1/payments/checkout', async (request, response) => {
  const { email, amount } = request.body;
  const reference = `ref_${randomBytes(10).toString('hex')}`;
  const accessCode = randomUUID();
  const checkoutUrl = `http://localhost/checkout/${accessCode}`;
  const answer = { success: true, message: 'Created', data: { checkoutUrl, reference, accessCode } };
  received += 1;
  const merchantId = merchantIds[received % merchantIds.length];
  const client = await pool.connect();
  try {
    await client.query('begin');
    await insertPayment(client, [randomUUID(), merchantId, reference, accessCode, amount, email]);
    await insertAnswer(client, [merchantId, request.get('Idempotency-Key'), JSON.stringify(answer)]);
    await client.query('commit');
  } finally {
    client.release();
  }
  response.status(201).json(answer);
});

const server = createServer(app).listen(0, '127.0.0.1');
await once(server, 'listening');
process.send?.(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);

async function insertPayment(client: PoolClient, values: unknown[]): Promise<void> {
  await client.query(
    `insert into payment
       (id, merchant_id, mode, reference, access_code, amount, currency, status, customer_email, metadata, attempts,
        expires_at, created_at, updated_at)
     values ($1, $2, 'test', $3, $4, $5, 'NGN', 'pending', $6, '{}', 0, now() + interval '1 day', now(), now())`,
    values,
  );
}

async function insertAnswer(client: PoolClient, values: unknown[]): Promise<void> {
  await client.query(
    `insert into idempotency_key (merchant_id, mode, key, fingerprint, response, created_at)
     values ($1, 'test', $2, '', $3, now())`,
    values,
  );
}
