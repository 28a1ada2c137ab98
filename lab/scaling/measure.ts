import type { Costs, ScalingReport, TableCosts } from '@tillhook/docs/figures/scaling.ts';
import { eventually } from '@tillhook/test/support/eventually.ts';
import { Pool } from 'undici';
import type { Bench } from '../bench/bench.ts';
import { completePayment, createCheckout } from '../bench/payments/payments.ts';
import { startReceiver } from '../support/child.ts';
import { startCpuMeter } from '../support/cpu.ts';
import { createMerchants, type Merchant } from '../support/merchant.ts';
import { isNothingDue, registerEndpoints } from '../support/queued-deliveries.ts';

const callsInFlight = 16;
const warmUpSeconds = 5;

/**
 * The difference between the costs of payments with and without an endpoint is the cost of a delivery. The API sends no
 * deliveries itself, which is the most expensive configuration.
 */
export async function measureCosts(bench: Bench): Promise<Pick<ScalingReport, 'payment' | 'delivery'>> {
  const receiver = await startReceiver(bench.running);
  const silent = await createMerchants(bench.database);
  const heard = await createMerchants(bench.database);
  for (const { id: merchantId } of heard) {
    const endpoint = { merchantId, url: `${receiver.greeting}/webhooks`, count: 1 };
    await registerEndpoints(bench.database, bench.sealer, endpoint);
  }
  const [api, worker] = [await bench.startServer('api', { DELIVERY_DIRECT: 'off' }), await bench.startServer('worker')];
  const pids = { api: api.pid, worker: worker.pid, postgres: bench.postgresPid };
  const stage = { bench, pids, origin: new URL(api.url).origin };
  await pay(stage, heard, warmUpSeconds);
  const payment = await pay(stage, silent, bench.seconds);
  const both = await pay(stage, heard, bench.seconds);
  await api.stop();
  await worker.stop();
  await receiver.stop();
  // Payments without deliveries cause no work for the worker, so its CPU time is the time of an idle worker.
  return { payment: { ...payment, workerMicros: 0 }, delivery: difference(both, payment) };
}

interface Stage {
  bench: Bench;
  pids: Record<'api' | 'worker' | 'postgres', number>;
  origin: string;
}

async function pay({ bench, pids, origin }: Stage, merchants: readonly Merchant[], seconds: number): Promise<Costs> {
  const pool = new Pool(origin, { connections: callsInFlight, pipelining: 1, allowH2: false });
  const before = await readSizes(bench);
  const cpu = startCpuMeter(pids);
  const endsAt = performance.now() + seconds * 1000;
  let paid = 0;
  const payInTurn = async () => {
    while (performance.now() < endsAt) {
      const key = merchants[paid++ % merchants.length]?.key ?? '';
      await completePayment(pool, key, await createCheckout(pool, key));
    }
  };
  await Promise.all(Array.from({ length: callsInFlight }, payInTurn));
  await eventually(() => isNothingDue(bench.database), true);
  const { api = 0, worker = 0, postgres = 0 } = cpu.microsPer(paid);
  const after = await readSizes(bench);
  await pool.close();
  const tables = Object.entries(after.tables).map(([table, { rows, bytes }]) => {
    const earlier = before.tables[table] ?? { rows: 0, bytes: 0 };
    return [table, { rows: (rows - earlier.rows) / paid, bytes: (bytes - earlier.bytes) / paid }] as const;
  });
  return {
    apiMicros: api,
    workerMicros: worker,
    postgresMicros: postgres,
    walBytes: (after.walBytes - before.walBytes) / paid,
    tables: Object.fromEntries(tables.filter(([, { rows, bytes }]) => rows > 0 || bytes > 0)),
  };
}

interface Sizes {
  walBytes: number;
  tables: Record<string, TableCosts>;
}

async function readSizes({ database }: Bench): Promise<Sizes> {
  const { rows: sizes } = await database.query(
    `select coalesce(pg_partition_root(oid), oid)::regclass::text as name, sum(pg_total_relation_size(oid))::float8 as bytes
     from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace group by 1`,
  );
  const tables: Record<string, TableCosts> = {};
  for (const { name, bytes } of sizes) {
    const { rows } = await database.query(`select count(*)::float8 as count from ${name}`);
    tables[name] = { rows: rows[0].count, bytes };
  }
  const { rows } = await database.query(`select (pg_current_wal_insert_lsn() - '0/0')::float8 as bytes`);
  return { walBytes: rows[0].bytes, tables };
}

function difference(both: Costs, payment: Costs): Costs {
  const names = new Set([...Object.keys(both.tables), ...Object.keys(payment.tables)]);
  const tables = [...names].map((name) => {
    const [more, less] = [both, payment].map(({ tables: of }) => of[name] ?? { rows: 0, bytes: 0 });
    return [name, { rows: atLeastNone(more?.rows, less?.rows), bytes: atLeastNone(more?.bytes, less?.bytes) }] as const;
  });
  return {
    apiMicros: atLeastNone(both.apiMicros, payment.apiMicros),
    workerMicros: atLeastNone(both.workerMicros, payment.workerMicros),
    postgresMicros: atLeastNone(both.postgresMicros, payment.postgresMicros),
    walBytes: atLeastNone(both.walBytes, payment.walBytes),
    tables: Object.fromEntries(tables.filter(([, { rows, bytes }]) => rows > 0 || bytes > 0)),
  };
}

/** The difference of two measured values may be slightly negative. */
const atLeastNone = (more = 0, less = 0) => Math.max(0, more - less);
