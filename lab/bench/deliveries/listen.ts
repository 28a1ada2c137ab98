import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { Pool } from 'undici';
import { type Child, startReceiver } from '../../support/child.ts';
import { peakMemoryMiB } from '../../support/memory.ts';
import { createMerchant, createTestKey } from '../../support/merchant.ts';
import { removeAllDeliveries, sampleEvent } from '../../support/queued-deliveries.ts';
import type { Expectation, Receipts } from '../../support/receiver.ts';
import { quantile } from '../../support/spread.ts';
import type { Bench } from '../bench.ts';
import { figureOf, type Measured, type Round } from '../contest.ts';
import { completePayment, createPayments } from '../payments/payments.ts';
import { atSteadyPace } from '../steady-pace.ts';
import { deliveryLatencies } from './delivery-latency.ts';

const perSecond = 20;
const timedEvents = 200;

const live = `An API process completes payments (testCompletePayment over HTTP). Another process runs the developer's command listen, which
  waits for events, signs each and posts it to a receiver. The time is from the commit, as Postgres records it, to the moment when the
  receiver has the body. An answer with events takes a tenth of a second at least, so that many events come in one.`;

const behind = `The events happened before listen starts. It reads them a hundred at a time and posts each, signed, ten at once. The
  clock starts at the first receipt.`;

const program = fileURLToPath(new URL('../../../mock/src/commands/developer.ts', import.meta.url));

interface Stage {
  bench: Bench;
  receiver: Child;
  merchantId: string;
  key: string;
  url: string;
}

export async function measureListen(bench: Bench, total: number): Promise<Measured[]> {
  const api = await bench.startServer('api');
  const merchantId = await createMerchant(bench.database);
  const key = await createTestKey(bench.database, merchantId);
  const receiver = await startReceiver(bench.running);
  const stage: Stage = { bench, receiver, merchantId, key, url: api.url };
  const latencies: Round[] = [];
  const rates: Round[] = [];
  const memory: Round[] = [];
  for (let round = 0; round < bench.rounds; round += 1) {
    latencies.push({ tillhook: quantile(await measureLatencies(stage), 0.95) });
    const { perSecond: rate, peakMiB } = await measureRate(stage, total);
    rates.push({ tillhook: rate });
    memory.push({ tillhook: peakMiB });
  }
  await receiver.stop();
  await api.stop();
  const many = total.toLocaleString('en');
  return [
    figureOf(
      { name: 'listen: commit → receipt, p95', about: live, unit: 'ms', target: { of: 'tillhook', atMost: 250 } },
      latencies,
    ),
    figureOf(
      { name: `listen: ${many} events behind`, about: behind, unit: '/s', target: { of: 'tillhook', atLeast: 500 } },
      rates,
    ),
    figureOf({ name: `listen: peak memory, ${many} events behind`, about: behind, unit: 'MiB' }, memory),
  ];
}

async function measureLatencies(stage: Stage): Promise<number[]> {
  const { bench, receiver, merchantId, key, url } = stage;
  await removeAllDeliveries(bench.database);
  const references = await createPayments(bench, merchantId, timedEvents);
  const pool = new Pool(new URL(url).origin, { connections: 8, pipelining: 1, allowH2: false });
  await using _listener = await startListen(stage);
  const queue = () =>
    atSteadyPace({
      total: timedEvents,
      perSecond,
      begin: (index) => completePayment(pool, key, references[index] ?? ''),
    });
  const latencies = await deliveryLatencies({ database: bench.database, receiver, expected: timedEvents, queue });
  await pool.close();
  return latencies;
}

async function measureRate(stage: Stage, total: number): Promise<{ perSecond: number; peakMiB: number }> {
  const { bench, receiver, merchantId } = stage;
  await removeAllDeliveries(bench.database);
  await bench.database.query(
    `insert into event (id, merchant_id, mode, name, reference, body, created_at)
     select uuidv7(), $1, 'test', 'checkout.success', 'order-' || number, $2, now() from generate_series(1, $3::int) as number`,
    [merchantId, sampleEvent, total],
  );
  await bench.database.query('analyze event');
  const received = receiver.ask<Receipts>({ expected: total } satisfies Expectation);
  await using listener = await startListen(stage, '--since', '1h');
  const { seconds } = await received;
  return { perSecond: total / seconds, peakMiB: peakMemoryMiB(listener.child.pid ?? 0) };
}

async function startListen({ bench, receiver, key, url }: Stage, ...args: string[]) {
  const child: ChildProcess = spawn(
    process.execPath,
    ['--conditions=@tillhook/source', program, 'listen', '--json', '--forward-to', `${receiver.greeting}/`, ...args],
    { env: { ...process.env, TILLHOOK_API_KEY: key, TILLHOOK_BASE_URL: url }, stdio: ['ignore', 'pipe', 'inherit'] },
  );
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const stop = async () => {
    child.kill('SIGKILL');
    await ended;
  };
  bench.running.defer(stop);
  const lines = createInterface({ input: child.stdout ?? process.stdin });
  await new Promise<void>((resolve) => lines.once('line', () => resolve()));
  lines.on('line', () => undefined);
  return { child, [Symbol.asyncDispose]: stop };
}
