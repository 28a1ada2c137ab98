import type { Claimed, Target } from '../../context.ts';
import { dayMs } from '../../kit/hours.ts';
import { firstId, firstIdAt, newId, timeIn } from '../../kit/ids.ts';
import type { Mode } from '../../kit/mode.ts';
import { rowsOf, run, type StatementContext } from '../../platform/database/statement.ts';

export interface ClaimRequest {
  slots: number;
  slotsPerEndpoint: number;
  /** Replaces `slotsPerEndpoint` for the endpoints with these ids. */
  slotsOf: ReadonlyMap<string, number>;
  /** The merchants and modes that the claim leaves out, except for their endpoints in `slotsOf`. */
  excluded: readonly Exclusion[];
  /** The claim begins after the endpoint with this id. */
  after: string;
}

export interface Exclusion {
  merchantId?: string;
  mode?: Mode;
}

export interface Claim {
  deliveries: Claimed[];
  /** For each endpoint, the number of deliveries that were claimed, or ended because the endpoint is inactive. */
  taken: Map<string, number>;
  /** When every slot was filled, endpoints after `last` may have due deliveries. */
  isFull: boolean;
  last: string;
}

/**
 * A delivery with this many claims and no recorded attempt counts as poison: it may crash the process that sends it.
 * From then on `claims` counts only the times when the delivery is sent.
 */
export const maxClaims = 10;

export const firstEndpoint = firstId;

/** An endpoint (id null), a claimed delivery, or an ended delivery (id and target null). Endpoints come first. */
type Row =
  | ClaimedRow
  | { id: null; endpointId: string; target: Target }
  | { id: null; endpointId: string; target: null };

/** The event is null if it is too old for the statement of the claim; see `addOlderEvents`. */
type ClaimedRow = Omit<Claimed, 'lease' | 'target' | 'eventName' | 'eventBody'> & {
  eventName: string | null;
  eventBody: string | null;
  target: null;
};

/**
 * An endpoint with a million waiting deliveries must not delay other endpoints, so the claim steps from endpoint to
 * endpoint in the index, and stops when all slots are filled.
 *
 * The statement changes no indexed column. Each step is written so that the planner can use only one index (a range of
 * one endpoint, an array of ids, a limit of one event). Otherwise it would read whole tables when they are full of
 * finished rows and their statistics are out of date. Events are searched only in the partitions of the days around the
 * claim, because Postgres plans for each partition that it cannot exclude at the start. The commit does not wait for
 * the disk: if the machine fails and a claim is lost, its rows are claimed again.
 * See docs/decisions/delivery.md, "First attempts go before retries".
 */
export async function claim(context: StatementContext, request: ClaimRequest): Promise<Claim> {
  const { slots, slotsPerEndpoint, slotsOf, excluded, after } = request;
  const { leaseMs } = context.config.delivery;
  const lease = newId();
  const [firstRecent, lastRecent] = [-dayMs, dayMs].map((ms) => firstIdAt(new Date(timeIn(lease) + ms)));
  const busy = Array.from(slotsOf, ([id, free]) => ({ id, free }));
  const rows = await rowsOf<Row>(context)`
    with recursive busy as materialized (
      select id, free from json_to_recordset(${JSON.stringify(busy)}::json) as endpoint (id uuid, free int)
    ),
    exclusion as materialized (
      select "merchantId" as owner, mode
      from json_to_recordset(${JSON.stringify(excluded)}::json) as exclusion ("merchantId" uuid, mode text)
    ),
    walk as (
      (select endpoint_id, is_retry, due_at from pending_delivery
       where endpoint_id > ${after} and (select min(due_at) from pending_delivery) <= now()
       order by endpoint_id, is_retry, due_at limit 1)
      union all
      (select following.endpoint_id, following.is_retry, following.due_at from walk cross join lateral (
         select endpoint_id, is_retry, due_at from pending_delivery where endpoint_id > walk.endpoint_id
         order by endpoint_id, is_retry, due_at limit 1) following)
    ),
    picked as materialized (
      select due.delivery_id, due.endpoint_id from walk cross join lateral (
        select delivery_id, endpoint_id from (
          select delivery_id, endpoint_id from pending_delivery
          where endpoint_id between walk.endpoint_id and walk.endpoint_id and is_retry = false
            and (held_until is null or held_until <= now())
          order by endpoint_id, is_retry, due_at for update skip locked) first_attempt
        union all
        select delivery_id, endpoint_id from (
          select delivery_id, endpoint_id from pending_delivery
          where endpoint_id between walk.endpoint_id and walk.endpoint_id and is_retry = true and due_at <= now()
            and (held_until is null or held_until <= now())
          order by endpoint_id, is_retry, due_at for update skip locked) retry
        limit coalesce(
          (select free from busy where busy.id = walk.endpoint_id),
          (select 0 from webhook_endpoint cross join exclusion
           where id = walk.endpoint_id and coalesce(owner = merchant_id, true)
             and coalesce(exclusion.mode = webhook_endpoint.mode, true) limit 1),
          ${slotsPerEndpoint})) due
      where walk.is_retry = false or walk.due_at <= now()
      limit ${slots}
    ),
    target as materialized (
      select id, url, sealed_secret, secret_rotation, merchant_id, mode, is_active, removed_at from webhook_endpoint
      where id = any(array(select distinct endpoint_id from picked))
    ),
    ended as (
      delete from pending_delivery where delivery_id = any(array(
        select delivery_id from picked join target on target.id = endpoint_id where not is_active))
      returning delivery_id, endpoint_id
    ),
    skipped as (
      update delivery set status = 'skipped', completed_at = now(),
        status_reason = case when removed_at is null then 'endpoint_inactive' else 'endpoint_removed' end
      from ended join target on target.id = endpoint_id where delivery.id = delivery_id
    ),
    claimed as (
      update pending_delivery set
        claims = claims + (claims < ${maxClaims})::int, lease = ${lease}::uuid, held_until = now() + ${leaseMs}::int * interval '1 millisecond'
      where delivery_id = any(array(
        select delivery_id from picked join target on target.id = endpoint_id where is_active))
      returning delivery_id, event_id, endpoint_id, attempt_count, claims
    )
    select null::uuid as id, null::uuid as "eventId", null as "eventName", null as "eventBody", null as "eventTraceparent",
      id as "endpointId",
      json_build_object('merchantId', merchant_id, 'mode', mode, 'url', url, 'sealedSecret', sealed_secret,
        'secretRotation', secret_rotation) as target,
      null::int as "attemptCount", null::int as claims
    from target where set_config('synchronous_commit', 'off', true) is not null
    union all
    select null, null, null, null, null, endpoint_id, null, null, null from ended
    union all
    select delivery_id, event_id, event.name, event.body, event.traceparent, endpoint_id, null, attempt_count, claims
    from claimed left join lateral (
      select name, body, traceparent from event where event.id = event_id and event.id between ${firstRecent} and ${lastRecent} limit 1
    ) event on true`;
  await addOlderEvents(context, rows);
  return read(rows, { lease, slots });
}

