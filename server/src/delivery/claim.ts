import { sql } from 'kysely';
import type { StatementContext } from '../database/own-statement.ts';
import { newId } from '../kit/ids.ts';
import type { Mode } from '../kit/mode.ts';
import type { SecretRotation } from '../webhooks/endpoint.entity.ts';

/** A delivery that this process holds until its lease ends, with what it takes to send it. */
export interface Claimed {
  id: string;
  lease: string;
  eventId: string;
  eventName: string;
  eventBody: string;
  endpointId: string;
  merchantId: string;
  mode: Mode;
  url: string;
  sealedSecret: string;
  secretRotation?: SecretRotation | null;
  /** Attempts that were recorded. */
  attemptCount: number;
  /** Claims since the last recorded attempt, this one included. */
  claims: number;
}

export interface ClaimRequest {
  /** How many to claim at most. */
  slots: number;
  /** How many of one endpoint. */
  slotsPerEndpoint: number;
  /** How many of these endpoints instead. */
  slotsOf: ReadonlyMap<string, number>;
  /** The endpoint after which to begin. */
  after: string;
}

export interface Claim {
  owed: Claimed[];
  /** How many of each endpoint were due, with those that were ended here because it is inactive or removed. */
  taken: Map<string, number>;
  /** Whether every slot was filled, so that endpoints after the last one may have due deliveries. */
  isFull: boolean;
  /** The last endpoint served. */
  last: string;
}

export const firstEndpoint = '00000000-0000-0000-0000-000000000000';

interface Row extends Claimed {
  status: string;
}

/**
 * Claims due deliveries, endpoint by endpoint, so that one with a million waiting does not hold up the others. The walk steps
 * from endpoint to endpoint in the index instead of reading every row, and stops when the slots are filled. Rows that another
 * process is claiming are passed over. A row of an inactive or removed endpoint is ended here.
 *
 * Each step is written so that only its index can answer it (a range of one endpoint, an array of ids, a limit of one event):
 * with tables full of finished rows, and statistics that lag behind, the planner otherwise reads them whole. The commit does
 * not wait for the disk: a claim that is lost with the machine is only claimed again.
 */
export async function claim(context: StatementContext, request: ClaimRequest): Promise<Claim> {
  const { slots, slotsPerEndpoint, slotsOf, after } = request;
  const { leaseMs } = context.config.delivery;
  const lease = newId();
  const busy = Array.from(slotsOf, ([id, free]) => ({ id, free }));
  const { rows } = await sql<Row>`
    with recursive busy as materialized (
      select id, free from json_to_recordset(${JSON.stringify(busy)}::json) as endpoint (id uuid, free int)
    ),
    walk as (
      (select endpoint_id, next_attempt_at from delivery
       where status = 'pending' and endpoint_id > ${after}
         and (select min(next_attempt_at) from delivery where status = 'pending') <= now()
       order by endpoint_id, next_attempt_at limit 1)
      union all
      (select following.* from walk cross join lateral (
         select endpoint_id, next_attempt_at from delivery
         where status = 'pending' and endpoint_id > walk.endpoint_id
         order by endpoint_id, next_attempt_at limit 1) following)
    ),
    picked as materialized (
      select due.id, due.endpoint_id from walk cross join lateral (
        select id, endpoint_id from delivery
        where endpoint_id between walk.endpoint_id and walk.endpoint_id
          and status = 'pending' and next_attempt_at <= now()
        order by endpoint_id, next_attempt_at
        limit coalesce((select free from busy where busy.id = walk.endpoint_id), ${slotsPerEndpoint})
        for update skip locked) due
      where walk.next_attempt_at <= now()
      limit ${slots}
    ),
    claimed as (
      update delivery set
        status = case when is_active then 'pending' else 'skipped' end,
        status_reason = case
          when removed_at is not null then 'endpoint_removed' when not is_active then 'endpoint_inactive' end,
        claims = claims + 1,
        lease = case when is_active then ${lease}::uuid end,
        next_attempt_at = case when is_active then now() + ${leaseMs}::int * interval '1 millisecond' end,
        completed_at = case when is_active then null else now() end
      from webhook_endpoint
      where delivery.id = any(array(select id from picked)) and webhook_endpoint.id = endpoint_id
      returning delivery.*, url, sealed_secret, secret_rotation
    )
    select claimed.id, lease, status, event_id as "eventId", event.name as "eventName", event.body as "eventBody",
      endpoint_id as "endpointId", claimed.merchant_id as "merchantId", claimed.mode, url, sealed_secret as "sealedSecret",
      secret_rotation as "secretRotation", attempt_count as "attemptCount", claims, (select set_config('synchronous_commit', 'off', true))
    from claimed cross join lateral (select name, body from event where event.id = event_id limit 1) event`.execute(
    context.em.getKysely(),
  );
  const taken = new Map<string, number>();
  for (const { endpointId } of rows) taken.set(endpointId, (taken.get(endpointId) ?? 0) + 1);
  return {
    owed: rows.filter(({ status }) => status === 'pending'),
    taken,
    isFull: rows.length === slots,
    last: [...taken.keys()].sort().at(-1) ?? firstEndpoint,
  };
}

/** How long until the next delivery comes due, a retry or the end of a lease. Null when none waits. */
export async function nextDueMs(context: StatementContext): Promise<number | null> {
  const { rows } = await sql<{ ms: number | null }>`
    select (extract(epoch from min(next_attempt_at) - now()) * 1000)::float8 as ms
    from delivery where status = 'pending' and next_attempt_at > now()`.execute(context.em.getKysely());
  return rows[0]?.ms ?? null;
}

/** Gives claimed deliveries back as if they had never been claimed, to be claimed again after the delay. */
export async function handBack(
  context: StatementContext,
  deliveries: readonly Claimed[],
  delayMs: number,
): Promise<void> {
  const held = JSON.stringify(deliveries.map(({ id, lease }) => ({ id, lease })));
  await sql`
    update delivery set
      lease = null, claims = claims - 1, next_attempt_at = now() + ${delayMs}::int * interval '1 millisecond'
    from json_to_recordset(${held}::json) as held (id uuid, lease uuid)
    where delivery.id = held.id and delivery.lease = held.lease and status = 'pending'`.execute(context.em.getKysely());
}
