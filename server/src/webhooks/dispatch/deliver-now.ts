import type { CoreContext } from '../../context.ts';
import type { DeliveryError } from '../../kit/delivery-codes.ts';
import { newId } from '../../kit/ids.ts';
import { inOwnStatement, run, type StatementContext } from '../../platform/database/statement.ts';
import type { Claimed } from '../../wire/claimed.ts';
import { type EventData, type EventName, eventBody } from '../../wire/event-body.ts';
import type { WebhookEndpoint } from '../endpoints/endpoint.entity.ts';
import { record } from '../queue/record.ts';
import { makeAttempt } from './make-attempt.ts';
import { countResults } from './meter.ts';

/** The result of the attempt, for the caller of `deliverNow`. */
export interface AttemptResult {
  deliveryId: string;
  event: string;
  attempt: number;
  delivered: boolean;
  statusCode: number | null;
  durationMs: number;
  error: DeliveryError | null;
  errorCause: string | null;
  responseBody: string | null;
}

interface Sample<Name extends EventName> {
  name: Name;
  data: EventData<Name>;
}

/**
 * Delivers one event to one endpoint while the caller waits. It uses the same rows, signer, sender and record as every
 * other delivery. The rows are saved before the attempt, with a lease, so that no dispatcher claims them, and the
 * result is saved after it: no network call is made inside a transaction. An inactive endpoint receives the event too.
 */
export async function deliverNow<Name extends EventName>(
  context: CoreContext,
  endpoint: WebhookEndpoint,
  sample: Sample<Name>,
): Promise<AttemptResult> {
  const delivery = await inOwnStatement(context, (statement) => insertClaimed(statement, endpoint, sample));
  const made = await makeAttempt(context, delivery);
  await inOwnStatement(context, (statement) => record(statement, [made]));
  countResults(context, [made]);
  const { statusCode, durationMs, error, errorCause, responseBody } = made.outcome;
  return {
    deliveryId: delivery.id,
    event: sample.name,
    attempt: made.attempt,
    delivered: made.next.step === 'delivered',
    statusCode,
    durationMs,
    error,
    errorCause,
    responseBody,
  };
}

async function insertClaimed<Name extends EventName>(
  context: StatementContext,
  { id: endpointId, merchantId, mode, url, sealedSecret, secretRotation }: WebhookEndpoint,
  { name, data }: Sample<Name>,
): Promise<Claimed> {
  const [id, eventId, lease] = [newId(), newId(), newId()];
  const now = context.clock.now();
  const body = eventBody(name, data, now);
  const span = context.tracer.beginEvent(
    { call: context.span, creation: null },
    { id: eventId, name, merchantId, mode },
  );
  const traceparent = span?.traceparent ?? null;
  await run(context)`
    with happened as (
      insert into event (id, merchant_id, mode, name, reference, body, traceparent, created_at)
      values (${eventId}, ${merchantId}, ${mode}, ${name}, ${data.reference}, ${body}, ${traceparent}, ${now})
    ),
    owed as (
      insert into owed_delivery (delivery_id, event_id, endpoint_id, due_at, claims, lease, held_until)
      values (${id}, ${eventId}, ${endpointId}, now(), 1, ${lease},
        now() + ${context.config.delivery.leaseMs}::int * interval '1 millisecond')
    )
    insert into delivery (id, event_id, endpoint_id, merchant_id, mode, status, created_at)
    values (${id}, ${eventId}, ${endpointId}, ${merchantId}, ${mode}, 'pending', ${now})`;
  span?.end();
  return {
    id,
    lease,
    eventId,
    eventName: name,
    eventBody: body,
    eventTraceparent: traceparent,
    endpointId,
    target: { merchantId, mode, url, sealedSecret, secretRotation },
    attemptCount: 0,
    claims: 1,
  };
}
