import { startChild } from '../../support/child.ts';
import type { Bench } from '../bench.ts';
import { compare, type Measured } from '../contest.ts';
import { callsInFlight, postInTurn } from '../post-in-turn.ts';
import type { Rate, Stint } from '../rounds.ts';

const about = `Valid calls of createCheckout; each server is a separate process without a log. The other is Prism’s server with the settings of its
  command. Ours checks the request with the server’s messages, looks for magic inputs, lets Prism make the answer, and puts
  sent values into it.`;

export async function measureMock(bench: Bench): Promise<Measured[]> {
  const ours = await startChild(bench.running, import.meta.resolve('./own-mock.ts'));
  const plain = await startChild(bench.running, import.meta.resolve('./plain-prism.ts'));
  const contest = {
    name: `the mock, ${callsInFlight} in flight`,
    about,
    against: 'Prism',
    target: 0.9,
    tillhook: ({ seconds }: Stint) => askInTurn(ours.greeting, seconds),
    baseline: ({ seconds }: Stint) => askInTurn(plain.greeting, seconds),
  };
  const figure = await compare(contest, bench);
  await Promise.all([ours.stop(), plain.stop()]);
  return [figure];
}

async function askInTurn(url: string, wantedSeconds: number): Promise<Rate> {
  const body = JSON.stringify({ email: 'ada@example.com', amount: 500_000 });
  const call = { headers: { 'x-api-key': 'sk_test_mock' }, body };
  const { calls, seconds } = await postInTurn(`${url}/api/v1/payments/checkout`, wantedSeconds, () => call);
  return { perSecond: calls / seconds, cpuMicros: {} };
}
