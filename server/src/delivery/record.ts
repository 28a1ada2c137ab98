import { sql } from 'kysely';
import { newId } from '../kit/ids.ts';
import type { Claimed } from './claim.ts';
import type { Attempt } from './make-attempt.ts';
import type { StatementContext } from './own-statement.ts';
import type { NextStep } from './retry-policy.ts';

/** What is to be written about a claimed delivery: an attempt, or that it is given up without one. */
export type Result = Attempt | { delivery: Claimed; crashed: true };

/**
 * Writes results in one statement, each only where the lease is still the one that it was sent under: a worker that was
 * too slow changes nothing, because another has the delivery now. The attempt, the delivery's new state and the endpoint's
 * counters change together. Endpoints are locked in the order of their ids, or two batches that count the same ones could
 * wait for each other.
 */
export async function record(context: StatementContext, results: readonly Result[]): Promise<void> {
  await sql`
    with result as materialized (
      select * from json_to_recordset(${JSON.stringify(results.map(rowOf))}::json) as result (
        id uuid, lease uuid, status text, status_reason text, retry_ms float8, disables boolean,
        attempt_id uuid, attempt int, started_at timestamptz, duration_ms int, status_code int, error text,
        response_headers jsonb, response_body text, response_truncated boolean)
    ),
    recorded as (
      update delivery set
        status = result.status,
        status_reason = result.status_reason,
        attempt_count = coalesce(result.attempt, attempt_count),
        claims = 0,
        lease = null,
        next_attempt_at = now() + result.retry_ms * interval '1 millisecond',
        completed_at = case when result.status = 'pending' then null else now() end
      from result
      where delivery.id = result.id and delivery.lease = result.lease and delivery.status = 'pending'
      returning delivery.id, delivery.endpoint_id, result.status, result.disables
    ),
    attempted as (
      insert into delivery_attempt
        (id, delivery_id, attempt, started_at, duration_ms, status_code, error,
         response_headers, response_body, response_truncated)
      select attempt_id, id, attempt, started_at, duration_ms, status_code, error,
        response_headers, response_body, response_truncated
      from result join recorded using (id) where attempt is not null
    ),
    ended as materialized (
      select endpoint_id,
        count(*) filter (where status = 'delivered') as successes,
        count(*) filter (where status = 'failed') as failures,
        bool_or(disables) as disables
      from recorded where status <> 'pending' group by endpoint_id
    ),
    locked as materialized (
      select id from webhook_endpoint where id in (select endpoint_id from ended) order by id for no key update
    )
    update webhook_endpoint set
      success_count = success_count + successes,
      failure_count = failure_count + failures,
      last_delivered_at = case when successes > 0 then greatest(last_delivered_at, now()) else last_delivered_at end,
      is_active = is_active and not disables
    from ended join locked on locked.id = ended.endpoint_id
    where webhook_endpoint.id = ended.endpoint_id`.execute(context.em.getKysely());
}

function rowOf(result: Result) {
  const { id, lease } = result.delivery;
  if ('crashed' in result) return { id, lease, disables: false, status: 'failed', status_reason: 'worker_crashed' };
  const { attempt, startedAt, outcome, next } = result;
  return {
    id,
    lease,
    disables: next.step === 'disable',
    retry_ms: next.step === 'retry' ? next.delayMs : null,
    ...ending[next.step],
    attempt_id: newId(),
    attempt,
    started_at: startedAt,
    duration_ms: outcome.durationMs,
    status_code: outcome.statusCode,
    error: outcome.error,
    response_headers: outcome.responseHeaders,
    response_body: outcome.responseBody,
    response_truncated: outcome.responseTruncated,
  };
}

const ending: Record<NextStep['step'], { status: string; status_reason: string | null }> = {
  delivered: { status: 'delivered', status_reason: null },
  retry: { status: 'pending', status_reason: null },
  'give-up': { status: 'failed', status_reason: 'attempts_exhausted' },
  disable: { status: 'failed', status_reason: 'endpoint_gone' },
};
