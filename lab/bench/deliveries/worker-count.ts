import { cpus } from 'node:os';
import { startReceiver } from '../../support/child.ts';
import type { Bench } from '../bench.ts';
import { compare, type Measured } from '../contest.ts';
import type { Rate, Stint } from '../rounds.ts';
import { type Delivering, deliver, registerAt } from './deliver.ts';

/** Two workers, the receiver, the benchmark and Postgres need separate cores. */
const minCores = 6;
const warmUpPart = 0.2;

const about = `The same work for two worker processes and for one, on one Postgres; the second is started for each round, and
  warmed up with a fifth of the work before it. The receiver is on this machine too, so with fewer than ${minCores} cores they only take
  from one another: then there is no target.`;

export async function measureWorkers(bench: Bench): Promise<Measured[]> {
  const receiver = await startReceiver(bench.running);
  const worker = await bench.startServer('worker');
  const endpointIds = await registerAt(bench, receiver, 40);
  const oneWorker: Delivering = { bench, receiver, workers: { worker: worker.pid }, endpointIds };
  const contest = {
    name: 'deliveries by two workers, to 40 endpoints',
    about,
    against: 'one worker',
    target: cpus().length < minCores ? undefined : 1.7,
    tillhook: ({ total }: Stint) => deliverWithAnother(oneWorker, total),
    baseline: ({ total }: Stint) => deliver(oneWorker, total),
  };
  const figure = await compare(contest, bench);
  await worker.stop();
  await receiver.stop();
  return [figure];
}

async function deliverWithAnother(alone: Delivering, total: number): Promise<Rate> {
  const another = await alone.bench.startServer('worker');
  const both = { ...alone, workers: { ...alone.workers, 'another worker': another.pid } };
  await deliver(both, Math.ceil(total * warmUpPart));
  const rate = await deliver(both, total);
  await another.stop();
  return rate;
}
