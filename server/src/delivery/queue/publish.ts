/**
 * Rooms call `publish` when something happened that merchants may subscribe to. It writes the event, and a delivery for
 * each endpoint that subscribes, in the transaction that changes the payment or transfer: all of it is saved together
 * or not at all. No other store has to be updated, so a crash loses no event. After the commit the bell wakes the
 * dispatcher, which sends.
 * See docs/decisions/delivery.md, "Postgres is the queue".
 */
import type { WriteContext } from '../../context.ts';
import { run } from '../../database/statement.ts';
import { newId } from '../../kit/ids.ts';
import type { Mode } from '../../kit/mode.ts';
import { WebhookEndpoint } from '../../webhooks/endpoint.entity.ts';
import { type EventData, type EventName, eventBody } from '../wire/event-body.ts';

interface Publication<Name extends EventName> {
  merchantId: string;
  mode: Mode;
  name: Name;
  reference: string | null;
  data: EventData<Name>;
  /** When it happened. Receivers see this timestamp, and it is the same on every attempt. */
  occurredAt: Date;
}

/** Queues the event for every endpoint that subscribes to it. */
export async function publish<Name extends EventName>(
  context: WriteContext,
  publication: Publication<Name>,
): Promise<void> {
  const { merchantId, mode, name, reference, data, occurredAt } = publication;
  const endpoints = await context.em.find(WebhookEndpoint, { merchantId, mode, removedAt: null });
  const subscribers = endpoints.filter((endpoint) => endpoint.subscribes(name));
  const subscribed = subscribers.map(({ id, isActive }) => ({ id: newId(), endpoint_id: id, is_active: isActive }));
  const eventId = newId();
  const now = context.clock.now();
  // An inactive endpoint gets a skipped delivery: the log shows what it missed, and a replay can send it later.
  await run(context)`
    with happened as (
      insert into event (id, merchant_id, mode, name, reference, body, created_at)
      values (${eventId}, ${merchantId}, ${mode}, ${name}, ${reference}, ${eventBody(name, data, occurredAt)}, ${now})
    ),
    subscriber as (
      select id, endpoint_id, is_active
      from json_to_recordset(${JSON.stringify(subscribed)}::json) as row (id uuid, endpoint_id uuid, is_active boolean)
    ),
    owed as (
      insert into owed_delivery (delivery_id, event_id, endpoint_id, due_at)
      select id, ${eventId}, endpoint_id, now() from subscriber where is_active
    )
    insert into delivery (id, event_id, endpoint_id, merchant_id, mode, status, status_reason, created_at, completed_at)
    select id, ${eventId}, endpoint_id, ${merchantId}, ${mode},
      case when is_active then 'pending' else 'skipped' end,
      case when is_active then null else 'endpoint_inactive' end,
      ${now}::timestamptz,
      case when is_active then null else ${now}::timestamptz end
    from subscriber`;
  if (subscribers.some(({ isActive }) => isActive)) context.afterCommit(context.bell.ring);
}
