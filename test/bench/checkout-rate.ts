import { randomUUID } from 'node:crypto';
import type { Bench } from './bench.ts';
import { startChild } from './child.ts';
import { compare, figureOf, type Measured, type Rate } from './contest.ts';
import { startCpuMeter } from './cpu.ts';
import { createMerchant, createTestKey } from './merchant.ts';
import { callsInFlight, postInTurn } from './post-in-turn.ts';

const about = `Over HTTP, each with a key, limits, validation and an Idempotency-Key. The bare Express inserts the same two rows in a
  transaction, keeps the answer, and checks nothing.`;

/** Checkouts created per second beside a bare Express, and by themselves. */
export async function measureCheckouts(bench: Bench, total: number): Promise<Measured[]> {
  const merchantId = await createMerchant(bench.database);
  const key = await createTestKey(bench.database, merchantId);
  const bare = await startChild(bench.running, 'bare-checkout.ts', [bench.databaseUrl, merchantId]);
  const api = await bench.startServer('api');
  const create = async (server: { url: string; pid: number }): Promise<Rate> => {
    await bench.database.query('truncate payment, idempotency_key cascade');
    const cpu = startCpuMeter({ server: server.pid, postgres: bench.postgresPid });
    const seconds = await createCheckouts(server.url, { key, total });
    const { rows } = await bench.database.query('select count(*)::int as count from payment');
    if (rows[0].count !== total) throw new Error(`${total} payments were requested and ${rows[0].count} were created.`);
    return { perSecond: total / seconds, cpuMicros: cpu.microsPer(total) };
  };
  const contest = {
    name: `createCheckout, ${callsInFlight} in flight`,
    about,
    against: 'bare Express and pg',
    target: 0.6,
    tillhook: () => create(api),
    baseline: () => create({ url: bare.greeting, pid: bare.pid }),
  };
  const figure = await compare(contest, bench.rounds);
  await api.stop();
  await bare.stop();
  return [figure, withoutBaseline(figure)];
}

/** The rate of the same rounds, without a comparison. */
function withoutBaseline({ rounds }: Measured): Measured {
  const described = {
    name: 'createCheckout by one API process',
    about: 'Of the same rounds, with the caller and Postgres on the same machine.',
    unit: '/s',
    target: { of: 'tillhook', atLeast: 2000 },
  } as const;
  return figureOf(
    described,
    rounds.map(({ tillhook }) => ({ tillhook })),
  );
}

function createCheckouts(url: string, { key, total }: { key: string; total: number }): Promise<number> {
  const body = JSON.stringify({ email: 'ada@example.com', amount: 500_000 });
  const next = () => ({ headers: { 'x-api-key': key, 'idempotency-key': randomUUID() }, body });
  return postInTurn(`${new URL(url).origin}/api/v1/payments/checkout`, total, next);
}
