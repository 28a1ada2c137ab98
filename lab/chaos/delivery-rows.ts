import type { Pool } from 'pg';

/** Runs `analyze`, because after many inserts autovacuum may not yet have updated the statistics. */
export async function refreshStatistics(database: Pool): Promise<void> {
  await database.query('analyze event, delivery, pending_delivery');
}

export async function moveEndpoints(database: Pool, merchantId: string, url: string): Promise<void> {
  await database.query('update webhook_endpoint set url = $1 where merchant_id = $2', [url, merchantId]);
}

export async function countPending(database: Pool, merchantIds: readonly string[]): Promise<number> {
  const { rows } = await database.query(
    `select count(*)::int as count from delivery where status = 'pending' and merchant_id = any($1)`,
    [merchantIds],
  );
  return rows[0].count;
}

/** Does not count the pending deliveries, because counting a million rows repeatedly would load the database. */
export async function isAnyPending(database: Pool, merchantIds: readonly string[], before: Date): Promise<boolean> {
  const { rowCount } = await database.query(
    `select from pending_delivery cross join lateral (
       select from delivery where id = delivery_id and merchant_id = any($1) and created_at <= $2 limit 1) pending limit 1`,
    [merchantIds, before],
  );
  return rowCount === 1;
}

export interface Written {
  id: string;
  createdAtMs: number;
  isLogged: boolean;
  failedAttempts: number[];
}

export async function findWritten(
  database: Pool,
  merchantIds: readonly string[],
  deliveryIds: readonly string[],
): Promise<Written[]> {
  const { rows } = await database.query(
    `select id, extract(epoch from created_at)::float8 * 1000 as "createdAtMs",
       status <> 'pending' and recorded > 0 as "isLogged", "failedAttempts"
     from delivery cross join lateral (
       select count(*) as recorded, coalesce(array_agg(attempt) filter (
         where error is not null or status_code is null or status_code not between 200 and 299), '{}') as "failedAttempts"
       from delivery_attempt where delivery_id = delivery.id) attempts
     where id = any($2::uuid[]) and merchant_id = any($1::uuid[])`,
    [merchantIds, deliveryIds],
  );
  return rows;
}

export async function findEvents(
  database: Pool,
  merchantId: string,
  references: ReadonlySet<string>,
): Promise<string[]> {
  const { rows } = await database.query('select reference from event where merchant_id = $1 and reference = any($2)', [
    merchantId,
    [...references],
  ]);
  return rows.map(({ reference }) => reference);
}

export async function findFollowed(database: Pool, merchantId: string, name?: string): Promise<string[]> {
  const { rows } = await database.query(
    'select id from event where merchant_id = $1 and name = coalesce($2, name) order by feed_position, id',
    [merchantId, name],
  );
  return rows.map(({ id }) => id);
}

export interface ComparedPayments {
  completed: string[];
  /** Completed payments that do not have exactly one event with exactly one delivery. */
  withoutEvent: number;
  withoutPayment: number;
}

/** One statement reads payments and events, so that the numbers belong to the same moment. */
export async function comparePayments(database: Pool, merchantId: string): Promise<ComparedPayments> {
  const { rows } = await database.query(
    `with reported as (
       select reference, count(*) as deliveries from event join delivery on event_id = event.id
       where event.merchant_id = $1 and name = 'checkout.success' group by reference
     ),
     completed as (select reference from payment where merchant_id = $1 and status = 'completed')
     select coalesce(json_agg(completed.reference) filter (where completed.reference is not null), '[]') as completed,
       count(*) filter (where completed.reference is not null and deliveries is distinct from 1)::int as "withoutEvent",
       count(*) filter (where completed.reference is null)::int as "withoutPayment"
     from completed full join reported using (reference)`,
    [merchantId],
  );
  return rows[0];
}

export function wrongPayments(
  { completed, withoutEvent, withoutPayment }: ComparedPayments,
  acknowledged: Iterable<string>,
): string[] {
  const lost = new Set(acknowledged);
  for (const reference of completed) lost.delete(reference);
  return [
    ...(lost.size > 0 ? [`${lost.size} acknowledged payments did not complete`] : []),
    ...(withoutEvent > 0 ? [`${withoutEvent} completed payments without their event`] : []),
    ...(withoutPayment > 0 ? [`${withoutPayment} events of payments that did not complete`] : []),
  ];
}
