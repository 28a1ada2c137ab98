import { randomUUID } from 'node:crypto';
import { startChild } from '../../support/child.ts';
import { startCpuMeter } from '../../support/cpu.ts';
import { createMerchants, type Merchant } from '../../support/merchant.ts';
import type { Bench } from '../bench.ts';
import { figureOf, type Measured, roundOf } from '../contest.ts';
import { callsInFlight, type Posted, postInTurn } from '../post-in-turn.ts';
import { type Contender, takeTurns } from '../rounds.ts';
import type { Saving } from './bare-checkout.ts';

interface Rival {
  saving: Saving;
  how: string;
  atLeast: number;
}

const rivals: Rival[] = [
  { saving: 'transaction', how: 'in a transaction', atLeast: 0.8 },
  { saving: 'statement', how: 'in one statement', atLeast: 0.45 },
];

const about = `Over HTTP, each with a key, limits, validation, an Idempotency-Key and a line in the log, which is a file. The bare Express
  inserts the same two rows by prepared statements over as many connections, keeps the answer, and checks nothing.`;

export async function measureCheckouts(bench: Bench): Promise<Measured[]> {
  const merchants = await createMerchants(bench.database);
  const [transaction, statement] = [await startBare('transaction'), await startBare('statement')];
  const api = await bench.startServer('api');
  const results = await takeTurns(
    { transaction: creatorAt(transaction), tillhook: creatorAt(api), statement: creatorAt(statement) },
    bench,
  );
  await api.stop();
  return rivals.map(({ saving, how, atLeast }) => {
    const name = `createCheckout, ${callsInFlight} in flight, beside bare Express ${how}`;
    return figureOf(
      { name, about, unit: '/s', against: `bare Express ${how}`, target: { of: 'ratio', atLeast } },
      results.map(({ tillhook, [saving]: baseline }) => roundOf({ tillhook, baseline })),
    );
  });

  async function startBare(saving: Saving) {
    const args = [saving, bench.databaseUrl, ...merchants.map(({ id }) => id)];
    const { greeting, pid } = await startChild(bench.running, import.meta.resolve('./bare-checkout.ts'), { args });
    return { url: greeting, pid };
  }

  function creatorAt(server: { url: string; pid: number }): Contender {
    return async (stint) => {
      await bench.database.query('truncate payment, idempotency_key cascade');
      const cpu = startCpuMeter({ server: server.pid, postgres: bench.postgresPid });
      const { calls, seconds } = await createCheckouts(server.url, merchants, stint.seconds);
      const cpuMicros = cpu.microsPer(calls);
      const { rows } = await bench.database.query('select count(*)::int as count from payment');
      if (rows[0].count !== calls)
        throw new Error(`${calls} payments were requested, but ${rows[0].count} were created.`);
      return { perSecond: calls / seconds, cpuMicros };
    };
  }
}

function createCheckouts(url: string, merchants: Merchant[], seconds: number): Promise<Posted> {
  const body = JSON.stringify({ email: 'ada@example.com', amount: 500_000 });
  const next = (index: number) => ({
    headers: { 'x-api-key': merchants[index % merchants.length]?.key ?? '', 'idempotency-key': randomUUID() },
    body,
  });
  return postInTurn(`${new URL(url).origin}/api/v1/payments/checkout`, seconds, next);
}
