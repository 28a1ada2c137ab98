import { eventually } from '@tillhook/test/support/eventually.ts';
import { type Child, startChild, startReceiver } from '../../support/child.ts';
import { startCpuMeter } from '../../support/cpu.ts';
import type { Expectation, Receipts } from '../../support/receiver.ts';
import type { Bench } from '../bench.ts';
import { compare, type Measured } from '../contest.ts';
import { deliver, registerAt, samplePosting } from '../deliveries/deliver.ts';
import type { Rate, Stint } from '../rounds.ts';
import type { Order } from './job-engine.ts';

interface Engine {
  name: string;
  file: string;
  settings: string;
  target: number;
}

const engines: Engine[] = [
  {
    name: 'graphile-worker',
    file: './graphile-worker-engine.ts',
    settings: 'Its local queue, batched completion and prepared statements are on, with 256 jobs at once.',
    target: 1.1,
  },
  {
    name: 'pg-boss',
    file: './pg-boss-engine.ts',
    settings: 'Four workers fetch batches of 64 from a separate table, again at once while batches are full.',
    target: 1.1,
  },
  {
    name: 'agenda',
    file: './agenda-engine.ts',
    settings: 'One Agenda job each, 256 at once, looked for every 100 ms.',
    target: 9,
  },
];

const about = `From the first receipt to the last, all recorded as done; jobs and deliveries are saved before the clock starts, on
  the same Postgres. A job is the bare POST of the same bytes by undici.request: no signature, no attempt on record, no share
  for each receiver, no log. Ours are with everything on, and each has a line in the log, which is a file.`;

export const measureBesideEngine = (name: string) => async (bench: Bench) => {
  const engine = engines.find((one) => one.name === name);
  if (!engine) throw new Error(`The job engine ${name} does not exist.`);
  return [await measureEngine(bench, engine)];
};

async function measureEngine(bench: Bench, engine: Engine): Promise<Measured> {
  const receiver = await startReceiver(bench.running);
  const rival = await startChild(bench.running, import.meta.resolve(engine.file), {
    args: [await bench.createDatabase(engine.name)],
  });
  const worker = await bench.startServer('worker');
  const endpointIds = await registerAt(bench, receiver, 20);
  const delivering = { bench, receiver, workers: { worker: worker.pid }, endpointIds };
  const contest = {
    name: `deliveries beside ${engine.name}, 256 in flight`,
    about: `${about} ${engine.settings}`,
    against: engine.name,
    target: engine.target,
    tillhook: ({ total }: Stint) => deliver(delivering, total),
    baseline: ({ total }: Stint) => runJobs({ bench, receiver, rival, jobs: total }),
  };
  const figure = await compare(contest, bench);
  await worker.stop();
  await rival.stop();
  await receiver.stop();
  return figure;
}

interface Working {
  bench: Bench;
  receiver: Child;
  rival: Child;
  jobs: number;
}

async function runJobs({ bench, receiver, rival, jobs }: Working): Promise<Rate> {
  const order = <Answer>(given: Order) => rival.ask<Answer>(given);
  await order({ name: 'enqueue', jobs, ...samplePosting(receiver) });
  const cpu = startCpuMeter({ engine: rival.pid, postgres: bench.postgresPid, receiver: receiver.pid });
  const received = receiver.ask<Receipts>({ expected: jobs } satisfies Expectation);
  await order({ name: 'start' });
  const { seconds } = await received;
  await eventually(() => order<number>({ name: 'countLeft' }), 0);
  const cpuMicros = cpu.microsPer(jobs);
  const { received: all } = await receiver.ask<Receipts>('count');
  if (all !== jobs) throw new Error(`${jobs} jobs were enqueued, but ${all} were received.`);
  await order({ name: 'stop' });
  return { perSecond: jobs / seconds, cpuMicros };
}
