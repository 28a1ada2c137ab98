import { type Child, startReceiver } from '../../support/child.ts';
import { peakMemoryMiB } from '../../support/memory.ts';
import { queueWithoutWakeUp } from '../../support/queued-deliveries.ts';
import type { Expectation, Receipts } from '../../support/receiver.ts';
import type { Bench } from '../bench.ts';
import { figureOf, type Measured, type Round } from '../contest.ts';
import { openStore, type Store } from '../store.ts';
import { registerAt } from './deliver.ts';
import { saveClaimPlan } from './explain-claim.ts';

interface Case {
  bench: Bench;
  receiver: Child;
  many: Store;
  few: Store;
  waiting: number;
  endpoints: number;
}

interface Drain {
  perSecond: number;
  peakMiB: number;
}

/** Of a million deliveries, 10,000 warm the worker up and 30,000 are timed. The small backlog has 50,000 deliveries. */
const warmUpShare = 0.01;
const countedShare = 0.03;
const fewShare = 0.05;

export async function measureBacklog(bench: Bench, waiting: number): Promise<Measured[]> {
  const receiver = await startReceiver(bench.running);
  const many = await openStore(bench, 'many_waiting');
  const few = await openStore(bench, 'few_waiting');
  const shared = { bench, receiver, many, few, waiting };
  const figures = await measureCase({ ...shared, endpoints: 20 });
  figures.push(...(await measureCase({ ...shared, endpoints: 1 })));
  await receiver.stop();
  return figures;
}

async function measureCase(given: Case): Promise<Measured[]> {
  const { bench, many, few, waiting, endpoints } = given;
  const endpointIds = await register(given, few);
  await queueWithoutWakeUp(many.database, await register(given, many), waiting);
  if (endpoints > 1) await saveClaimPlan(many, waiting);
  const rounds: { many: Drain; few: Drain }[] = [];
  for (let round = 0; round < bench.rounds; round += 1) {
    await queueWithoutWakeUp(few.database, endpointIds, Math.round(waiting * fewShare));
    rounds.push({ few: await drain(given, few), many: await drain(given, many) });
  }
  return describe(given, rounds);
}

function describe({ waiting, endpoints }: Case, rounds: { many: Drain; few: Drain }[]): Measured[] {
  const [all, counted, fewer, fewest] = [1, countedShare, fewShare, fewShare - countedShare - warmUpShare].map(
    (share) => Math.round(waiting * share).toLocaleString('en'),
  );
  const name = `with ${all} waiting for ${endpoints === 1 ? 'one endpoint' : `${endpoints} endpoints`}`;
  const about = `${counted} deliveries by a worker that was just started, after it had warmed up with a third as many, while the rest
    waits; it is then stopped. Beside it the same with ${fewer} waiting, of which ${fewest} are left in the end. Rounds go on where the
    last one stopped, so rows that were updated stay behind in the larger table.`;
  const against = `${fewest} waiting`;
  const pairs = (take: (drain: Drain) => number): Round[] =>
    rounds.map(({ many, few }) => ({ tillhook: take(many), baseline: take(few) }));
  const rate = { name: `deliveries drained, ${name}`, about, against, unit: '/s', target: atLeast(0.9) } as const;
  const memories = pairs(({ peakMiB }) => peakMiB).filter(({ tillhook }) => Number.isFinite(tillhook));
  const memory = { name: `worker’s memory, ${name}`, about, against, unit: 'MiB', target: atMost(1.2) } as const;
  return [
    figureOf(
      rate,
      pairs(({ perSecond }) => perSecond),
    ),
    // Only Linux reports the memory of a process.
    ...(memories.length > 0 ? [figureOf(memory, memories)] : []),
  ];
}

const atLeast = (limit: number) => ({ of: 'ratio', atLeast: limit }) as const;
const atMost = (limit: number) => ({ of: 'ratio', atMost: limit }) as const;

async function drain({ bench, receiver, waiting }: Case, { url }: Store): Promise<Drain> {
  const skipped = Math.round(waiting * warmUpShare);
  const counted = Math.round(waiting * countedShare);
  const received = receiver.ask<Receipts>({ expected: skipped + counted, skipped: skipped - 1 } satisfies Expectation);
  const worker = await bench.startServer('worker', { DATABASE_URL: url });
  const { seconds } = await received;
  const peakMiB = peakMemoryMiB(worker.pid);
  await worker.stop();
  return { perSecond: counted / seconds, peakMiB };
}

function register({ bench, receiver, endpoints }: Case, { database }: Store): Promise<string[]> {
  return registerAt({ database, sealer: bench.sealer }, receiver, endpoints);
}
