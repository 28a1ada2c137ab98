/**
 * The door for those who owe an event. It writes the event and one delivery for each endpoint that subscribes, in the
 * transaction that changed the payment or transfer: they are saved together or not at all, and no job store is told, so there
 * is nothing to lose between two of them. Sending is left to the dispatcher, which the bell wakes after the commit.
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
  /** When it happened: the timestamp that receivers see, equal on every attempt. */
  occurredAt: Date;
}

/** Makes the event owed to every endpoint that subscribes to it. */
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
  // An inactive endpoint gets its row too: the log shows what it missed, and a replay can bring it back.
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
