import { reachDatabase } from '@tillhook/server/src/database/connections.ts';
import { createRemoteBell } from '@tillhook/server/src/delivery/queue/bell.ts';
import type { Target } from '@tillhook/server/src/docs-portal/figures.ts';
import { createLogger } from '@tillhook/server/src/kit/logger.ts';
import { Pool as PostgresPool } from 'pg';
import { Pool } from 'undici';
import type { Bench } from './bench.ts';
import { type Child, startChild } from './child.ts';
import { figureOf, type Measured, quantile } from './contest.ts';
import { startCpuMeter } from './cpu.ts';
import { registerAt } from './deliver.ts';
import { deliveryLatencies } from './delivery-latency.ts';
import { createTestKey, merchantOf } from './merchant.ts';
import { queueMore, removeAllDeliveries } from './owe.ts';
import type { RunningServer } from './server.ts';
import { atSteadyPace } from './steady-pace.ts';

const perSecond = 200;

const lightly = `Each event is committed alone, as publish() writes it, and an API process rings the bell. A worker process wakes up,
  claims, signs and sends. The time is from the commit, as Postgres records it, to the moment when the receiver has the body.`;

const whole = `The same for real payments, on the same cores: an API process completes the payments (testCompletePayment over HTTP), each in
  a separate transaction with its ledger entries, and rings the bell.`;

/** The time from the commit of an event to its receipt, when no other deliveries wait before it. */
export async function measureCommitToReceipt(bench: Bench, total: number): Promise<Measured[]> {
  const receiver = await startChild(bench.running, 'receiver.ts');
  const [endpointId = ''] = await registerAt(bench, receiver, 1);
  const worker = await bench.startServer('worker');
  const database = new PostgresPool({ connectionString: bench.databaseUrl, max: 4 });
  const timed: Timed = { bench, database, receiver, worker, endpointId, total };
  const light = await measureCommits(timed);
  const paid = await measurePayments(timed);
  await database.end();
  await worker.stop();
  await receiver.stop();
  return [
    figure(light, { part: 0.5, about: lightly }),
    figure(light, { part: 0.95, about: lightly, target: { of: 'tillhook', atMost: 3 } }),
    figure(paid, { part: 0.95, about: whole, how: ' by payments' }),
  ];
}

interface Timed {
  bench: Bench;
  database: PostgresPool;
  receiver: Child;
  worker: RunningServer;
  endpointId: string;
  total: number;
}

async function measureCommits(timed: Timed): Promise<Rounds> {
  const { bench, database, endpointId } = timed;
  const { databaseUrl } = bench;
  const bell = createRemoteBell({ database: reachDatabase(databaseUrl), log: createLogger('warn') });
  const rounds = await repeat(timed, { begin: () => queueMore(database, [endpointId], bell) });
  await bell.stop();
  return rounds;
}

async function measurePayments(timed: Timed): Promise<Rounds> {
  const { bench, endpointId, total } = timed;
  const merchantId = await merchantOf(bench.database, endpointId);
  const key = await createTestKey(bench.database, merchantId);
  const api = await bench.startServer('api');
  const pool = new Pool(new URL(api.url).origin, { connections: 32, pipelining: 1, allowH2: false });
  let references: string[] = [];
  const rounds = await repeat(timed, {
    processes: { api: api.pid },
    async prepare() {
      references = await createPayments(bench, merchantId, total);
    },
    begin: (index) => completePayment(pool, key, references[index] ?? ''),
  });
  await pool.close();
  await api.stop();
  return rounds;
}

/** For each round: times in milliseconds, and the CPU time per event of each process. */
type Rounds = { latencies: number[]; roundTrips: number[]; cpuMicros: Record<string, number> }[];

interface Pace {
  processes?: Record<string, number>;
  prepare?(): Promise<void>;
  begin(index: number): Promise<void>;
}

async function repeat(timed: Timed, { processes, prepare, begin }: Pace): Promise<Rounds> {
  const { bench, database, receiver, worker, total } = timed;
  const rounds: Rounds = [];
  for (let round = 0; round <= bench.rounds; round += 1) {
    await prepare?.();
    // The time of a round trip on an idle database, to compare with.
    const roundTrips = await timesOf(() => database.query('select 1'), total);
    await removeAllDeliveries(bench.database);
    const cpu = startCpuMeter({ ...processes, worker: worker.pid, postgres: bench.postgresPid });
    const queue = () => atSteadyPace({ total, perSecond, begin });
    const latencies = await deliveryLatencies({ database: bench.database, receiver, expected: total, queue });
    // The first round only warms up.
    if (round > 0) rounds.push({ latencies, roundTrips, cpuMicros: cpu.microsPer(total) });
  }
  return rounds;
}

async function timesOf(work: () => Promise<unknown>, total: number): Promise<number[]> {
  const times: number[] = [];
  const begin = async () => {
    const startMs = performance.now();
    await work();
    times.push(performance.now() - startMs);
  };
  await atSteadyPace({ total, perSecond, begin });
  return times;
}

interface Shown {
  part: number;
  about: string;
  how?: string;
  target?: Target;
}

function figure(rounds: Rounds, { part, about, how = '', target }: Shown): Measured {
  const name = `commit → receipt at ${perSecond} events/s${how}, p${part * 100}`;
  const against = 'a round trip to Postgres, `select 1`';
  return figureOf(
    { name, about, unit: 'ms', target, against },
    rounds.map(({ latencies, roundTrips, cpuMicros }) => ({
      tillhook: quantile(latencies, part),
      baseline: quantile(roundTrips, part),
      cpuMicros: { tillhook: cpuMicros, baseline: {} },
    })),
  );
}

/** Inserts payments as `createCheckout` does, and returns their references. */
export async function createPayments({ database }: Bench, merchantId: string, total: number): Promise<string[]> {
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
  if (statusCode !== 200) throw new Error(`A payment was not completed: ${statusCode} ${answer}`);
}
