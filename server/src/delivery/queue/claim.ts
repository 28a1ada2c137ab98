import { rowsOf, run, type StatementContext } from '../../database/statement.ts';
import { newId } from '../../kit/ids.ts';
import type { Mode } from '../../kit/mode.ts';
import type { SecretRotation } from '../../webhooks/endpoint.entity.ts';

/** A delivery that this process holds until its lease ends, with what it takes to send it. */
export interface Claimed {
  id: string;
  lease: string;
  eventId: string;
  eventName: string;
  eventBody: string;
  endpointId: string;
  target: Target;
  /** Attempts that were recorded. */
  attemptCount: number;
  /** Claims since the last recorded attempt, this one included; and past `mostClaims`, how often it was sent as a suspect. */
  claims: number;
}

/** What is known of the endpoint, once for all that a claim brings for it. */
export interface Target {
  merchantId: string;
  mode: Mode;
  url: string;
  sealedSecret: string;
  secretRotation?: SecretRotation | null;
}

export interface ClaimRequest {
  /** How many to claim at most. */
  slots: number;
  /** How many of one endpoint. */
  slotsPerEndpoint: number;
  /** How many of these endpoints instead. */
  slotsOf: ReadonlyMap<string, number>;
  /** Merchants and modes of which nothing is claimed, except of endpoints in `slotsOf`. */
  passedOver: readonly PassedOver[];
  /** The endpoint after which to begin. */
  after: string;
}

