import { Pool } from 'undici';
import type { Bench } from './bench.ts';
import { startChild } from './child.ts';
import { figureOf, type Measured, quantile } from './contest.ts';
import { registerAt } from './deliver.ts';
import { deliveryLatencies } from './delivery-latency.ts';
import { createTestKey, merchantOf } from './merchant.ts';
import { forget } from './owe.ts';
import { atSteadyPace } from './steady-pace.ts';

const perSecond = 200;

const about = `The whole way: an API process completes ${perSecond} test payments a second (testCompletePayment over HTTP), each in a
  transaction of its own with its event, and rings; a worker process hears it, claims, signs and sends. From the moment that
  Postgres gives for the commit to the moment when the receiver has the body.`;

/** How long an event takes from its commit to its receiver when there is no queue to wait in. */
export async function measureCommitToReceipt(bench: Bench, total: number): Promise<Measured[]> {
  const receiver = await startChild(bench.running, 'receiver.ts');
  const [endpointId = ''] = await registerAt(bench, receiver, 1);
  const merchantId = await merchantOf(bench.database, endpointId);
  const key = await createTestKey(bench.database, merchantId);
  const api = await bench.startServer('api');
  const worker = await bench.startServer('worker');
  const pool = new Pool(new URL(api.url).origin, { connections: 32, pipelining: 1, allowH2: false });
  const rounds: number[][] = [];
  for (let round = 0; round <= bench.rounds; round += 1) {
    const references = await createPayments(bench, merchantId, total);
    await forget(bench.database);
    const begin = (index: number) => completePayment(pool, key, references[index] ?? '');
    const owe = () => atSteadyPace({ total, perSecond, begin });
    const latencies = await deliveryLatencies({ database: bench.database, receiver, expected: total, owe });
    // The first is to warm up.
    if (round > 0) rounds.push(latencies);
  }
  await pool.close();
  await worker.stop();
  await api.stop();
  await receiver.stop();
  return [figure(rounds, 0.5), figure(rounds, 0.95)];
}

function figure(rounds: number[][], part: number): Measured {
  const described = {
    name: `commit → receipt at ${perSecond} events/s, p${part * 100}`,
    about,
    unit: 'ms',
    target: part === 0.95 ? ({ of: 'tillhook', atMost: 3 } as const) : undefined,
  } as const;
  return figureOf(
    described,
    rounds.map((latencies) => ({ tillhook: quantile(latencies, part) })),
  );
}

/** As `createCheckout` leaves them. */
async function createPayments({ database }: Bench, merchantId: string, total: number): Promise<string[]> {
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

async function completePayment(pool: Pool, key: string, reference: string): Promise<void> {
  const { statusCode, body } = await pool.request({
    method: 'POST',
    path: `/api/v1/test-helpers/payments/${reference}/complete`,
    headers: { authorization: `Bearer ${key}` },
  });
  const answer = await body.text();
  if (statusCode !== 200) throw new Error(`A payment was not completed: ${statusCode} ${answer}`);
}
