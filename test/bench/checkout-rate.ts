import { randomUUID } from 'node:crypto';
import type { Bench } from './bench.ts';
import { startChild } from './child.ts';
import { compare, type Measured } from './contest.ts';
import { startCpuMeter } from './cpu.ts';
import { createMerchants, type Merchant } from './merchant.ts';
import { callsInFlight, type Posted, postInTurn } from './post-in-turn.ts';
import type { Rate, Stint } from './rounds.ts';

const about = `Over HTTP, each with a key, limits, validation, an Idempotency-Key and a line in the log, which is a file. The bare Express inserts the same two rows in a
  transaction, keeps the answer, and checks nothing.`;

/** Checkouts created per second beside a bare Express. */
export async function measureCheckouts(bench: Bench): Promise<Measured[]> {
  const merchants = await createMerchants(bench.database);
  const merchantIds = merchants.map(({ id }) => id);
  const bare = await startChild(bench.running, 'bare-checkout.ts', [bench.databaseUrl, ...merchantIds]);
  const api = await bench.startServer('api');
  const create = async (server: { url: string; pid: number }, wantedSeconds: number): Promise<Rate> => {
    await bench.database.query('truncate payment, idempotency_key cascade');
    const cpu = startCpuMeter({ server: server.pid, postgres: bench.postgresPid });
    const { calls, seconds } = await createCheckouts(server.url, merchants, wantedSeconds);
    const cpuMicros = cpu.microsPer(calls);
    const { rows } = await bench.database.query('select count(*)::int as count from payment');
    if (rows[0].count !== calls) throw new Error(`${calls} payments were requested and ${rows[0].count} were created.`);
    return { perSecond: calls / seconds, cpuMicros };
  };
  const contest = {
    name: `createCheckout, ${callsInFlight} in flight`,
    about,
    against: 'bare Express and pg',
    target: 0.6,
    tillhook: ({ seconds }: Stint) => create(api, seconds),
    baseline: ({ seconds }: Stint) => create({ url: bare.greeting, pid: bare.pid }, seconds),
  };
  const figure = await compare(contest, bench);
  await api.stop();
  await bare.stop();
  return [figure];
}

function createCheckouts(url: string, merchants: Merchant[], seconds: number): Promise<Posted> {
  const body = JSON.stringify({ email: 'ada@example.com', amount: 500_000 });
  const next = (index: number) => ({
    headers: { 'x-api-key': merchants[index % merchants.length]?.key ?? '', 'idempotency-key': randomUUID() },
    body,
  });
  return postInTurn(`${new URL(url).origin}/api/v1/payments/checkout`, seconds, next);
}
