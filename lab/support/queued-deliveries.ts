import type { Bell } from '@tillhook/server/src/context.ts';
import { newId } from '@tillhook/server/src/kit/ids.ts';
import type { Mode } from '@tillhook/server/src/kit/mode.ts';
import type { Sealer } from '@tillhook/server/src/kit/seal.ts';
import { newSigningSecret } from '@tillhook/server/src/webhooks/endpoints/signing-secret.ts';
import { eventBody } from '@tillhook/server/src/wire/event-body.ts';
import type { Client, Pool } from 'pg';

export const deliveryTables = ['event', 'delivery', 'pending_delivery', 'delivery_attempt'];

const reference = 'ref_k3v9m2q7x4t8w5n6b1zd';

export const sampleEvent = eventBody(
  'checkout.success',
  { reference, amount: 500_000, currency: 'NGN', status: 'completed', customerEmail: 'ada@example.com' },
  new Date(),
);

interface Registration {
  merchantId: string;
  mode?: Mode;
  url: string;
  count: number;
  /** The signing secret of all endpoints. Without this secret, each endpoint has its own secret. */
  secret?: string;
}

export async function registerEndpoints(
  database: Client | Pool,
  sealer: Sealer,
  { merchantId, mode = 'test', url, count, secret }: Registration,
): Promise<string[]> {
  const endpoints = Array.from({ length: count }, () => {
    const id = newId();
    return { id, secret: sealer.seal(secret ?? newSigningSecret(), id) };
  });
  await database.query(
    `insert into webhook_endpoint (id, merchant_id, mode, url, sealed_secret, secret_last4, events, is_active, created_at)
     select id, $1, $4, $2, secret, '0000', '*', true, now()
     from json_to_recordset($3) as endpoint (id uuid, secret text)`,
    [merchantId, url, JSON.stringify(endpoints), mode],
  );
  return endpoints.map(({ id }) => id);
}

/** Empties the tables first, and notifies the workers after the commit. */
export async function queueAtOnce(database: Client, endpointIds: string[], total: number): Promise<void> {
  await removeAllDeliveries(database);
  await database.query('begin');
  await insertDueDeliveries(database, endpointIds, total);
  await database.query('analyze event, delivery, pending_delivery');
  await database.query('notify tillhook_delivery');
  await database.query('commit');
}

/** Vacuums the tables, so that autovacuum does not run during the measurement. */
export async function queueWithoutWakeUp(database: Client, endpointIds: string[], total: number): Promise<void> {
  await removeAllDeliveries(database);
  await insertDueDeliveries(database, endpointIds, total);
  await database.query('vacuum (analyze) event, delivery, pending_delivery');
  await database.query('checkpoint');
}

export async function queueMore(database: Pool, endpointIds: string[], bell: Bell): Promise<void> {
  await insertDueDeliveries(database, endpointIds, endpointIds.length);
  bell.ring();
}

export async function removeAllDeliveries(database: Client): Promise<void> {
  await database.query('truncate event, delivery, pending_delivery, delivery_attempt');
}

export async function insertDueDeliveries(
  database: Client | Pool,
  endpointIds: string[],
  total: number,
): Promise<void> {
  await database.query(
    `with due_delivery as (
       select uuidv7() as id, uuidv7() as event_id, ($1::uuid[])[1 + n % cardinality($1::uuid[])] as endpoint_id
       from generate_series(1, $2::int) as n
     ),
     target as (select due_delivery.*, merchant_id, mode from due_delivery join webhook_endpoint on webhook_endpoint.id = endpoint_id),
     happened as (
       insert into event (id, merchant_id, mode, name, reference, body, created_at)
       select event_id, merchant_id, mode, 'checkout.success', $4, $3, now() from target
     ),
     due as (
       insert into pending_delivery (delivery_id, event_id, endpoint_id, due_at)
       select id, event_id, endpoint_id, now() from target
     )
     insert into delivery (id, event_id, endpoint_id, merchant_id, mode, status, created_at)
     select id, event_id, endpoint_id, merchant_id, mode, 'pending', now() from target`,
    [endpointIds, total, sampleEvent, reference],
  );
}

/** The reference of the event is the id of the delivery. */
export async function insertChosenDeliveries(
  database: Pool,
  deliveries: readonly { id: string; event_id: string; endpoint_id: string }[],
): Promise<void> {
  await database.query(
    `with due_delivery as (select * from json_to_recordset($1) as due_delivery (id uuid, event_id uuid, endpoint_id uuid)),
     target as (select due_delivery.*, merchant_id, mode from due_delivery join webhook_endpoint on webhook_endpoint.id = endpoint_id),
     happened as (
       insert into event (id, merchant_id, mode, name, reference, body, created_at)
       select event_id, merchant_id, mode, 'checkout.success', id::text, replace($2, $3, id::text), now() from target
     ),
     due as (
       insert into pending_delivery (delivery_id, event_id, endpoint_id, due_at)
       select id, event_id, endpoint_id, now() from target
     )
     insert into delivery (id, event_id, endpoint_id, merchant_id, mode, status, created_at)
     select id, event_id, endpoint_id, merchant_id, mode, 'pending', now() from target`,
    [JSON.stringify(deliveries), sampleEvent, reference],
  );
}

export async function isNothingDue(database: Client): Promise<boolean> {
  const { rows } = await database.query('select not exists (select from pending_delivery) as is_nothing_due');
  return rows[0].is_nothing_due;
}

export async function countDelivered(database: Client): Promise<number> {
  const { rows } = await database.query(
    `select count(*)::int as count from delivery join delivery_attempt on delivery_id = delivery.id
     where status = 'delivered' and attempt_count = 1 and status_code = 200`,
  );
  return rows[0].count;
}

export async function readCommits(database: Client): Promise<Map<string, { reference: string; at: number }>> {
  const { rows } = await database.query(
    'select id, reference, (extract(epoch from pg_xact_commit_timestamp(xmin)) * 1000)::float8 as at from event',
  );
  return new Map(rows.map(({ id, reference, at }) => [id, { reference, at }]));
}