/** Most claims return no event that is more than a day old, and so need no second statement. */
async function addOlderEvents(context: StatementContext, rows: Row[]): Promise<void> {
  const incomplete = rows.filter((row): row is ClaimedRow => row.id !== null && row.eventBody === null);
  if (incomplete.length === 0) return;
  const found = await rowsOf<Pick<Claimed, 'eventName' | 'eventBody' | 'eventTraceparent'> & { id: string }>(context)`
    select id, name as "eventName", body as "eventBody", traceparent as "eventTraceparent"
    from event where id = any(${incomplete.map(({ eventId }) => eventId)}::uuid[])`;
  const events = new Map(found.map(({ id, ...event }) => [id, event]));
  for (const row of incomplete) Object.assign(row, events.get(row.eventId));
}

function read(rows: Row[], { lease, slots }: { lease: string; slots: number }): Claim {
  const targets = new Map<string, Target>();
  const taken = new Map<string, number>();
  const deliveries: Claimed[] = [];
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
    if (row.id === null || !target) continue;
    const { eventName, eventBody } = row;
    if (eventName !== null && eventBody !== null) deliveries.push({ ...row, eventName, eventBody, lease, target });
  }
  return { deliveries, taken, isFull: found === slots, last: [...taken.keys()].sort().at(-1) ?? firstEndpoint };
}

/** Skips deliveries of inactive endpoints, which the next `claim` ends. */
export async function claimByIds(context: StatementContext, ids: readonly string[]): Promise<Claimed[]> {
  const lease = newId();
  const rows = await rowsOf<Omit<Claimed, 'lease'>>(context)`
    with picked as materialized (
      select delivery_id, endpoint_id from pending_delivery
      where delivery_id = any(${ids}::uuid[]) and is_retry = false and held_until is null
      for update skip locked
    ),
    target as materialized (
      select id, url, sealed_secret, secret_rotation, merchant_id, mode from webhook_endpoint
      where id = any(array(select endpoint_id from picked)) and is_active
    ),
    claimed as (
      update pending_delivery set claims = claims + (claims < ${maxClaims})::int, lease = ${lease}::uuid,
        held_until = now() + ${context.config.delivery.leaseMs}::int * interval '1 millisecond'
      where delivery_id = any(array(select delivery_id from picked join target on target.id = endpoint_id))
      returning delivery_id, event_id, endpoint_id, attempt_count, claims
    )
    select delivery_id as id, event_id as "eventId", event.name as "eventName", event.body as "eventBody",
      event.traceparent as "eventTraceparent", endpoint_id as "endpointId", attempt_count as "attemptCount", claims,
      json_build_object('merchantId', merchant_id, 'mode', mode, 'url', url, 'sealedSecret', sealed_secret,
        'secretRotation', secret_rotation) as target
    from claimed join target on target.id = endpoint_id
      cross join lateral (
        select name, body, traceparent from event where event.id = event_id limit 1) event
    where set_config('synchronous_commit', 'off', true) is not null`;
  return rows.map((row) => ({ ...row, lease }));
}

/** Ignores the ends of leases, because the dispatcher claims regularly anyway. */
export async function nextDueMs(context: StatementContext): Promise<number | null> {
  const rows = await rowsOf<{ ms: number | null }>(context)`
    select (extract(epoch from min(due_at) - now()) * 1000)::float8 as ms
    from pending_delivery where due_at > now()`;
  return rows[0]?.ms ?? null;
}

/** Returns deliveries to the queue as if they had never been claimed. They may be claimed again after the delay. */
export async function handBack(
  context: StatementContext,
  deliveries: readonly Claimed[],
  delayMs: number,
): Promise<void> {
  const held = JSON.stringify(deliveries.map(({ id, lease }) => ({ id, lease })));
  await run(context)`
    update pending_delivery set
      lease = null, claims = claims - (claims <= ${maxClaims})::int, held_until = now() + ${delayMs}::int * interval '1 millisecond'
    from json_to_recordset(${held}::json) as held (id uuid, lease uuid)
    where delivery_id = held.id and pending_delivery.lease = held.lease`;
}
