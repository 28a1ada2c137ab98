/**
 * A new delivery has the event of the old delivery, and therefore the same `webhook-id`. The statement that inserts new
 * deliveries also marks the old deliveries, so that two concurrent replays never send the same delivery twice.
 */
import { type RawBuilder, sql } from 'kysely';
import type { WithOwner, WithPrincipal, WriteContext } from '../../context.ts';
import { invalid, notFound } from '../../kit/errors.ts';
import { newId } from '../../kit/ids.ts';
import { rowsOf } from '../../platform/database/statement.ts';
import type { WebhookEndpoint } from '../endpoints/endpoint.entity.ts';
import { getWebhookEndpoint } from '../endpoints/endpoints.service.ts';
import type { DeliveryStatus } from '../queue/delivery.entity.ts';
import { getDelivery, type LoggedDelivery } from './deliveries.service.ts';

// See docs/decisions/contract.md, "Some different names for one thing stay".
export interface ReplayRequest {
  since: string;
  until?: string;
  statuses?: Extract<DeliveryStatus, 'failed' | 'skipped'>[];
}

export interface Replay {
  count: number;
  hasMore: boolean;
}

/** The maximum number of deliveries that one call creates. */
const maxAtOnce = 10_000;

/** Choice: a delivery may be resent in any status. If the endpoint is inactive, the new delivery is skipped. */
export async function resendDelivery(context: WriteContext & WithPrincipal, id: string): Promise<LoggedDelivery> {
  const { event, endpoint } = await getDelivery(context, id);
  if (event.name === 'test.event') throw invalid('invalid_parameter', 'id', 'is of a test event, which is not resent');
  if (endpoint.removedAt) throw notFound();
  const newDeliveryId = newId();
  await insertResends(context, { endpoint, ids: [newDeliveryId], rows: sql`id = ${id}` });
  return getDelivery(context, newDeliveryId);
}

/** Choice: a replay for an inactive endpoint does nothing: the new deliveries would be skipped and count as missed. */
export async function replayDeliveries(
  context: WriteContext & WithOwner,
  webhookId: string,
  request: ReplayRequest,
): Promise<Replay> {
  const endpoint = await getWebhookEndpoint(context, webhookId);
  if (!endpoint.isActive) return { count: 0, hasMore: false };
  return insertResends(context, {
    endpoint,
    ids: Array.from({ length: maxAtOnce }, newId),
    rows: missed(context, request),
  });
}

export async function countMissed(context: WriteContext, webhookId: string, request: ReplayRequest): Promise<number> {
  const [counted] = await rowsOf<{ count: number }>(context)`
    select count(*)::int as count from delivery where endpoint_id = ${webhookId} and ${missed(context, request)}`;
  return counted?.count ?? 0;
}

function missed({ clock }: WriteContext, { since, until, statuses = ['failed', 'skipped'] }: ReplayRequest) {
  const end = until === undefined ? clock.now() : new Date(until);
  // The first two conditions match the partial index that replays use.
  return sql`status_reason is not null and resent_at is null and status = any(${statuses})
    and created_at >= ${new Date(since)} and created_at < ${end}
    and exists (select from event where event.id = event_id and name <> 'test.event')`;
}

interface ResendSelection {
  endpoint: WebhookEndpoint;
  /** The number of ids is the maximum number of new deliveries. */
  ids: string[];
  rows: RawBuilder<unknown>;
}

async function insertResends(context: WriteContext, { endpoint, ids, rows }: ResendSelection): Promise<Replay> {
  const { id: endpointId, isActive } = endpoint;
  const now = context.clock.now();
  const results = await rowsOf<Replay>(context)`
    with taken as materialized (
      select id, event_id, merchant_id, mode from delivery where endpoint_id = ${endpointId} and ${rows}
      order by id limit ${ids.length} for update
    ),
    numbered as (select *, row_number() over (order by id) from taken),
    marked as (update delivery set resent_at = ${now} from taken where delivery.id = taken.id),
    fresh as (
      insert into delivery (id, event_id, endpoint_id, merchant_id, mode, status, status_reason, resent_from, created_at,
        completed_at)
      select (${ids}::uuid[])[row_number], event_id, ${endpointId}, merchant_id, mode,
        ${isActive ? 'pending' : 'skipped'}, ${isActive ? null : 'endpoint_inactive'}, id,
        ${now}::timestamptz, ${isActive ? null : now}::timestamptz
      from numbered order by id
      returning id, event_id, status
    ),
    queued as (
      insert into pending_delivery (delivery_id, event_id, endpoint_id, due_at)
      select id, event_id, ${endpointId}, now() from fresh where status = 'pending'
    )
    select (select count(*)::int from fresh) as count, exists (
      select from delivery where endpoint_id = ${endpointId} and ${rows} and id > (select id from taken order by id desc limit 1)
    ) as "hasMore"`;
  if (isActive) context.afterCommit(context.bell.ring);
  return results[0] ?? { count: 0, hasMore: false };
}
