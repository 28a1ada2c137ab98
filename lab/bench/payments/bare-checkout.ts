/**
 * The smallest HTTP server that saves a payment and the response for its `Idempotency-Key`. It has as many database
 * connections as our server, but no API keys, validation, rate limits or log.
 */
import { randomBytes, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import express from 'express';
import { Pool } from 'pg';
import { poolSize } from '../pool-size.ts';

/** `transaction` saves the two rows in four round trips to Postgres, `statement` in one round trip. */
export type Saving = 'transaction' | 'statement';

const [, , saving = '', databaseUrl, ...merchantIds] = process.argv;
const pool = new Pool({ connectionString: databaseUrl, max: poolSize });
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
  const payment = [randomUUID(), merchantId, reference, accessCode, amount, email];
  await savings[saving as Saving](payment, [merchantId, request.get('Idempotency-Key'), JSON.stringify(answer)]);
  response.status(201).json(answer);
});

const server = createServer(app).listen(0, '127.0.0.1');
await once(server, 'listening');
process.send?.(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);

const insertPayment = `
  insert into payment
    (id, merchant_id, mode, reference, access_code, amount, currency, status, customer_email, metadata, attempts,
     expires_at, created_at, updated_at)
  values ($1, $2, 'test', $3, $4, $5, 'NGN', 'pending', $6, '{}', 0, now() + interval '1 day', now(), now())`;

const insertAnswer = (first: number) => `
  insert into idempotency_key (merchant_id, mode, key, fingerprint, response, created_at)
  values ($${first}, 'test', $${first + 1}, '', $${first + 2}, now())`;

const savings: Record<Saving, (payment: unknown[], answer: unknown[]) => Promise<void>> = {
  async transaction(payment, answer) {
    const client = await pool.connect();
    try {
      await client.query('begin');
      await client.query({ name: 'payment', text: insertPayment, values: payment });
      await client.query({ name: 'answer', text: insertAnswer(1), values: answer });
      await client.query('commit');
    } finally {
      client.release();
    }
  },
  async statement(payment, answer) {
    const text = `with payment as (${insertPayment}) ${insertAnswer(payment.length + 1)}`;
    await pool.query({ name: 'both', text, values: [...payment, ...answer] });
  },
};
