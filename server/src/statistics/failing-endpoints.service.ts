/**
 * Finds the endpoints that fail at this moment. `failureStreak` alone counts deliveries that have ended, and a delivery
 * ends only hours after its first failed attempt. So an endpoint also fails when a delivery waits for another attempt,
 * and no delivery succeeded since its last attempt began.
 */
import type { Context } from '../context.ts';
import { rowsOutsideTransaction } from '../platform/database/statement.ts';
import type { WebhookEndpoint } from '../webhooks/endpoints/endpoint.entity.ts';

/**
 * Choice: only the retries that come first are looked at, because an endpoint can have a million of them. The delay
 * grows with each attempt, so these are mostly the deliveries whose last attempt was made a short time ago.
 */
const mostRetries = 100;

/** Returns the ids of those endpoints that fail. An endpoint that is not active gets no attempts, so it does not fail. */
export async function findFailingEndpoints(
  context: Context,
  endpoints: readonly WebhookEndpoint[],
): Promise<ReadonlySet<string>> {
  const active = endpoints.filter(({ isActive }) => isActive);
  const ids = active.filter(({ failureStreak }) => failureStreak === 0).map(({ id }) => id);
  const waiting = ids.length > 0 ? await findWithFailedAttempts(context, ids) : [];
  const ended = active.filter(({ failureStreak }) => failureStreak > 0);
  return new Set([...ended, ...waiting].map(({ id }) => id));
}

/** Reads at most `mostRetries` entries of the index `owed_delivery_turn` for each endpoint. */
function findWithFailedAttempts(context: Context, ids: string[]): Promise<{ id: string }[]> {
  return rowsOutsideTransaction<{ id: string }>(context)`
    select id from webhook_endpoint where id = any(${ids}::uuid[]) and exists (
      select from (
        select delivery_id, attempt_count from pending_delivery
        where endpoint_id = webhook_endpoint.id and is_retry = true
        order by endpoint_id, is_retry, due_at limit ${mostRetries}
      ) as retry
      join delivery_attempt on delivery_attempt.delivery_id = retry.delivery_id and attempt = retry.attempt_count
      where last_delivered_at is null or started_at > last_delivered_at)`;
}
