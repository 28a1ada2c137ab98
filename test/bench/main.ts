/**
 * `npm run bench`: Tillhook beside the barest program that does the same outward work, in one run on one machine, every
 * contender a process of its own on loopback and on one embedded Postgres. Rates depend on the machine and on what else
 * it does; what can be compared are the ratios. Prints Markdown and writes `reports/bench.json`.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { prepareBench } from './bench.ts';
import { measureCheckouts } from './checkout-rate.ts';
import { measureDeliveries } from './delivery-rate.ts';
import { report } from './report.ts';

const mostMs = 180_000;

const { values: flags } = parseArgs({
  options: {
    rounds: { type: 'string', default: '3' },
    /** Sent in each round. */
    deliveries: { type: 'string', default: '10000' },
    /** Created in each round. */
    checkouts: { type: 'string', default: '2000' },
    /** `deliveries` or `checkouts`: the other is left out. */
    only: { type: 'string' },
    /** Also writes a CPU profile of each server process to `reports/`. The figures are then worth less. */
    profile: { type: 'boolean', default: false },
  },
});
const settings = {
  rounds: wholeNumber('rounds'),
  deliveries: wholeNumber('deliveries'),
  checkouts: wholeNumber('checkouts'),
};
const running = new AsyncDisposableStack();
let exitCode = 0;
try {
  await Promise.race([measure(), interrupted(), outOfTime()]);
} catch (error) {
  console.error(error);
  exitCode = 1;
}
await running.disposeAsync();
process.exit(exitCode);

async function measure(): Promise<void> {
  const bench = await prepareBench(running, { rounds: settings.rounds, profile: flags.profile });
  const figures = [
    ...(flags.only === 'checkouts' ? [] : await measureDeliveries(bench, settings.deliveries)),
    ...(flags.only === 'deliveries' ? [] : [await measureCheckouts(bench, settings.checkouts)]),
  ];
  await report(figures, { settings, database: bench.database });
}

function interrupted(): Promise<never> {
  return new Promise((_, reject) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => reject(new Error(signal)));
  });
}

async function outOfTime(): Promise<never> {
  await sleep(mostMs, undefined, { ref: false });
  throw new Error(`The benchmarks took longer than ${mostMs / 1000} seconds. Ask for fewer rounds.`);
}

function wholeNumber(flag: 'rounds' | 'deliveries' | 'checkouts'): number {
  const value = Number(flags[flag]);
  if (!Number.isInteger(value) || value < 1) throw new Error(`--${flag} is a whole number above zero.`);
  return value;
}
