import { startChild } from '../../support/child.ts';
import type { Bench } from '../bench.ts';
import { figureOf, type Measured } from '../contest.ts';
import { inBothOrders } from '../rounds.ts';
import { openStore } from '../store.ts';
import { closePaymentStage, openPaymentStage, payAtPace, paymentsText, totalMs } from './paced-payments.ts';

const tracedPart = 0.1;

const about = `${paymentsText} Both services have their own database on the same Postgres. The traced one records one call in ${1 / tracedPart} and sends
  its spans by OTLP to a server that only answers, which does not count.`;

export async function measureTraces(bench: Bench): Promise<Measured[]> {
  const collector = await startChild(bench.running, import.meta.resolve('../clients/null-server.ts'));
  const stages = {
    baseline: await openPaymentStage(bench, await openStore(bench, 'untraced')),
    tillhook: await openPaymentStage(bench, await openStore(bench, 'traced'), {
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.greeting,
      OTEL_TRACES_SAMPLER: 'traceidratio',
      OTEL_TRACES_SAMPLER_ARG: String(tracedPart),
    }),
  };
  const names = ['baseline', 'tillhook'] as const;
  const payInTurns = (rounds: number) => inBothOrders(names, rounds, (name) => payAtPace(stages[name]));
  // The first round is a warm-up.
  await payInTurns(1);
  const taken = await payInTurns(bench.rounds);
  for (const name of names) await closePaymentStage(stages[name]);
  await collector.stop();
  const rounds = taken
    .map((cpuMicros) => ({ tillhook: totalMs(cpuMicros.tillhook), baseline: totalMs(cpuMicros.baseline), cpuMicros }))
    .filter(({ baseline }) => baseline > 0);
  const described = {
    name: `CPU of a test payment with ${tracedPart * 100} % of calls traced`,
    about,
    unit: 'ms',
    against: 'no traces',
    target: { of: 'ratio', atMost: 1.05 },
  } as const;
  // Only Linux reports the CPU time of a process.
  return rounds.length > 0 ? [figureOf(described, rounds)] : [];
}
