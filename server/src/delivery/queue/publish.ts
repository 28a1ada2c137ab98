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

export type { EventName };

interface PublicationOf<Name extends EventName> {
  merchantId: string;
  mode: Mode;
  name: Name;
  reference: string | null;
  data: EventData<Name>;
  /** When it happened. Receivers see this timestamp, and it is the same on every attempt. */
  occurredAt: Date;
}

/** An event to publish, with the data that the contract gives it. */
export type Publication = { [Name in EventName]: PublicationOf<Name> }[EventName];

/** Queues the event for every endpoint that subscribes to it. */
export function publish(context: WriteContext, publication: Publication): Promise<void> {
  return publishAll(context, [publication]);
}

/**
 * The same for several events, perhaps of several merchants. The number of statements does not depend on the number of
 * events.
 */
export async function publishAll(context: WriteContext, publications: readonly Publication[]): Promise<void> {
  if (publications.length === 0) return;
  const $in = [...new Set(publications.map(({ merchantId }) => merchantId))];
  const modes = [...new Set(publications.map(({ mode }) => mode))];
  const where = { merchantId: { $in }, mode: { $in: modes }, removedAt: null };
  const endpoints = await context.em.find(WebhookEndpoint, where);
  const events = publications.map((publication) => ({ id: newId(), publication }));
  const subscribed = events.flatMap((event) => deliveriesOf(event, endpoints));
  const now = context.clock.now();
  // An inactive endpoint gets a skipped delivery: the log shows what it missed, and a replay can send it later.
  await run(context)`
    with happened as (
      insert into event (id, merchant_id, mode, name, reference, body, created_at)
      select id, merchant_id, mode, name, reference, body, ${now}::timestamptz
      from json_to_recordset(${JSON.stringify(events.map(eventRow))}::json)
        as row (id uuid, merchant_id uuid, mode text, name text, reference text, body text)
    ),
    subscriber as (
      select id, event_id, endpoint_id, merchant_id, mode, is_active
      from json_to_recordset(${JSON.stringify(subscribed)}::json)
        as row (id uuid, event_id uuid, endpoint_id uuid, merchant_id uuid, mode text, is_active boolean)
    ),
    owed as (
      insert into owed_delivery (delivery_id, event_id, endpoint_id, due_at)
      select id, event_id, endpoint_id, now() from subscriber where is_active
    )
    insert into delivery (id, event_id, endpoint_id, merchant_id, mode, status, status_reason, created_at, completed_at)
    select id, event_id, endpoint_id, merchant_id, mode,
      case when is_active then 'pending' else 'skipped' end,
      case when is_active then null else 'endpoint_inactive' end,
      ${now}::timestamptz,
      case when is_active then null else ${now}::timestamptz end
    from subscriber`;
  if (subscribed.some(({ is_active }) => is_active)) context.afterCommit(context.bell.ring);
  context.afterCommit(() => {
    for (const { merchantId, mode } of publications) context.eventWaits.ring({ merchantId, mode });
  });
}

interface NewEvent {
  id: string;
  publication: Publication;
}

/** The text of the body goes through JSON and comes out with the same bytes, because it contains no U+0000. */
function eventRow({ id, publication }: NewEvent) {
  const { merchantId, mode, name, reference, data, occurredAt } = publication;
  return { id, merchant_id: merchantId, mode, name, reference, body: eventBody(name, data, occurredAt) };
}

/** A row for each endpoint of the event's merchant and mode that subscribes to the event. */
function deliveriesOf({ id: eventId, publication }: NewEvent, endpoints: WebhookEndpoint[]) {
  const { merchantId, mode, name } = publication;
  return endpoints
    .filter((endpoint) => endpoint.merchantId === merchantId && endpoint.mode === mode && endpoint.subscribes(name))
    .map((endpoint) => ({
      id: newId(),
      event_id: eventId,
      endpoint_id: endpoint.id,
      merchant_id: merchantId,
      mode,
      is_active: endpoint.isActive,
    }));
}
