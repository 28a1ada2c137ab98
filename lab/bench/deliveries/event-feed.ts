import { newId } from '@tillhook/server/src/kit/ids.ts';
import { addDays, createDaySql, dayOf } from '@tillhook/server/src/platform/database/schema/daily-partitions.ts';
import { Client } from 'pg';
import { Pool } from 'undici';
import { createMerchant, createTestKey } from '../../support/merchant.ts';
import { quantile } from '../../support/spread.ts';
import { type Bench, createSchema } from '../bench.ts';
import { figureOf, type Measured, type Round } from '../contest.ts';
import { createPayments } from '../payments/payments.ts';

interface Store {
  url: string;
  stop(): Promise<void>;
  key: string;
  /**
   * The path `page` returns the last `followed` events, and the path `end` starts after the last event. The path
   * `payments` returns as many payments.
   */
  paths: { page: string; end: string; payments: string };
}

const fewEvents = 1000;
/** None of them is in the counts of the hours yet. */
const payments = 100;
const days = 30;
const followed = 20;
const calls = 400;

const about = `Half of the answers take no longer. The events of one merchant, spread over the partitions of 30 days. One call after another
  on one connection, each side in turn.`;

export async function measureFeed(bench: Bench, total: number): Promise<Measured[]> {
  const [many, few] = [await openStore(bench, 'many_events', total), await openStore(bench, 'few_events', fewEvents)];
  const measured = [
    { name: `GET /events?after=…, ${followed} events, p50`, take: ({ paths }: Store) => paths.page },
    { name: 'GET /events?after=…, no event, p50', take: ({ paths }: Store) => paths.end },
    { name: `GET /payments, ${followed} payments, p50`, take: ({ paths }: Store) => paths.payments },
  ];
  const figures: Measured[] = [];
  for (const { name, take } of measured) {
    const rounds: Round[] = [];
    // The first round is a warm-up.
    for (let round = 0; round <= bench.rounds; round += 1) {
      const taken = await measureInTurns({ many, few }, take);
      if (round > 0) rounds.push(taken);
    }
    const against = `${fewEvents.toLocaleString('en')} events`;
    const described = { name: `${name}, ${total.toLocaleString('en')} events`, about, unit: 'ms', against } as const;
    figures.push(figureOf({ ...described, target: { of: 'ratio', atMost: 1.2 } }, rounds));
  }
  await many.stop();
  await few.stop();
  return figures;
}

/** Calls the two servers by turns, so that other load on the machine affects both servers equally. */
async function measureInTurns(stores: { many: Store; few: Store }, take: (store: Store) => string): Promise<Round> {
  const times = { many: [] as number[], few: [] as number[] };
  const pools = { many: poolOf(stores.many), few: poolOf(stores.few) };
  for (let count = 0; count < calls; count += 1) {
    for (const side of count % 2 === 0 ? (['few', 'many'] as const) : (['many', 'few'] as const)) {
      times[side].push(await msOf(pools[side], stores[side].key, take(stores[side])));
    }
  }
  await Promise.all([pools.many.close(), pools.few.close()]);
  return { tillhook: quantile(times.many, 0.5), baseline: quantile(times.few, 0.5) };
}

const poolOf = ({ url }: Store) => new Pool(new URL(url).origin, { connections: 1, pipelining: 1, allowH2: false });

async function msOf(pool: Pool, key: string, path: string): Promise<number> {
  const startedAt = performance.now();
  const answer = await pool.request({ method: 'GET', path, headers: { authorization: `Bearer ${key}` } });
  await answer.body.dump();
  if (answer.statusCode !== 200) throw new Error(`The server answered GET ${path} with ${answer.statusCode}.`);
  return performance.now() - startedAt;
}

async function openStore(bench: Bench, name: string, events: number): Promise<Store> {
  const databaseUrl = await bench.createDatabase(name);
  await createSchema(databaseUrl);
  const database = new Client({ connectionString: databaseUrl });
  await database.connect();
  const merchantId = await createMerchant(database);
  const key = await createTestKey(database, merchantId);
  await insertEvents(database, merchantId, events);
  await createPayments({ database }, merchantId, payments);
  const { rows } = await database.query('select id from event order by feed_position desc, id desc limit $1', [
    followed + 1,
  ]);
  await database.end();
  const server = await bench.startServer('api', { DATABASE_URL: databaseUrl });
  const path = (id: string) => `/api/v1/events?limit=${followed}&after=${id}`;
  const paths = {
    page: path(rows.at(-1).id),
    end: path(rows[0].id),
    payments: `/api/v1/payments?limit=${followed}`,
  };
  return { url: server.url, stop: server.stop, key, paths };
}

async function insertEvents(database: Client, merchantId: string, events: number): Promise<void> {
  const today = dayOf(new Date());
  await database.query('drop table event_before');
  for (let day = days; day >= 1; day -= 1) await database.query(createDaySql('event', addDays(today, -day)));
  const body = `{"event":"checkout.success","data":{"reference":"ref_k3v9m2q7x4t8w5n6b1zd","amount":500000,"currency":"NGN","status":"completed","customerEmail":"ada@example.com"},"timestamp":"2026-11-21T10:15:30.000Z","webhookId":"`;
  // The feed positions of the inserted events are negative or 0, so every later event has a higher position.
  await database.query(
    `insert into event (id, merchant_id, mode, name, reference, body, created_at, feed_position)
     select (lpad(to_hex((extract(epoch from at) * 1000)::bigint), 12, '0') || '7000' || substr($4::text, 20, 1) || substr(md5(number::text), 1, 15))::uuid,
       $1, 'test', 'checkout.success', 'order-' || number, $2, at, number - $3
     from (select number, now() - make_interval(secs => ($3 - number) * ${days} * 86400.0 / $3) as at
       from generate_series(1, $3) as number) as row`,
    [merchantId, body, events, newId()],
  );
  await database.query('vacuum analyze event');
}
