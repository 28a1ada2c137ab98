import type { Bench } from './bench.ts';
import { type Child, startChild } from './child.ts';
import { compare, figureOf, type Measured, type Round } from './contest.ts';
import { startCpuMeter } from './cpu.ts';
import { type Delivering, deliver, registerAt, samplePosting } from './deliver.ts';
import type { Posting } from './raw-sender.ts';
import type { Expectation, Receipts } from './receiver.ts';
import type { Rate, Stint } from './rounds.ts';

interface Load {
  name: string;
  endpoints: number;
  /** Deliveries in flight, by the worker's defaults, with this number of endpoints. The raw sender has as many. */
  inFlight: number;
}

const manyEndpoints: Load = { name: 'deliveries to 20 endpoints, 256 in flight', endpoints: 20, inFlight: 256 };
const oneEndpoint: Load = { name: 'deliveries to 1 endpoint, 16 in flight', endpoints: 1, inFlight: 16 };

const about = `From the first receipt to the last. Ours are queued by one commit, claimed, signed twice, sent through the guarded
  connections, and recorded with their attempts, all durable, and each has a line in the log, which is a file. The other posts the same bytes in a loop and keeps nothing.`;

type Contenders = Omit<Delivering, 'endpointIds'> & { raw: Child };

/** Deliveries per second compared with plain posting of the same bytes to the same receiver, and their CPU time. */
export async function measureDeliveries(bench: Bench): Promise<Measured[]> {
  const receiver = await startChild(bench.running, 'receiver.ts');
  const raw = await startChild(bench.running, 'raw-sender.ts');
  const worker = await bench.startServer('worker');
  const contenders = { bench, receiver, workers: { worker: worker.pid }, raw };
  const many = await measureLoad(contenders, manyEndpoints);
  const one = await measureLoad(contenders, oneEndpoint);
  await worker.stop();
  await raw.stop();
  await receiver.stop();
  return [many, one, ...cpuOf(many)];
}

async function measureLoad(contenders: Contenders, { name, endpoints, inFlight }: Load): Promise<Measured> {
  const endpointIds = await registerAt(contenders.bench, contenders.receiver, endpoints);
  const contest = {
    name,
    about,
    against: 'undici.request',
    target: 0.55,
    tillhook: ({ total }: Stint) => deliver({ ...contenders, endpointIds }, total),
    baseline: ({ total }: Stint) => postRaw(contenders, { inFlight, total }),
  };
  return compare(contest, contenders.bench);
}

async function postRaw(
  { bench, receiver, raw }: Contenders,
  { inFlight, total }: Pick<Posting, 'inFlight' | 'total'>,
): Promise<Rate> {
  const posting: Posting = { ...samplePosting(receiver), total, inFlight };
  const cpu = startCpuMeter({ sender: raw.pid, postgres: bench.postgresPid, receiver: receiver.pid });
  const received = receiver.ask<Receipts>({ expected: total } satisfies Expectation);
  await raw.ask(posting);
  const { seconds } = await received;
  return { perSecond: total / seconds, cpuMicros: cpu.microsPer(total) };
}

/**
 * The CPU time of worker and Postgres in the same rounds, compared with that of the raw sender. Empty on systems other
 * than Linux.
 */
function cpuOf({ rounds }: Measured): Measured[] {
  const taken: Round[] = rounds.flatMap(({ cpuMicros }) => {
    const { worker, postgres } = cpuMicros?.tillhook ?? {};
    const { sender } = cpuMicros?.baseline ?? {};
    if (worker === undefined || postgres === undefined || sender === undefined || !cpuMicros) return [];
    return [{ tillhook: worker + postgres, baseline: sender, cpuMicros }];
  });
  const described = {
    name: 'CPU time a delivery takes, worker and Postgres',
    about:
      'Of the rounds to 20 endpoints, by the system’s count. It depends on the machine; the sender’s is for scale.',
    unit: 'µs',
    against: 'undici.request, the sender',
    target: { of: 'tillhook', atMost: 80 },
  } as const;
  return taken.length > 0 ? [figureOf(described, taken)] : [];
}
