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
import { measurePages } from './page-render.ts';
import { type Measured, report } from './report.ts';
import { measureTransfers } from './transfer-rate.ts';

const mostMs = 300_000;

const { values: flags } = parseArgs({
  options: {
    rounds: { type: 'string', default: '3' },
    /** Sent in each round. */
    deliveries: { type: 'string', default: '10000' },
    /** Created in each round. */
    checkouts: { type: 'string', default: '2000' },
    /** Created in each round. */
    transfers: { type: 'string', default: '2000' },
    /** Asked for in each round. */
    pages: { type: 'string', default: '1000' },
    /** `deliveries`, `checkouts`, `transfers` or `pages`: the others are left out. */
    only: { type: 'string' },
    /** Also writes a CPU profile of each server process to `reports/`. The figures are then worth less. */
    profile: { type: 'boolean', default: false },
  },
});
const settings = {
  rounds: wholeNumber('rounds'),
  deliveries: wholeNumber('deliveries'),
  checkouts: wholeNumber('checkouts'),
  transfers: wholeNumber('transfers'),
  pages: wholeNumber('pages'),
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
  const rates = [
    ...(isWanted('deliveries') ? await measureDeliveries(bench, settings.deliveries) : []),
    ...(isWanted('checkouts') ? [await measureCheckouts(bench, settings.checkouts)] : []),
    ...(isWanted('transfers') ? await measureTransfers(bench, settings.transfers) : []),
  ];
  const latencies = isWanted('pages') ? [await measurePages(bench, settings.pages)] : [];
  if (rates.length + latencies.length === 0) throw new Error(`There is nothing to measure called ${flags.only}.`);
  await report({ rates, latencies }, { settings, database: bench.database });
}

function isWanted(measured: Measured): boolean {
  return flags.only === undefined || flags.only === measured;
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

function wholeNumber(flag: 'rounds' | Measured): number {
  const value = Number(flags[flag]);
  if (!Number.isInteger(value) || value < 1) throw new Error(`--${flag} is a whole number above zero.`);
  return value;
}
