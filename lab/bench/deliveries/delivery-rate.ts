import { type Child, startChild, startReceiver } from '../../support/child.ts';
import { startCpuMeter } from '../../support/cpu.ts';
import type { Expectation, Receipts } from '../../support/receiver.ts';
import type { Bench } from '../bench.ts';
import { figureOf, type Measured, type Round, roundOf } from '../contest.ts';
import { type Contender, type Rate, takeTurns, warmUp } from '../rounds.ts';
import { type Delivering, deliver, registerAt, samplePosting } from './deliver.ts';
import type { Posting, Way } from './raw-sender.ts';

interface Load {
  name: string;
  endpoints: number;
  atLeast: number;
}

/** The worker's default limits allow 256 deliveries in flight to 20 endpoints, and 16 to one endpoint. */
const manyEndpoints: Load = { name: 'deliveries to 20 endpoints', endpoints: 20, atLeast: 0.55 };
const oneEndpoint: Load = { name: 'deliveries to 1 endpoint', endpoints: 1, atLeast: 0.45 };

const about = `From the first receipt to the last. Ours are queued by one commit, claimed, signed twice, sent through the guarded
  connections, and recorded with their attempts, all durable, and each has a line in the log, which is a file. The other
  posts the same bytes in a loop and keeps nothing.`;

type Contenders = Omit<Delivering, 'endpointIds'> & { raw: Child };

export async function measureDeliveries(bench: Bench): Promise<Measured[]> {
  const receiver = await startReceiver(bench.running);
  const raw = await startChild(bench.running, import.meta.resolve('./raw-sender.ts'));
  const worker = await bench.startServer('worker');
  const contenders = { bench, receiver, workers: { worker: worker.pid }, raw };
  const rivals = { request: await fastestOf(contenders, 'request'), dispatch: await fastestOf(contenders, 'dispatch') };
  const many = await measureLoad(contenders, rivals, manyEndpoints);
  const one = await measureLoad(contenders, rivals, oneEndpoint);
  await worker.stop();
  await raw.stop();
  await receiver.stop();
  return [...many, ...one, ...cpuOf(many[0])];
}

interface Rival {
  against: string;
  tried: string;
  post: Contender;
}

async function fastestOf(contenders: Contenders, way: Way): Promise<Rival> {
  const tried: { connections: number; perSecond: number; post: Contender }[] = [];
  for (const connections of [16, 64, 256]) {
    const post: Contender = ({ total }) => postRaw(contenders, { way, connections, total });
    tried.push({ connections, post, perSecond: await warmUp(post) });
  }
  const [fastest] = tried.toSorted((one, other) => other.perSecond - one.perSecond);
  if (!fastest) throw new Error('The list of numbers of connections for the raw sender is empty.');
  const rates = tried.map(({ connections, perSecond }) => `${Math.round(perSecond)}/s with ${connections}`);
  return {
    against: `undici.${way}, ${fastest.connections} connections`,
    tried: `Its fastest number of connections: ${rates.join(', ')}.`,
    post: fastest.post,
  };
}

async function measureLoad(
  contenders: Contenders,
  rivals: Record<Way, Rival>,
  { name, endpoints, atLeast }: Load,
): Promise<[Measured, Measured]> {
  const { bench, receiver } = contenders;
  const delivering = { ...contenders, endpointIds: await registerAt(bench, receiver, endpoints) };
  const { request, dispatch } = rivals;
  const results = await takeTurns(
    { request: request.post, tillhook: ({ total }) => deliver(delivering, total), dispatch: dispatch.post },
    bench,
  );
  const compared = (way: Way) => results.map(({ tillhook, [way]: baseline }) => roundOf({ tillhook, baseline }));
  const describe = ({ against, tried }: Rival) => ({ about: `${about} ${tried}`, unit: '/s', against }) as const;
  return [
    figureOf({ ...describe(request), name, target: { of: 'ratio', atLeast } }, compared('request')),
    figureOf({ ...describe(dispatch), name: `${name}, beside undici.dispatch` }, compared('dispatch')),
  ];
}

async function postRaw(
  { bench, receiver, raw }: Contenders,
  given: Pick<Posting, 'way' | 'connections' | 'total'>,
): Promise<Rate> {
  const { total } = given;
  const posting: Posting = { ...samplePosting(receiver), ...given };
  const cpu = startCpuMeter({ sender: raw.pid, postgres: bench.postgresPid, receiver: receiver.pid });
  const received = receiver.ask<Receipts>({ expected: total } satisfies Expectation);
  await raw.ask(posting);
  const { seconds } = await received;
  return { perSecond: total / seconds, cpuMicros: cpu.microsPer(total) };
}

/** Returns no figures on systems other than Linux, which do not report CPU times. */
function cpuOf({ rounds, against = '' }: Measured): Measured[] {
  const taken: Round[] = rounds.flatMap(({ cpuMicros }) => {
    const { worker, postgres } = cpuMicros?.tillhook ?? {};
    const { sender } = cpuMicros?.baseline ?? {};
    if (worker === undefined || postgres === undefined || sender === undefined || !cpuMicros) return [];
    return [{ tillhook: worker + postgres, baseline: sender, cpuMicros }];
  });
  const described = {
    name: 'CPU time of a delivery in a backlog, worker and Postgres',
    about:
      'Of the rounds to 20 endpoints, by the system’s count. Beside it the raw sender alone, without its receiver.',
    unit: 'µs',
    against,
    target: { of: 'ratio', atMost: 2 },
  } as const;
  return taken.length > 0 ? [figureOf(described, taken)] : [];
}
