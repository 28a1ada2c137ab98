/**
 * An event and its deliveries are inserted in the transaction that changes the payment, refund or transfer, so a crash
 * loses no event. If no other delivery waits for the endpoint, the same statement leases the new delivery to this
 * process, which sends the delivery right after the commit.
 * See docs/decisions/delivery.md, "Postgres is the queue".
 */
import type { Claimed, LeaseOffer, WriteContext } from '../../context.ts';
import { newId } from '../../kit/ids.ts';
import type { Mode } from '../../kit/mode.ts';
import { rowsOf } from '../../platform/database/statement.ts';
import { type EventData, type EventName, eventBody } from '../../wire/event-body.ts';

export type { EventName };

interface PublicationOf<Name extends EventName> {
  merchantId: string;
  mode: Mode;
  name: Name;
  reference: string | null;
  data: EventData<Name>;
  /** The time of the event, which is the `timestamp` in its body. */
  occurredAt: Date;
  /** Null if the call that created the payment, refund or transfer was not traced. */
  traceparent: string | null;
}

export type Publication = { [Name in EventName]: PublicationOf<Name> }[EventName];

export function publish(context: WriteContext, publication: Publication): Promise<void> {
  return publishAll(context, [publication]);
}

/** The statement makes the ids of an event's deliveries: one id, with the endpoint's number in the last two digits. */
export async function publishAll(context: WriteContext, publications: readonly Publication[]): Promise<void> {
  const [event, ...further] = publications.map((publication) => eventRow(context, publication));
  if (!event) return;
  // Several events could exceed the cap of an endpoint, so their deliveries are left to a claim.
  const isSingle = further.length === 0;
  const offer = isSingle ? context.direct.offer() : undefined;
  const lease = offer && { ...offer, id: newId() };
  const statementAtMs = performance.now();
  const queued = await insert(context, [event, ...further], { isSingle, lease });
  const firstInLine = queued.flatMap((row) => (row.id === null ? [] : [row]));
  const sendOrRing = () =>
    lease
      ? context.direct.send(claimedOf(event, firstInLine, lease.id), statementAtMs)
      : context.bell.ringFor(firstInLine);
  if (firstInLine.length > 0) context.afterCommit(sendOrRing);
  if (firstInLine.length < queued.length) context.afterCommit(context.bell.ring);
  context.afterCommit(() => {
    for (const { merchantId, mode } of publications) context.eventWaits.ring({ merchantId, mode });
  });
}

/** A row without an id stands for all deliveries that are not first in line. */
type Queued = FirstInLine | { id: null };
type FirstInLine = Pick<Claimed, 'id' | 'endpointId' | 'target'>;

interface Leasing {
  /** If several events are published, no delivery counts as first in line. */
  isSingle: boolean;
  /** `lease` is undefined if the statement must not lease deliveries to this process. */
  lease: (LeaseOffer & { id: string }) | undefined;
}

/** An inactive endpoint gets a skipped delivery, so that the log shows the missed event and a replay can send it. */
function insert(context: WriteContext, events: EventRow[], { isSingle, lease }: Leasing): Promise<Queued[]> {
  const now = context.clock.now();
  return rowsOf<Queued>(context)`
    with new_event as materialized (
      select id, delivery_id, merchant_id, mode, name, reference, body, traceparent
      from json_to_recordset(${JSON.stringify(events)}::json) as new_event
        (id uuid, delivery_id text, merchant_id uuid, mode text, name text, reference text, body text,
         traceparent text)
    ),
    inserted_event as (
      insert into event (id, merchant_id, mode, name, reference, body, traceparent, created_at)
      select id, merchant_id, mode, name, reference, body, traceparent, ${now}::timestamptz from new_event
    ),
    subscriber as materialized (
      select new_event.id as event_id, endpoint.id as endpoint_id, new_event.merchant_id, new_event.mode, is_active,
        (left(delivery_id, 34) || lpad(to_hex(row_number() over (partition by new_event.id order by endpoint.id)), 2, '0'))::uuid as id,
        ${isSingle}::boolean and is_active and not endpoint.id = any(${lease?.busyEndpoints ?? []}::uuid[])
          and (select true from pending_delivery
               where endpoint_id between endpoint.id and endpoint.id and is_retry = false
                 and (held_until is null or held_until <= now())
               order by endpoint_id, is_retry, due_at limit 1) is null as is_first_in_line,
        url, sealed_secret, secret_rotation
      from new_event join webhook_endpoint as endpoint
        on endpoint.merchant_id = new_event.merchant_id and endpoint.mode = new_event.mode and removed_at is null
          and (events = '*' or name = any(string_to_array(events, ',')))
    ),
    queued as (
      insert into pending_delivery (delivery_id, event_id, endpoint_id, due_at, lease, claims, held_until)
      select id, event_id, endpoint_id, now(), lease, (lease is not null)::int,
        case when lease is not null then clock_timestamp() + ${lease?.leaseMs ?? 0}::int * interval '1 millisecond' end
      from subscriber cross join lateral (select case when is_first_in_line then ${lease?.id}::uuid end as lease) leased
      where is_active
    ),
    logged as (
      insert into delivery (id, event_id, endpoint_id, merchant_id, mode, status, status_reason, created_at, completed_at)
      select id, event_id, endpoint_id, merchant_id, mode,
        case when is_active then 'pending' else 'skipped' end,
        case when is_active then null else 'endpoint_inactive' end,
        ${now}::timestamptz,
        case when is_active then null else ${now}::timestamptz end
      from subscriber
    )
    select id, endpoint_id as "endpointId", json_build_object('merchantId', merchant_id, 'mode', mode,
      'url', url, 'sealedSecret', sealed_secret, 'secretRotation', secret_rotation) as target
    from subscriber where is_first_in_line
    union all
    select null, null, null where exists (select from subscriber where is_active and not is_first_in_line)`;
}

function claimedOf(event: EventRow, rows: readonly FirstInLine[], lease: string): Claimed[] {
  const { id: eventId, name: eventName, body: eventBody, traceparent: eventTraceparent = null } = event;
  const shared = { lease, eventId, eventName, eventBody, eventTraceparent, attemptCount: 0, claims: 1 };
  return rows.map((row) => ({ ...row, ...shared }));
}

type EventRow = ReturnType<typeof eventRow>;

/** Postgres stores the bytes of the body unchanged, because the body contains no U+0000. */
function eventRow(context: WriteContext, publication: Publication) {
  const { merchantId, mode, name, reference, data, occurredAt } = publication;
  const [id, body] = [newId(), eventBody(name, data, occurredAt)];
  const parents = { call: context.span, creation: publication.traceparent };
  const span = context.tracer.beginEvent(parents, { id, name, merchantId, mode });
  if (span) context.afterCommit(() => span.end());
  const traceparent = span?.traceparent;
  return { id, delivery_id: newId(), merchant_id: merchantId, mode, name, reference, body, traceparent };
}
