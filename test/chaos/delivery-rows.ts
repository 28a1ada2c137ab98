/** Every statement of these scenarios that reads events and deliveries. What is owed is written as the benchmarks write it. */
import type { Pool } from 'pg';

/** After so many at once, as time would have done. */
export async function refreshStatistics(database: Pool): Promise<void> {
  await database.query('analyze event, delivery, owed_delivery');
}

/** From the next claim on, what is owed to the merchant's endpoints goes to this address. */
export async function moveEndpoints(database: Pool, merchantId: string, url: string): Promise<void> {
  await database.query('update webhook_endpoint set url = $1 where merchant_id = $2', [url, merchantId]);
}

/** Those that did not end yet. */
export async function countPending(database: Pool, merchantIds: readonly string[]): Promise<number> {
  const { rows } = await database.query(
    `select count(*)::int as count from delivery where status = 'pending' and merchant_id = any($1)`,
    [merchantIds],
  );
  return rows[0].count;
}

/** Whether any did not end yet that became owed before the moment. Not counted: a million, again and again, would be a load. */
export async function isAnyPending(database: Pool, merchantIds: readonly string[], before: Date): Promise<boolean> {
  const { rowCount } = await database.query(
    `select from owed_delivery cross join lateral (
       select from delivery where id = delivery_id and merchant_id = any($1) and created_at <= $2 limit 1) pending limit 1`,
    [merchantIds, before],
  );
  return rowCount === 1;
}

export interface Written {
  id: string;
  createdAtMs: number;
  /** Ended, with a recorded attempt that says how. */
  isLogged: boolean;
  /** Numbers of the attempts that are on record as failed: each is the reason for the attempt that follows it. */
  failedAttempts: number[];
}

/** What is known of those of these deliveries that are owed at all. */
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

/** Those of these references of which the merchant has an event. */
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

export interface PaymentBooks {
  completed: string[];
  /** Completed payments without exactly one event that is owed to exactly one endpoint. */
  untold: number;
  /** Events of payments that did not complete. */
  untrue: number;
}

/** Holds a merchant's payments against the events that were written of them, at one moment. */
export async function comparePayments(database: Pool, merchantId: string): Promise<PaymentBooks> {
  const { rows } = await database.query(
    `with told as (
       select reference, count(*) as deliveries from event join delivery on event_id = event.id
       where event.merchant_id = $1 and name = 'checkout.success' group by reference
     ),
     completed as (select reference from payment where merchant_id = $1 and status = 'completed')
     select coalesce(json_agg(completed.reference) filter (where completed.reference is not null), '[]') as completed,
       count(*) filter (where completed.reference is not null and deliveries is distinct from 1)::int as untold,
       count(*) filter (where completed.reference is null)::int as untrue
     from completed full join told using (reference)`,
    [merchantId],
  );
  return rows[0];
}
