import { newSigningSecret } from '@tillhook/server/src/webhooks/signing-secret.ts';
import { Pool } from 'undici';
import { eventually } from '../support/eventually.ts';
import type { Bench } from './bench.ts';
import { type Child, startChild } from './child.ts';
import { figureOf, type Measured, type Round } from './contest.ts';
import { startCpuMeter } from './cpu.ts';
import { createMerchants, type Merchant } from './merchant.ts';
import { isNothingDue, registerEndpoints } from './owe.ts';
import { completePayment, createCheckout } from './payments.ts';
import type { Expectation, Receipts } from './receiver.ts';
import type { RunningServer } from './server.ts';
import { atSteadyPace } from './steady-pace.ts';

const perSecond = 50;

const about = `${perSecond} payments a second of a hundred merchants in turn: createCheckout with an Idempotency-Key, then testCompletePayment,
  both over HTTP, and the webhook, which the receiver verifies with the SDK. The service is one process, and its log is a file. Service, Postgres
  and receiver count; the program that makes the calls does not.`;

interface Stage {
  bench: Bench;
  receiver: Child;
  service: RunningServer;
  merchants: Merchant[];
  pool: Pool;
}

/** The CPU time of a test payment, from `createCheckout` to its verified webhook. */
export async function measureTestPayments(bench: Bench): Promise<Measured[]> {
  const secret = newSigningSecret();
  const receiver = await startChild(bench.running, 'receiver.ts', { args: [secret] });
  const merchants = await createMerchants(bench.database);
  for (const { id: merchantId } of merchants) {
    const endpoint = { merchantId, url: `${receiver.greeting}/webhooks`, count: 1, secret };
    await registerEndpoints(bench.database, bench.sealer, endpoint);
  }
  const service = await bench.startServer('all');
  const pool = new Pool(new URL(service.url).origin, { connections: 32, pipelining: 1, allowH2: false });
  const stage: Stage = { bench, receiver, service, merchants, pool };
  const rounds: Round[] = [];
  // The first round only warms up.
  for (let round = 0; round <= bench.rounds; round += 1) {
    const cpuMicros = await payAtPace(stage);
    const tillhook = Object.values(cpuMicros).reduce((sum, micros) => sum + micros, 0) / 1000;
    if (round > 0 && tillhook > 0) rounds.push({ tillhook, cpuMicros: { tillhook: cpuMicros, baseline: {} } });
  }
  await pool.close();
  await service.stop();
  await receiver.stop();
  const name = 'CPU of a test payment, from createCheckout to its verified webhook';
  const described = { name, about, unit: 'ms', target: { of: 'tillhook', atMost: 4 } } as const;
  // Only Linux reports the CPU time of a process.
  return rounds.length > 0 ? [figureOf(described, rounds)] : [];
}

/** Makes payments for the seconds of a round, and returns the CPU time of each process per payment. */
async function payAtPace({ bench, receiver, service, merchants, pool }: Stage): Promise<Record<string, number>> {
  const total = perSecond * bench.seconds;
  const received = receiver.ask<Receipts>({ expected: total } satisfies Expectation);
  const cpu = startCpuMeter({ service: service.pid, postgres: bench.postgresPid, receiver: receiver.pid });
  const begin = async (index: number) => {
    const key = merchants[index % merchants.length]?.key ?? '';
    await completePayment(pool, key, await createCheckout(pool, key));
  };
  await atSteadyPace({ total, perSecond, begin });
  await received;
  await eventually(() => isNothingDue(bench.database), true);
  return cpu.microsPer(total);
}
