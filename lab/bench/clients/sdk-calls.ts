import { Tillhook } from '@tillhook/sdk';
import { startChild } from '../../support/child.ts';
import type { Bench } from '../bench.ts';
import { figureOf, type Measured, type Round } from '../contest.ts';
import { inTurns } from '../in-turns.ts';

const about = `A POST with a key, an Idempotency-Key and a body, and the answer parsed, against a server that only answers. Beside it
  the same by Node’s own fetch, with the status looked at and nothing else: no time-out, no retries, no errors that explain. One
  call after another, the two taking turns every 100 calls.`;

const apiKey = 'sk_test_bench';
const input = { email: 'ada@example.com', amount: 500_000 };

export async function measureSdkCalls(bench: Bench, total: number): Promise<Measured[]> {
  const server = await startChild(bench.running, import.meta.resolve('./null-server.ts'));
  const tillhook = new Tillhook(apiKey, { baseUrl: server.greeting });
  const call = () => tillhook.checkout.create(input);
  const bare = () => post(`${server.greeting}/api/v1/payments/checkout`);
  const perCall = (seconds: number) => (seconds * 1e6) / total;
  const rounds: Round[] = [];
  for (let round = 0; round <= bench.rounds; round++) {
    const seconds = await inTurns(total, { tillhook: call, baseline: bare });
    // The first round is a warm-up.
    if (round > 0) rounds.push({ tillhook: perCall(seconds.tillhook), baseline: perCall(seconds.baseline) });
  }
  await server.stop();
  const target = { of: 'ratio', atMost: 1.15 } as const;
  return [figureOf({ name: 'a call of the SDK', about, unit: 'µs', against: 'fetch', target }, rounds)];
}

async function post(url: string): Promise<unknown> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-api-key': apiKey, 'idempotency-key': crypto.randomUUID() },
    body: JSON.stringify(input),
  });
  if (!response.ok) throw new Error(`The server answered POST ${url} with ${response.status}.`);
  return response.json();
}
