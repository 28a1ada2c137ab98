import type { Target } from '@tillhook/docs/figures/bench-figures.ts';
import { type Child, startChild, startReceiver } from '../../support/child.ts';
import { createMerchants } from '../../support/merchant.ts';
import { quantile } from '../../support/spread.ts';
import type { Bench } from '../bench.ts';
import { figureOf, type Measured } from '../contest.ts';
import { inBothOrders } from '../rounds.ts';
import { registerFor } from './deliver.ts';
import { inOneProcess, inWorker, loneDelivery } from './lone-delivery.ts';
import { type Paced, type Publisher, perSecond, publishAtPace, startPublisher } from './paced-events.ts';
import type { Recipient } from './publishing.ts';

const warmUpSeconds = 3;

interface Arrangement {
  how: string;
  about: string;
  p50?: number;
  p95?: number;
}

const events = `${perSecond} events a second, each committed alone by publish(), as a payment does it, for the endpoints of a hundred merchants in
  turn.`;
const inOne: Arrangement = {
  how: 'in one process',
  about: `${events} One process publishes and delivers.`,
  p50: 1.2,
  p95: 3,
};
const inTwo: Arrangement = {
  how: 'by two processes',
  about: `${events} One process publishes, and another one delivers, because DELIVERY_DIRECT is off.`,
  p50: 2,
};

const until = 'to the moment when the receiver has the body';
const known = `The time is from the moment when the publisher gets the answer to its commit, ${until}.`;
const recorded = `The time is from the commit record, which Postgres makes before it waits for the disk, ${until}. Beside it a commit that
  changes nothing, with its wait for the disk.`;
const directly = `The other is one process that inserts the event and the delivery in a transaction, commits, and posts by undici.dispatch:
  no signature, no record, and what is not sent when it dies is lost.`;

export async function measureCommitToReceipt(bench: Bench): Promise<Measured[]> {
  const receiver = await startReceiver(bench.running);
  const recipients = await registerRecipients(bench, receiver);
  const silent = (await createMerchants(bench.database)).map(({ id }) => ({ merchantId: id, endpointId: '', url: '' }));
  const direct = await startChild(bench.running, import.meta.resolve('./direct-dispatch.ts'), {
    args: [bench.databaseUrl],
  });
  const whole = await startPublisher(bench, 'all');
  const one = await measureRounds(bench, receiver, {
    direct: { child: direct, recipients, processes: { process: direct.pid } },
    ...withUnheard({ child: whole, recipients, processes: { process: whole.pid } }, silent),
  });
  await whole.stop();
  await direct.stop();
  const worker = await bench.startServer('worker');
  const api = await startPublisher(bench, 'api');
  const processes = { api: api.pid, worker: worker.pid };
  const two = await measureRounds(bench, receiver, withUnheard({ child: api, recipients, processes }, silent));
  await api.stop();
  await worker.stop();
  await receiver.stop();
  return [
    ...figuresOf(one, inOne),
    ...besideDirect(one),
    ...figuresOf(two, inTwo),
    ...loneDelivery(one, inOneProcess),
    ...loneDelivery(two, inWorker),
  ];
}

function withUnheard(tillhook: Publisher, silent: Recipient[]): Record<'tillhook' | 'unheard', Publisher> {
  return { tillhook, unheard: { ...tillhook, recipients: silent, isHeard: false } };
}

async function registerRecipients(bench: Bench, receiver: Child): Promise<Recipient[]> {
  const merchants = await createMerchants(bench.database);
  const endpointIds = await registerFor(bench, receiver, { merchants, count: merchants.length });
  const url = `${receiver.greeting}/webhooks`;
  return merchants.map(({ id }, index) => ({ merchantId: id, endpointId: endpointIds[index] ?? '', url }));
}

async function measureRounds<Name extends string>(
  bench: Bench,
  receiver: Child,
  publishers: Record<Name, Publisher>,
): Promise<Record<Name, Paced>[]> {
  const names = Object.keys(publishers) as Name[];
  const run = (seconds: number) => (name: Name) =>
    publishAtPace(bench, receiver, { publisher: publishers[name], seconds });
  await inBothOrders(names, 1, run(warmUpSeconds));
  return inBothOrders(names, bench.rounds, run(bench.seconds));
}

type Rounds = { tillhook: Paced }[];

const quantiles = { p50: 0.5, p95: 0.95 } as const;

function figuresOf(rounds: Rounds, { how, about, ...limits }: Arrangement): Measured[] {
  const starts = [
    { start: 'commit', explained: known, take: ({ sinceAcknowledged }: Paced) => sinceAcknowledged, limits },
    { start: 'commit record', explained: recorded, take: ({ sinceRecorded }: Paced) => sinceRecorded, limits: {} },
  ];
  return starts.flatMap(({ start, explained, take, limits }) =>
    (['p50', 'p95'] as const).map((name) =>
      figureOf(
        {
          name: `${start} → receipt ${how}, ${name}`,
          about: `${about} ${explained}`,
          unit: 'ms',
          against: 'an empty commit',
          target: atMost('tillhook', limits[name]),
        },
        rounds.map(({ tillhook }) => ({
          tillhook: quantile(take(tillhook), quantiles[name]),
          baseline: quantile(tillhook.emptyCommits, quantiles[name]),
          cpuMicros: { tillhook: tillhook.cpuMicros, baseline: {} },
        })),
      ),
    ),
  );
}

function besideDirect(rounds: Record<'tillhook' | 'direct', Paced>[]): Measured[] {
  const limits = { p50: 1.5, p95: 2 };
  return (['p50', 'p95'] as const).map((name) =>
    figureOf(
      {
        name: `commit → receipt beside direct dispatch, ${name}`,
        about: `${inOne.about} ${known} ${directly}`,
        unit: 'ms',
        against: 'direct dispatch',
        target: atMost('ratio', limits[name]),
      },
      rounds.map(({ tillhook, direct }) => ({
        tillhook: quantile(tillhook.sinceAcknowledged, quantiles[name]),
        baseline: quantile(direct.sinceAcknowledged, quantiles[name]),
        cpuMicros: { tillhook: tillhook.cpuMicros, baseline: direct.cpuMicros },
      })),
    ),
  );
}

const atMost = (of: Target['of'], limit: number | undefined): Target | undefined =>
  limit === undefined ? undefined : { of, atMost: limit };
