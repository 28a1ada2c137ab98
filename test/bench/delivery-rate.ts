import { deliveryRequest } from '@tillhook/server/src/delivery/delivery-request.ts';
import { deliveryBody, eventBody } from '@tillhook/server/src/delivery/event.ts';
import { readSigningKey } from '@tillhook/server/src/delivery/signature.ts';
import { newId } from '@tillhook/server/src/kit/ids.ts';
import { newSigningSecret } from '@tillhook/server/src/webhooks/signing-secret.ts';
import { eventually } from '../support/eventually.ts';
import type { Bench, RunningServer } from './bench.ts';
import { type Child, startChild } from './child.ts';
import { compare, type Figure, type Rate } from './contest.ts';
import { startCpuMeter } from './cpu.ts';
import { createMerchant } from './merchant.ts';
import type { Posting } from './raw-sender.ts';
import type { Expectation, Receipts } from './receiver.ts';

interface Load {
  name: string;
  endpoints: number;
  /** What the worker's defaults come to with so many endpoints; the raw sender gets the same. */
  inFlight: number;
}

const loads: Load[] = [
  { name: 'deliveries to 20 endpoints, 256 in flight', endpoints: 20, inFlight: 256 },
  { name: 'deliveries to 1 endpoint, 16 in flight', endpoints: 1, inFlight: 16 },
];

interface Contenders {
  bench: Bench;
  receiver: Child;
  worker: RunningServer;
  raw: Child;
  total: number;
}

/** Deliveries per second, everything durable and on, beside the bare posting of the same bytes to the same receiver. */
export async function measureDeliveries(bench: Bench, total: number): Promise<Figure[]> {
  const receiver = await startChild(bench.running, 'receiver.ts');
  const raw = await startChild(bench.running, 'raw-sender.ts');
  const worker = await bench.startServer('worker');
  const figures: Figure[] = [];
  for (const load of loads) figures.push(await measureLoad({ bench, receiver, worker, raw, total }, load));
  await worker.stop();
  await raw.stop();
  await receiver.stop();
  return figures;
}

async function measureLoad(contenders: Contenders, { name, endpoints, inFlight }: Load): Promise<Figure> {
  const { bench, receiver } = contenders;
  const endpointIds = await registerEndpoints(bench, `${receiver.greeting}/webhooks`, endpoints);
  const contest = {
    name,
    against: 'undici.request',
    target: 0.55,
    tillhook: () => deliver(contenders, endpointIds),
    baseline: () => postRaw(contenders, inFlight),
  };
  return compare(contest, bench.rounds);
}

const sampleEvent = eventBody(
  'checkout.success',
  {
    reference: 'ref_k3v9m2q7x4t8w5n6b1zd',
    amount: 500_000,
    currency: 'NGN',
    status: 'completed',
    customerEmail: 'ada@example.com',
  },
  new Date(),
);

async function postRaw({ bench, receiver, raw, total }: Contenders, inFlight: number): Promise<Rate> {
  const endpointId = newId();
  const parts = { id: newId(), eventId: newId(), eventName: 'checkout.success', eventBody: sampleEvent, attempt: 1 };
  const { headers } = deliveryRequest(
    { ...parts, endpointId },
    { own: readSigningKey(newSigningSecret()), others: [] },
    new Date(),
  );
  const body = deliveryBody(sampleEvent, endpointId);
  const posting: Posting = { url: `${receiver.greeting}/webhooks`, headers, body, total, inFlight };
  const cpu = startCpuMeter({ sender: raw.pid, postgres: bench.postgresPid, receiver: receiver.pid });
  const received = receiver.ask<Receipts>({ expected: total } satisfies Expectation);
  await raw.ask(posting);
  const { seconds } = await received;
  return { perSecond: total / seconds, cpuMicros: cpu.microsPer(total) };
}

async function deliver({ bench, receiver, worker, total }: Contenders, endpointIds: string[]): Promise<Rate> {
  const received = receiver.ask<Receipts>({ expected: total } satisfies Expectation);
  await owe(bench, endpointIds, total);
  const cpu = startCpuMeter({ worker: worker.pid, postgres: bench.postgresPid, receiver: receiver.pid });
  const { seconds } = await received;
  await eventually(async () => (await countDelivered(bench)) === total);
  const cpuMicros = cpu.microsPer(total);
  const { received: all } = await receiver.ask<Receipts>('count');
  if (all !== total) throw new Error(`${total} deliveries were owed and ${all} were received.`);
  return { perSecond: total / seconds, cpuMicros };
}

async function registerEndpoints(bench: Bench, url: string, count: number): Promise<string[]> {
  const merchantId = await createMerchant(bench.database);
  const endpoints = Array.from({ length: count }, () => {
    const id = newId();
    return { id, secret: bench.sealer.seal(newSigningSecret(), id) };
  });
  await bench.database.query(
    `insert into webhook_endpoint (id, merchant_id, mode, url, sealed_secret, secret_last4, events, is_active, created_at)
     select id, $1, 'test', $2, secret, '0000', '*', true, now()
     from json_to_recordset($3) as endpoint (id uuid, secret text)`,
    [merchantId, url, JSON.stringify(endpoints)],
  );
  return endpoints.map(({ id }) => id);
}

/** Makes all of them owed by one commit, in fresh tables whose statistics are known, and rings the bell with it. */
async function owe({ database }: Bench, endpointIds: string[], total: number): Promise<void> {
  await database.query('begin');
  await database.query('truncate event, delivery, owed_delivery, delivery_attempt');
  await database.query(
    `with owed as (
       select uuidv7() as id, uuidv7() as event_id, ($1::uuid[])[1 + n % cardinality($1::uuid[])] as endpoint_id
       from generate_series(1, $2::int) as n
     ),
     target as (select owed.*, merchant_id, mode from owed join webhook_endpoint on webhook_endpoint.id = endpoint_id),
     happened as (
       insert into event (id, merchant_id, mode, name, reference, body, created_at)
       select event_id, merchant_id, mode, 'checkout.success', 'ref_k3v9m2q7x4t8w5n6b1zd', $3, now() from target
     ),
     due as (
       insert into owed_delivery (delivery_id, event_id, endpoint_id, due_at)
       select id, event_id, endpoint_id, now() from target
     )
     insert into delivery (id, event_id, endpoint_id, merchant_id, mode, status, created_at)
     select id, event_id, endpoint_id, merchant_id, mode, 'pending', now() from target`,
    [endpointIds, total, sampleEvent],
  );
  await database.query('analyze event, delivery, owed_delivery');
  await database.query('notify tillhook_delivery');
  await database.query('commit');
}

async function countDelivered({ database }: Bench): Promise<number> {
  const { rows } = await database.query(
    `select count(*)::int as count from delivery join delivery_attempt on delivery_id = delivery.id
     where status = 'delivered' and attempt_count = 1 and status_code = 200`,
  );
  return rows[0].count;
}
