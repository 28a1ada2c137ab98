import { Pool } from 'undici';
import { createMerchant, createTestKey } from '../../support/merchant.ts';
import { quantile } from '../../support/spread.ts';
import type { Bench } from '../bench.ts';
import { figureOf, type Measured, type Round } from '../contest.ts';

const about = `Half of the answers of a round take no longer. /healthz of the same server reads nothing and says one word: what is left of
  the ratio is the page’s own. One request after another on one connection, so nothing waits for anything else.`;

export async function measurePages(bench: Bench, total: number): Promise<Measured[]> {
  const api = await bench.startServer('api');
  const pool = new Pool(new URL(api.url).origin, { connections: 1, pipelining: 1, allowH2: false });
  const page = await createCheckout(pool, await createTestKey(bench.database, await createMerchant(bench.database)));
  const rounds: Round[] = [];
  for (let round = 0; round <= bench.rounds; round += 1) {
    const baseline = await medianMs(pool, '/healthz', total);
    const tillhook = await medianMs(pool, page, total);
    // The first round is a warm-up.
    if (round > 0) rounds.push({ tillhook, baseline });
  }
  await pool.close();
  await api.stop();
  const described = { name: 'GET /checkout/{accessCode}, p50', about, unit: 'ms', against: 'GET /healthz' } as const;
  return [figureOf({ ...described, target: { of: 'ratio', atMost: 8 } }, rounds)];
}

async function createCheckout(pool: Pool, key: string): Promise<string> {
  const { body } = await pool.request({
    method: 'POST',
    path: '/api/v1/payments/checkout',
    headers: { 'content-type': 'application/json', 'x-api-key': key },
    body: JSON.stringify({ email: 'ada@example.com', amount: 500_000, description: 'Two tickets' }),
  });
  const { data } = (await body.json()) as { data: { checkoutUrl: string } };
  return new URL(data.checkoutUrl).pathname;
}

async function medianMs(pool: Pool, path: string, total: number): Promise<number> {
  const times: number[] = [];
  for (let count = 0; count < total; count += 1) {
    const startedAt = performance.now();
    const answer = await pool.request({ method: 'GET', path });
    await answer.body.dump();
    times.push(performance.now() - startedAt);
    if (answer.statusCode !== 200) throw new Error(`The server answered GET ${path} with ${answer.statusCode}.`);
  }
  return quantile(times, 0.5);
}
