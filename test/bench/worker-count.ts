import { cpus } from 'node:os';
import type { Bench } from './bench.ts';
import { startChild } from './child.ts';
import { compare, type Measured, type Rate } from './contest.ts';
import { type Delivering, deliver, registerAt } from './deliver.ts';

/**
 * Two workers, the receiver, the measuring process and the processes of Postgres need cores that no other process uses.
 */
const fewestCores = 6;

const about = `The same work for two worker processes and for one, on one Postgres; the second is started for each round, and
  warmed up with as much before it. The receiver is on this machine too, so with fewer than ${fewestCores} cores they only take
  from one another: then there is no target.`;

/** Deliveries per second of two workers, compared with one. */
export async function measureWorkers(bench: Bench, total: number): Promise<Measured[]> {
  const receiver = await startChild(bench.running, 'receiver.ts');
  const worker = await bench.startServer('worker');
  const endpointIds = await registerAt(bench, receiver, 40);
  const oneWorker: Delivering = { bench, receiver, workers: { worker: worker.pid }, endpointIds, total };
  const contest = {
    name: 'deliveries by two workers, to 40 endpoints',
    about,
    against: 'one worker',
    target: cpus().length < fewestCores ? undefined : 1.7,
    tillhook: () => deliverWithAnother(oneWorker),
    baseline: () => deliver(oneWorker),
  };
  const figure = await compare(contest, bench.rounds);
  await worker.stop();
  await receiver.stop();
  return [figure];
}

async function deliverWithAnother(alone: Delivering): Promise<Rate> {
  const another = await alone.bench.startServer('worker');
  const both = { ...alone, workers: { ...alone.workers, 'another worker': another.pid } };
  await deliver(both);
  const rate = await deliver(both);
  await another.stop();
  return rate;
}