/** Endpoints of which nothing is claimed, unless something of them is held already. Without a merchant, those of all. */
export interface PassedOver {
  merchantId?: string;
  mode?: Mode;
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

/**
 * So many claims without a recorded attempt make a delivery a suspect: whatever sends it may die of it. Claims count no further,
 * because most that are claimed are not sent yet.
 */
export const mostClaims = 10;

export const firstEndpoint = '00000000-0000-0000-0000-000000000000';

/** A claimed delivery; or an endpoint, before its deliveries; or the endpoint of a delivery that was ended here. */
type Row =
  | (Omit<Claimed, 'lease' | 'target'> & { target: null })
  | { id: null; endpointId: string; target: Target }
  | { id: null; endpointId: string; target: null };

/**
 * Claims due deliveries, endpoint by endpoint, so that one with a million waiting does not hold up the others, and of each
 * its first attempts before its retries, so that what piled up while it was down does not hold up what is new. The walk steps
 * from endpoint to endpoint in the index instead of reading every row, and stops when the slots are filled. Rows that another
 * process is claiming are skipped, and so are those that are held. A row of an inactive or removed endpoint is ended here. Of a
 * merchant or mode that holds almost all that it may, only endpoints that are known here are served, within what they may hold.
 *
 * Only columns that are in no index change. Each step is written so that only its index can answer it (a range of one
 * endpoint, an array of ids, a limit of one event): with tables full of finished rows, and statistics that lag behind, the
 * planner otherwise reads them whole. The commit does not wait for the disk: a claim that is lost with the machine is only
 * claimed again.
 * See docs/decisions/delivery.md, "First attempts go before retries".
 */
export async function claim(context: StatementContext, request: ClaimRequest): Promise<Claim> {
  const { slots, slotsPerEndpoint, slotsOf, passedOver, after } = request;
  const { leaseMs } = context.config.delivery;
  const lease = newId();
  const busy = Array.from(slotsOf, ([id, free]) => ({ id, free }));
  const rows = await rowsOf<Row>(context)`
    with recursive busy as materialized (
      select id, free from json_to_recordset(${JSON.stringify(busy)}::json) as endpoint (id uuid, free int)
    ),
    passed_over as materialized (
      select "merchantId" as owner, mode
      from json_to_recordset(${JSON.stringify(passedOver)}::json) as passed_over ("merchantId" uuid, mode text)
    ),
    walk as (
      (select endpoint_id, is_retry, due_at from owed_delivery
       where endpoint_id > ${after} and (select min(due_at) from owed_delivery) <= now()
       order by endpoint_id, is_retry, due_at limit 1)
      union all
      (select following.endpoint_id, following.is_retry, following.due_at from walk cross join lateral (
         select endpoint_id, is_retry, due_at from owed_delivery where endpoint_id > walk.endpoint_id
         order by endpoint_id, is_retry, due_at limit 1) following)
    ),
    picked as materialized (
      select due.delivery_id, due.endpoint_id from walk cross join lateral (
        select delivery_id, endpoint_id from (
          select delivery_id, endpoint_id from owed_delivery
          where endpoint_id between walk.endpoint_id and walk.endpoint_id and is_retry = false
            and (held_until is null or held_until <= now())
          order by endpoint_id, is_retry, due_at for update skip locked) first_attempt
        union all
        select delivery_id, endpoint_id from (
          select delivery_id, endpoint_id from owed_delivery
          where endpoint_id between walk.endpoint_id and walk.endpoint_id and is_retry = true and due_at <= now()
            and (held_until is null or held_until <= now())
          order by endpoint_id, is_retry, due_at for update skip locked) retry
        limit coalesce(
          (select free from busy where busy.id = walk.endpoint_id),
          (select 0 from webhook_endpoint cross join passed_over
           where id = walk.endpoint_id and coalesce(owner = merchant_id, true)
             and coalesce(passed_over.mode = webhook_endpoint.mode, true) limit 1),
          ${slotsPerEndpoint})) due
      where walk.is_retry = false or walk.due_at <= now()
      limit ${slots}
    ),
    target as materialized (
      select id, url, sealed_secret, secret_rotation, merchant_id, mode, is_active, removed_at from webhook_endpoint
      where id = any(array(select distinct endpoint_id from picked))
    ),
    ended as (
      delete from owed_delivery where delivery_id = any(array(
        select delivery_id from picked join target on target.id = endpoint_id where not is_active))
      returning delivery_id, endpoint_id
    ),
    skipped as (
      update delivery set status = 'skipped', completed_at = now(),
        status_reason = case when removed_at is null then 'endpoint_inactive' else 'endpoint_removed' end
      from ended join target on target.id = endpoint_id where delivery.id = delivery_id
    ),
    claimed as (
      update owed_delivery set
        claims = claims + (claims < ${mostClaims})::int, lease = ${lease}::uuid, held_until = now() + ${leaseMs}::int * interval '1 millisecond'
      where delivery_id = any(array(
        select delivery_id from picked join target on target.id = endpoint_id where is_active))
      returning delivery_id, event_id, endpoint_id, attempt_count, claims
    )
    select null::uuid as id, null::uuid as "eventId", null as "eventName", null as "eventBody", id as "endpointId",
      json_build_object('merchantId', merchant_id, 'mode', mode, 'url', url, 'sealedSecret', sealed_secret,
        'secretRotation', secret_rotation) as target,
      null::int as "attemptCount", null::int as claims
    from target where set_config('synchronous_commit', 'off', true) is not null
    union all
    select null, null, null, null, endpoint_id, null, null, null from ended
    union all
    select delivery_id, event_id, event.name, event.body, endpoint_id, null, attempt_count, claims
    from claimed cross join lateral (select name, body from event where event.id = event_id limit 1) event`;
  return read(rows, { lease, slots });
}

function read(rows: Row[], { lease, slots }: { lease: string; slots: number }): Claim {
  const targets = new Map<string, Target>();
  const taken = new Map<string, number>();
  const owed: Claimed[] = [];
  let found = 0;
  for (const row of rows) {
    const { endpointId } = row;
    if (row.target) {
      targets.set(endpointId, row.target);
      continue;
    }
    found += 1;
    taken.set(endpointId, (taken.get(endpointId) ?? 0) + 1);
    const target = targets.get(endpointId);
    if (row.id !== null && target) owed.push({ ...row, lease, target });
  }
  return { owed, taken, isFull: found === slots, last: [...taken.keys()].sort().at(-1) ?? firstEndpoint };
}

/** How long until the next retry comes due. Null when none waits. Whoever holds a row knows itself until when. */
export async function nextDueMs(context: StatementContext): Promise<number | null> {
  const rows = await rowsOf<{ ms: number | null }>(context)`
    select (extract(epoch from min(due_at) - now()) * 1000)::float8 as ms
    from owed_delivery where due_at > now()`;
  return rows[0]?.ms ?? null;
}

/** Gives claimed deliveries back as if they had never been claimed, to be claimed again after the delay. */
export async function handBack(
  context: StatementContext,
  deliveries: readonly Claimed[],
  delayMs: number,
): Promise<void> {
  const held = JSON.stringify(deliveries.map(({ id, lease }) => ({ id, lease })));
  await run(context)`
    update owed_delivery set
      lease = null, claims = claims - (claims <= ${mostClaims})::int, held_until = now() + ${delayMs}::int * interval '1 millisecond'
    from json_to_recordset(${held}::json) as held (id uuid, lease uuid)
    where delivery_id = held.id and owed_delivery.lease = held.lease`;
}
