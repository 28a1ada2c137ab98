/**
 * How well each endpoint does, hour by hour. A delivery and its attempts belong to the hour in which the delivery was created,
 * as everywhere in the statistics: a retry shows where its delivery does.
 */
import { sql } from 'kysely';
import type { Called, Context } from '../context.ts';
import { inOwnStatement } from '../database/own-statement.ts';
import type { WebhookEndpoint } from '../webhooks/endpoint.entity.ts';
import { listWebhookEndpoints } from '../webhooks/webhooks.service.ts';
import { firstIdOf, isWithin, startOf } from './counts.service.ts';
import { type Span, spanOfHours, startsOf } from './span.ts';

export interface HourOfHealth {
  delivered: number;
  failed: number;
  attempts: number;
  /** Of the attempts that were answered, in milliseconds. */
  median: number | null;
  p95: number | null;
}

export interface EndpointHealth {
  endpoint: WebhookEndpoint;
  hours: (HourOfHealth & { startsAt: Date })[];
}

export async function listEndpointHealth(
  context: Context & Called,
  hours: number,
): Promise<Span & { endpoints: EndpointHealth[] }> {
  const span = spanOfHours(hours, context.clock.now());
  const endpoints = await listWebhookEndpoints(context);
  const rows = await measureHours(context, { span, ids: endpoints.map(({ id }) => id) });
  const found = new Map(rows.map((row) => [`${row.endpointId} ${row.startsAt}`, row]));
  const starts = startsOf(span);
  return {
    ...span,
    endpoints: endpoints.map((endpoint) => ({
      endpoint,
      hours: starts.map((start) => ({
        ...(found.get(`${endpoint.id} ${start}`) ?? quiet),
        startsAt: new Date(start),
      })),
    })),
  };
}

const quiet: HourOfHealth = { delivered: 0, failed: 0, attempts: 0, median: null, p95: null };

interface Asked {
  span: Span;
  ids: string[];
}

async function measureHours(context: Context & Called, { span, ids }: Asked) {
  const { rows } = await inOwnStatement(context, ({ em }) =>
    sql<HourOfHealth & { endpointId: string; startsAt: number }>`
      with wanted as materialized (
        select id, endpoint_id, status, ${startOf(span)} as starts_at
        from delivery where ${isWithin(context, span)} and endpoint_id = any(${ids}::uuid[])
      ),
      ended as (
        select endpoint_id, starts_at,
          (count(*) filter (where status = 'delivered'))::float8 as delivered,
          (count(*) filter (where status = 'failed'))::float8 as failed
        from wanted group by endpoint_id, starts_at
      ),
      tried as (
        select endpoint_id, starts_at, count(*)::float8 as attempts,
          percentile_disc(0.5) within group (order by duration_ms) filter (where status_code is not null) as median,
          percentile_disc(0.95) within group (order by duration_ms) filter (where status_code is not null) as p95
        from wanted join delivery_attempt on delivery_id = wanted.id
        where delivery_id >= ${firstIdOf(span)}
        group by endpoint_id, starts_at
      )
      select endpoint_id as "endpointId", starts_at as "startsAt", delivered, failed,
        coalesce(attempts, 0) as attempts, median, p95
      from ended left join tried using (endpoint_id, starts_at)`.execute(em.getKysely()),
  );
  return rows;
}
