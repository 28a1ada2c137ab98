import type { Bench } from '../bench.ts';
import { figureOf, type Measured, type Round } from '../contest.ts';
import { closePaymentStage, openPaymentStage, payAtPace, paymentsText, totalMs } from './paced-payments.ts';

export async function measureTestPayments(bench: Bench): Promise<Measured[]> {
  const stage = await openPaymentStage(bench, { database: bench.database, url: bench.databaseUrl });
  const rounds: Round[] = [];
  // The first round is a warm-up.
  for (let round = 0; round <= bench.rounds; round += 1) {
    const cpuMicros = await payAtPace(stage);
    const tillhook = totalMs(cpuMicros);
    if (round > 0 && tillhook > 0) rounds.push({ tillhook, cpuMicros: { tillhook: cpuMicros, baseline: {} } });
  }
  await closePaymentStage(stage);
  const name = 'CPU of a test payment, from createCheckout to its verified webhook';
  const described = { name, about: paymentsText, unit: 'ms', target: { of: 'tillhook', atMost: 4 } } as const;
  // Only Linux reports the CPU time of a process.
  return rounds.length > 0 ? [figureOf(described, rounds)] : [];
}
