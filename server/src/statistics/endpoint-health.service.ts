/** An attempt is counted in the hour in which its delivery was created, even if the attempt is a later retry. */
import { sql } from 'kysely';
import type { Context, WithPrincipal } from '../context.ts';
import { rowsOutsideTransaction } from '../platform/database/statement.ts';
import type { WebhookEndpoint } from '../webhooks/endpoints/endpoint.entity.ts';
import { listWebhookEndpoints } from '../webhooks/endpoints/endpoints.service.ts';
import {
  attemptsOfClosed,
  countsOfClosed,
  deliveriesOutsideClosedHours,
  isTimed,
  splitByHours,
} from '../webhooks/log/closed-hours.service.ts';
import { intervalStart } from './counts.service.ts';
import { type Span, spanOfHours } from './span.ts';

export interface HourOfHealth {
  delivered: number;
  failed: number;
  /** Deliveries that have failed at least once and wait for another attempt. */
  retrying: number;
  attempts: number;
  /** Percentiles of the answer times, in milliseconds. Null when no attempt was answered or timed out. */
  median: number | null;
  p95: number | null;
}

export interface EndpointHealth {
  endpoint: WebhookEndpoint;
  isFailing: boolean;
  failingSince: Date | null;
  hours: (HourOfHealth & { startsAt: Date })[];
}

export async function listEndpointHealth(
  context: Context & WithPrincipal,
  hours: number,
): Promise<Span & { endpoints: EndpointHealth[] }> {
  const span = spanOfHours(hours, context.clock.now());
  const endpoints = await listWebhookEndpoints(context);
  const rows = await measureHours(context, { span, ids: endpoints.map(({ id }) => id) });
  const failingIds = await findFailingEndpoints(context, endpoints);
  const found = new Map(rows.map((row) => [`${row.endpointId} ${row.startsAt}`, row]));
  return {
    ...span,
    endpoints: endpoints.map((endpoint) => ({
      endpoint,
      isFailing: failingIds.has(endpoint.id),
      failingSince: failingIds.has(endpoint.id) ? failingSince(endpoint) : null,
      hours: span.starts.map((start) => ({
        ...(found.get(`${endpoint.id} ${start.getTime()}`) ?? emptyHour),
        startsAt: start,
      })),
    })),
  };
}

/** An older version of the service does not reset `failingSince`, so the last success is compared too. */
function failingSince({ failingSince: since, lastDeliveredAt }: WebhookEndpoint): Date | null {
  if (!since || (lastDeliveredAt && lastDeliveredAt >= since)) return null;
  return since;
}

const emptyHour: HourOfHealth = { delivered: 0, failed: 0, retrying: 0, attempts: 0, median: null, p95: null };

interface HealthQuery {
  span: Span;
  ids: string[];
}

async function measureHours(context: Context & WithPrincipal, { span, ids }: HealthQuery) {
  const period = await splitByHours(context, span);
  return rowsOutsideTransaction<HourOfHealth & { endpointId: string; startsAt: number }>(context)`
    with wanted as materialized (
      select id, endpoint_id, status, status = 'pending' and attempt_count > 0 as is_retrying, ${intervalStart(span, sql`created_at`)} as starts_at
      from ${deliveriesOutsideClosedHours(context, period)} where endpoint_id = any(${ids}::uuid[])
    ),
    ended as (
      select endpoint_id, starts_at, status, deliveries, false as is_retrying from ${countsOfClosed(context, period)}
      union all
      select endpoint_id, starts_at, status, 1, is_retrying from wanted
    ),
    tried as (
      select endpoint_id, starts_at, attempts, median, p95 from ${attemptsOfClosed(context, period)}
      union all
      select endpoint_id, starts_at, count(*),
        percentile_disc(0.5) within group (order by duration_ms) filter (where is_timed),
        percentile_disc(0.95) within group (order by duration_ms) filter (where is_timed)
      from wanted cross join lateral (
        select duration_ms, ${isTimed} as is_timed from delivery_attempt where delivery_id = wanted.id offset 0
      ) as attempt
      group by 1, 2
    ),
    counted as (
      select endpoint_id, starts_at,
        coalesce(sum(deliveries) filter (where status = 'delivered'), 0)::float8 as delivered,
        coalesce(sum(deliveries) filter (where status = 'failed'), 0)::float8 as failed,
        coalesce(sum(deliveries) filter (where is_retrying), 0)::float8 as retrying
      from ended where endpoint_id = any(${ids}::uuid[])
      group by 1, 2
    )
    select endpoint_id as "endpointId", extract(epoch from starts_at)::float8 * 1000 as "startsAt", delivered, failed, retrying,
      coalesce(attempts, 0)::float8 as attempts, median, p95
    from counted left join tried using (endpoint_id, starts_at)`;
}

/**
 * Choice: only the next waiting retries of each endpoint are read, because an endpoint can have a million retries. The
 * delay grows with each attempt, so the next retries mostly belong to deliveries whose last attempt was recent.
 */
const maxRetriesRead = 100;

/**
 * A delivery ends as failed only hours after its first failed attempt. So an endpoint is also failing when a delivery
 * waits for a retry, and no other delivery has succeeded since the last attempt of this delivery began.
 */
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

function findWithFailedAttempts(context: Context, ids: string[]): Promise<{ id: string }[]> {
  return rowsOutsideTransaction<{ id: string }>(context)`
    select id from webhook_endpoint where id = any(${ids}::uuid[]) and exists (
      select from (
        select delivery_id, attempt_count from pending_delivery
        where endpoint_id = webhook_endpoint.id and is_retry = true
        order by endpoint_id, is_retry, due_at limit ${maxRetriesRead}
      ) as retry
      join delivery_attempt on delivery_attempt.delivery_id = retry.delivery_id and attempt = retry.attempt_count
      where last_delivered_at is null or started_at > last_delivered_at)`;
}
