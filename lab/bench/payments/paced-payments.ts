import { newSigningSecret } from '@tillhook/server/src/webhooks/endpoints/signing-secret.ts';
import { eventually } from '@tillhook/test/support/eventually.ts';
import { Pool } from 'undici';
import { type Child, startReceiver } from '../../support/child.ts';
import { startCpuMeter } from '../../support/cpu.ts';
import { createMerchants, type Merchant } from '../../support/merchant.ts';
import { isNothingDue, registerEndpoints } from '../../support/queued-deliveries.ts';
import type { Expectation, Receipts } from '../../support/receiver.ts';
import type { RunningServer } from '../../support/server.ts';
import type { Bench } from '../bench.ts';
import { atSteadyPace } from '../steady-pace.ts';
import type { Store } from '../store.ts';
import { completePayment, createCheckout } from './payments.ts';

export const perSecond = 50;

export const paymentsText = `${perSecond} payments a second of a hundred merchants in turn: createCheckout with an Idempotency-Key, then testCompletePayment,
  both over HTTP, and the webhook, which the receiver verifies with the SDK. The service is one process, and its log is a file. Service, Postgres
  and receiver count; the program that makes the calls does not.`;

export interface PaymentStage {
  bench: Bench;
  store: Store;
  receiver: Child;
  service: RunningServer;
  merchants: Merchant[];
  pool: Pool;
}

export async function openPaymentStage(
  bench: Bench,
  store: Store,
  env: Record<string, string> = {},
): Promise<PaymentStage> {
  const secret = newSigningSecret();
  const receiver = await startReceiver(bench.running, secret);
  const merchants = await createMerchants(store.database);
  for (const { id: merchantId } of merchants) {
    const endpoint = { merchantId, url: `${receiver.greeting}/webhooks`, count: 1, secret };
    await registerEndpoints(store.database, bench.sealer, endpoint);
  }
  const service = await bench.startServer('all', { ...env, DATABASE_URL: store.url });
  const pool = new Pool(new URL(service.url).origin, { connections: 32, pipelining: 1, allowH2: false });
  return { bench, store, receiver, service, merchants, pool };
}

export async function closePaymentStage({ pool, service, receiver }: PaymentStage): Promise<void> {
  await pool.close();
  await service.stop();
  await receiver.stop();
}

export async function payAtPace(stage: PaymentStage): Promise<Record<string, number>> {
  const { bench, store, receiver, service, merchants, pool } = stage;
  const total = perSecond * bench.seconds;
  const received = receiver.ask<Receipts>({ expected: total } satisfies Expectation);
  const cpu = startCpuMeter({ service: service.pid, postgres: bench.postgresPid, receiver: receiver.pid });
  const begin = async (index: number) => {
    const key = merchants[index % merchants.length]?.key ?? '';
    await completePayment(pool, key, await createCheckout(pool, key));
  };
  await atSteadyPace({ total, perSecond, begin });
  await received;
  await eventually(() => isNothingDue(store.database), true);
  return cpu.microsPer(total);
}

export function totalMs(cpuMicros: Record<string, number>): number {
  return Object.values(cpuMicros).reduce((sum, micros) => sum + micros, 0) / 1000;
}
