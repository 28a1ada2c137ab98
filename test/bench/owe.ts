/**
 * Every statement of the benchmarks that writes or counts deliveries. What is owed looks as `delivery/queue/publish.ts` leaves it:
 * an event and its delivery, due now.
 */
import type { Bell } from '@tillhook/server/src/delivery/queue/bell.ts';
import { eventBody } from '@tillhook/server/src/delivery/wire/event-body.ts';
import { newId } from '@tillhook/server/src/kit/ids.ts';
import type { Mode } from '@tillhook/server/src/kit/mode.ts';
import type { Sealer } from '@tillhook/server/src/kit/seal.ts';
import { newSigningSecret } from '@tillhook/server/src/webhooks/signing-secret.ts';
import type { Client, Pool } from 'pg';

/** Tables that a plan of the claim may only reach by an index. */
export const deliveryTables = ['event', 'delivery', 'owed_delivery', 'delivery_attempt'];

const reference = 'ref_k3v9m2q7x4t8w5n6b1zd';

export const sampleEvent = eventBody(
  'checkout.success',
  { reference, amount: 500_000, currency: 'NGN', status: 'completed', customerEmail: 'ada@example.com' },
  new Date(),
);

/** Registers so many active endpoints of one merchant, all at this address. */
export async function registerEndpoints(
  database: Client | Pool,
  sealer: Sealer,
  { merchantId, mode = 'test', url, count }: { merchantId: string; mode?: Mode; url: string; count: number },
): Promise<string[]> {
  const endpoints = Array.from({ length: count }, () => {
    const id = newId();
    return { id, secret: sealer.seal(newSigningSecret(), id) };
  });
  await database.query(
    `insert into webhook_endpoint (id, merchant_id, mode, url, sealed_secret, secret_last4, events, is_active, created_at)
     select id, $1, $4, $2, secret, '0000', '*', true, now()
     from json_to_recordset($3) as endpoint (id uuid, secret text)`,
    [merchantId, url, JSON.stringify(endpoints), mode],
  );
  return endpoints.map(({ id }) => id);
}

/** Makes all of them owed by one commit, in fresh tables whose statistics are known, and rings the bell with it. */
export async function oweAtOnce(database: Client, endpointIds: string[], total: number): Promise<void> {
  await database.query('begin');
  await forget(database);
  await insertOwed(database, endpointIds, total);
  await database.query('analyze event, delivery, owed_delivery');
  await database.query('notify tillhook_delivery');
  await database.query('commit');
}

/** The same for nobody who listens yet, in tables that are in order: Postgres has no upkeep of them to do meanwhile. */
export async function oweQuietly(database: Client, endpointIds: string[], total: number): Promise<void> {
  await forget(database);
  await insertOwed(database, endpointIds, total);
  await database.query('vacuum (analyze) event, delivery, owed_delivery');
  await database.query('checkpoint');
}

/** Adds one for each endpoint by a commit, and then rings, as an API process does. */
export async function oweMore(database: Pool, endpointIds: string[], bell: Bell): Promise<void> {
  await insertOwed(database, endpointIds, endpointIds.length);
  bell.ring();
}

/** Nothing was ever owed. */
export async function forget(database: Client): Promise<void> {
  await database.query('truncate event, delivery, owed_delivery, delivery_attempt');
}

/** Each of its own event, to one endpoint after the other. */
export async function insertOwed(database: Client | Pool, endpointIds: string[], total: number): Promise<void> {
  await database.query(
    `with owed as (
       select uuidv7() as id, uuidv7() as event_id, ($1::uuid[])[1 + n % cardinality($1::uuid[])] as endpoint_id
       from generate_series(1, $2::int) as n
     ),
     target as (select owed.*, merchant_id, mode from owed join webhook_endpoint on webhook_endpoint.id = endpoint_id),
     happened as (
       insert into event (id, merchant_id, mode, name, reference, body, created_at)
       select event_id, merchant_id, mode, 'checkout.success', $4, $3, now() from target
     ),
     due as (
       insert into owed_delivery (delivery_id, event_id, endpoint_id, due_at)
       select id, event_id, endpoint_id, now() from target
     )
     insert into delivery (id, event_id, endpoint_id, merchant_id, mode, status, created_at)
     select id, event_id, endpoint_id, merchant_id, mode, 'pending', now() from target`,
    [endpointIds, total, sampleEvent, reference],
  );
}

/** One event for each delivery. The reference of the event is the id of the delivery. */
export async function insertKnown(
  database: Pool,
  owed: readonly { id: string; event_id: string; endpoint_id: string }[],
): Promise<void> {
  await database.query(
    `with owed as (select * from json_to_recordset($1) as owed (id uuid, event_id uuid, endpoint_id uuid)),
     target as (select owed.*, merchant_id, mode from owed join webhook_endpoint on webhook_endpoint.id = endpoint_id),
     happened as (
       insert into event (id, merchant_id, mode, name, reference, body, created_at)
       select event_id, merchant_id, mode, 'checkout.success', id::text, replace($2, $3, id::text), now() from target
     ),
     due as (
       insert into owed_delivery (delivery_id, event_id, endpoint_id, due_at)
       select id, event_id, endpoint_id, now() from target
     )
     insert into delivery (id, event_id, endpoint_id, merchant_id, mode, status, created_at)
     select id, event_id, endpoint_id, merchant_id, mode, 'pending', now() from target`,
    [JSON.stringify(owed), sampleEvent, reference],
  );
}

/** How many were delivered at the first attempt, with the attempt on record. */
export async function countDelivered(database: Client): Promise<number> {
  const { rows } = await database.query(
    `select count(*)::int as count from delivery join delivery_attempt on delivery_id = delivery.id
     where status = 'delivered' and attempt_count = 1 and status_code = 200`,
  );
  return rows[0].count;
}

/** When each event was committed, in milliseconds since 1970: Postgres writes the moment down with the commit itself. */
export async function commitTimes(database: Client): Promise<Map<string, number>> {
  const { rows } = await database.query(
    'select id, (extract(epoch from pg_xact_commit_timestamp(xmin)) * 1000)::float8 as at from event',
  );
  return new Map(rows.map(({ id, at }) => [id, at]));
}
