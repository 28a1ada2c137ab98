import { Pool } from 'undici';
import { startCpuMeter } from '../../support/cpu.ts';
import { createMerchants, type Merchant } from '../../support/merchant.ts';
import type { RunningServer } from '../../support/server.ts';
import type { Bench } from '../bench.ts';
import { figureOf, type Measured, type Round } from '../contest.ts';
import { inBothOrders } from '../rounds.ts';
import { atSteadyPace } from '../steady-pace.ts';
import { openStore } from '../store.ts';
import { totalMs } from './paced-payments.ts';
import { completePayment, createPayments } from './payments.ts';

const perSecond = 50;

const about = `${perSecond} calls of testCompletePayment a second, of a hundred merchants in turn, whose payments write a receipt in the one service and
  none in the other. Both services have their own database on the same Postgres. A process of the service and Postgres count. The receipts are not sent: a
  worker does this later.`;

interface Stage {
  service: RunningServer;
  pool: Pool;
  merchants: Merchant[];
  createPayments(merchantId: string, total: number): Promise<string[]>;
}

export async function measureReceipts(bench: Bench): Promise<Measured[]> {
  const stages = {
    baseline: await openStage(bench, 'without-receipts'),
    tillhook: await openStage(bench, 'with-receipts'),
  };
  const names = ['baseline', 'tillhook'] as const;
  const payInTurns = (rounds: number) => inBothOrders(names, rounds, (name) => pay(bench, stages[name]));
  // The first round is a warm-up.
  await payInTurns(1);
  const rounds: Round[] = [];
  for (let round = 1; round <= bench.rounds; round += 1) {
    // Postgres works longer for the second service, which cleans up after the first. Two orders cancel this out.
    const taken = await payInTurns(2);
    const meanOf = (name: (typeof names)[number]) =>
      taken.reduce((sum, turn) => sum + totalMs(turn[name]), 0) / taken.length;
    if (meanOf('baseline') > 0) rounds.push({ tillhook: meanOf('tillhook') - meanOf('baseline') });
  }
  for (const name of names) {
    await stages[name].pool.close();
    await stages[name].service.stop();
  }
  const name = 'CPU that a receipt adds to the completion of a payment';
  const described = { name, about, unit: 'ms', target: { of: 'tillhook', atMost: 0.15 } } as const;
  // Only Linux reports the CPU time of a process.
  return rounds.length > 0 ? [figureOf(described, rounds)] : [];
}

async function openStage(bench: Bench, name: string): Promise<Stage> {
  const store = await openStore(bench, name);
  const merchants = await createMerchants(store.database);
  await store.database.query('update merchant set send_receipts = $1', [name === 'with-receipts']);
  // In a demo, payments of test mode write receipts too.
  const service = await bench.startServer('api', { DATABASE_URL: store.url, SEED_DEMO: 'true' });
  const pool = new Pool(new URL(service.url).origin, { connections: 32, pipelining: 1, allowH2: false });
  return {
    ...{ service, pool, merchants },
    createPayments: (merchantId, total) => createPayments({ ...bench, database: store.database }, merchantId, total),
  };
}

async function pay(bench: Bench, { service, pool, merchants, createPayments }: Stage): Promise<Record<string, number>> {
  const total = perSecond * bench.seconds;
  const perMerchant = Math.ceil(total / merchants.length);
  const payments: { key: string; reference: string }[] = [];
  for (const { id, key } of merchants) {
    for (const reference of await createPayments(id, perMerchant)) payments.push({ key, reference });
  }
  const cpu = startCpuMeter({ service: service.pid, postgres: bench.postgresPid });
  const begin = async (index: number) => {
    const { key, reference } = payments[index] as (typeof payments)[number];
    await completePayment(pool, key, reference);
  };
  await atSteadyPace({ total, perSecond, begin });
  return cpu.microsPer(total);
}
