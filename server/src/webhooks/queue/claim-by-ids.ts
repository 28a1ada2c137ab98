import { newId } from '../../kit/ids.ts';
import { rowsOf, type StatementContext } from '../../platform/database/statement.ts';
import type { Claimed } from '../../wire/claimed.ts';
import { mostClaims } from './claim.ts';

/**
 * Claims first attempts by their ids, because a notification named them. It leaves out what another process holds, and
 * the rows of inactive endpoints, which the next usual claim ends. As for `claim`, the commit does not wait for the disk.
 */
export async function claimByIds(context: StatementContext, ids: readonly string[]): Promise<Claimed[]> {
  const lease = newId();
  const rows = await rowsOf<Omit<Claimed, 'lease'>>(context)`
    with picked as materialized (
      select delivery_id, endpoint_id from owed_delivery
      where delivery_id = any(${ids}::uuid[]) and is_retry = false and held_until is null
      for update skip locked
    ),
    target as materialized (
      select id, url, sealed_secret, secret_rotation, merchant_id, mode from webhook_endpoint
      where id = any(array(select endpoint_id from picked)) and is_active
    ),
    claimed as (
      update owed_delivery set claims = claims + (claims < ${mostClaims})::int, lease = ${lease}::uuid,
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
