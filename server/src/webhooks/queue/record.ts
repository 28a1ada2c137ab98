import { sql } from 'kysely';
import type { Claimed } from '../../context.ts';
import type { StatusReason } from '../../kit/delivery-codes.ts';
import { rowsOf, type StatementContext } from '../../platform/database/statement.ts';
import type { Outcome } from '../../wire/flight.ts';

export type NextStep =
  | { step: 'delivered' }
  | { step: 'retry'; delayMs: number }
  | { step: 'give-up' }
  /** The receiver answered 410 Gone: there are no more attempts, and the endpoint is disabled. */
  | { step: 'disable' };

export interface Attempt {
  delivery: Claimed;
  attempt: number;
  startedAt: Date;
  outcome: Outcome;
  next: NextStep;
}

/** `crashed` ends a poison delivery without an attempt. */
export type Result = Attempt | { delivery: Claimed; crashed: true };

/** Choice: an endpoint is disabled after 20 failed deliveries in a row, if no delivery has succeeded for 72 hours. */
const maxFailuresInARow = 20;
const failingHours = 72;

/** Each step returns all these columns, because another join with `result` would compare each result with each row. */
const held =
  sql.raw(`result.id, result.status, result.status_reason, disables, exhausts, fails, attempt, url, started_ms, duration_ms,
  status_code, error, error_cause, response_headers, response_body, response_truncated`);

/**
 * A result is dropped if another worker has claimed its delivery meanwhile: the row then has another lease. Endpoints
 * are locked in the order of their ids, because two batches could otherwise deadlock.
 */
export async function record(context: StatementContext, results: readonly Result[]): Promise<void> {
  const rows = await rowsOf<{ webhookId: string; reason: string | null }>(context)`
    with result as materialized (
      select * from json_to_recordset(${JSON.stringify(results.map(rowOf))}::json) as result (
        id uuid, lease uuid, status text, status_reason text, retry_ms float8, disables boolean, exhausts boolean, fails boolean,
        attempt int, url text, started_ms float8, duration_ms int, status_code int, error text, error_cause text,
        response_headers jsonb, response_body text, response_truncated boolean)
    ),
    settled as (
      delete from pending_delivery using result
      where delivery_id = result.id and pending_delivery.lease = result.lease and retry_ms is null
      returning ${held}
    ),
    postponed as (
      update pending_delivery set
        is_retry = true, attempt_count = attempt, claims = 0, lease = null, held_until = null,
        due_at = now() + retry_ms * interval '1 millisecond'
      from result
      where delivery_id = result.id and pending_delivery.lease = result.lease and retry_ms is not null
      returning ${held}
    ),
    held as materialized (select ${held} from settled as result union all select ${held} from postponed as result),
    recorded as (
      update delivery set
        status = held.status,
        status_reason = held.status_reason,
        attempt_count = coalesce(attempt, attempt_count),
        completed_at = case when held.status = 'pending' then null else now() end
      from held where delivery.id = held.id
      returning endpoint_id, held.status, disables, exhausts, fails
    ),
    attempted as (
      insert into delivery_attempt
        (delivery_id, attempt, url, started_at, duration_ms, status_code, error, error_cause,
         response_headers, response_body, response_truncated)
      select id, attempt, url, to_timestamp(started_ms / 1000), duration_ms, status_code, error, error_cause,
        response_headers, response_body, coalesce(response_truncated, false)
      from held where attempt is not null
    ),
    ended as materialized (
      select endpoint_id,
        count(*) filter (where status = 'delivered') as successes,
        count(*) filter (where status = 'failed') as failures,
        count(*) filter (where exhausts) as exhausted,
        bool_or(disables) as disables,
        bool_or(fails) as fails
      from recorded group by endpoint_id
    ),
    locked as materialized (
      select id, failure_streak, is_active as was_active, coalesce(last_delivered_at, created_at) as last_well_at
      from webhook_endpoint
      where id = any(array(select endpoint_id from ended))
        and (failing_since is null or id = any(array(select endpoint_id from ended where successes + failures > 0)))
      order by id for no key update
    ),
    judged as (
      select endpoint_id, successes, failures, exhausted, fails, was_active, case
          when disables then 'endpoint_gone'
          when successes = 0 and exhausted > 0 and locked.failure_streak + exhausted >= ${maxFailuresInARow}
            and last_well_at < now() - ${failingHours}::int * interval '1 hour' then 'repeated_failures'
        end as reason
      from ended join locked on locked.id = endpoint_id
    )
    update webhook_endpoint set
      success_count = success_count + successes,
      failure_count = failure_count + failures,
      last_delivered_at = case when successes > 0 then greatest(last_delivered_at, now()) else last_delivered_at end,
      failure_streak = case when successes > 0 then 0 else failure_streak + exhausted end,
      failing_since = case when successes > 0 then null when fails then coalesce(failing_since, now()) else failing_since end,
      is_active = is_active and reason is null,
      disabled_reason = case when is_active then reason else disabled_reason end,
      disabled_at = case when is_active and reason is not null then now() else disabled_at end
    from judged
    where webhook_endpoint.id = judged.endpoint_id
    returning webhook_endpoint.id as "webhookId", case when was_active then reason end as reason`;
  for (const { webhookId, reason } of rows)
    if (reason) context.log.warn({ webhookId, reason }, 'An endpoint was disabled');
}

/** Null and false are omitted, because parsing a JSON key costs Postgres as much as parsing its value. */
function rowOf(result: Result) {
  const { id, lease } = result.delivery;
  if ('crashed' in result) return { id, lease, status: 'failed', status_reason: 'worker_crashed' };
  const { attempt, startedAt, outcome, next } = result;
  return {
    id,
    lease,
    disables: next.step === 'disable' || undefined,
    exhausts: (next.step === 'give-up' && result.delivery.eventName !== 'test.event') || undefined,
    fails: (next.step !== 'delivered' && result.delivery.eventName !== 'test.event') || undefined,
    retry_ms: next.step === 'retry' ? next.delayMs : undefined,
    ...ending[next.step],
    attempt,
    url: result.delivery.target.url,
    started_ms: startedAt.getTime(),
    duration_ms: outcome.durationMs,
    status_code: outcome.statusCode ?? undefined,
    error: outcome.error ?? undefined,
    error_cause: outcome.errorCause ?? undefined,
    response_headers: outcome.responseHeaders ?? undefined,
    response_body: outcome.responseBody ?? undefined,
    response_truncated: outcome.responseTruncated || undefined,
  };
}

const ending: Record<NextStep['step'], { status: string; status_reason?: StatusReason }> = {
  delivered: { status: 'delivered' },
  retry: { status: 'pending' },
  'give-up': { status: 'failed', status_reason: 'attempts_exhausted' },
  disable: { status: 'failed', status_reason: 'endpoint_gone' },
};
