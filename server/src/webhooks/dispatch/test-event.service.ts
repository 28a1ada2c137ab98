import type { Claimed, Context, CoreContext, WithPrincipal } from '../../context.ts';
import type { DeliveryError } from '../../kit/delivery-codes.ts';
import { newId } from '../../kit/ids.ts';
import { inOwnStatement, run, type StatementContext } from '../../platform/database/statement.ts';
import { type EventData, type EventName, eventBody } from '../../wire/event-body.ts';
import type { WebhookEndpoint } from '../endpoints/endpoint.entity.ts';
import { getWebhookEndpoint } from '../endpoints/endpoints.service.ts';
import { record } from '../queue/record.ts';
import { makeAttempt } from './attempt.ts';
import { countResults } from './results.ts';

export async function sendTestEvent(context: Context & WithPrincipal, id: string): Promise<AttemptResult> {
  const endpoint = await getWebhookEndpoint(context, id);
  const result = await deliverNow(context, endpoint, {
    name: 'test.event',
    data: {
      reference: 'ref_00000000000000000000',
      amount: 500_000,
      currency: 'NGN',
      status: 'completed',
      customerEmail: 'customer@example.com',
    },
  });
  await saveTestTime(context, endpoint);
  return result;
}

/** The endpoint's row stores the time of the test event, because the purge removes old events. */
async function saveTestTime(context: Context, { id }: WebhookEndpoint): Promise<void> {
  await inOwnStatement(
    context,
    (statement) => run(statement)`update webhook_endpoint set tested_at = ${context.clock.now()} where id = ${id}`,
  );
}

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
 * Inserts the delivery with a lease, so that no dispatcher claims it. The result is saved in a second statement,
 * because no transaction may wait for the network. An inactive endpoint also gets the event.
 */
async function deliverNow<Name extends EventName>(
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
    with inserted_event as (
      insert into event (id, merchant_id, mode, name, reference, body, traceparent, created_at)
      values (${eventId}, ${merchantId}, ${mode}, ${name}, ${data.reference}, ${body}, ${traceparent}, ${now})
    ),
    queued as (
      insert into pending_delivery (delivery_id, event_id, endpoint_id, due_at, claims, lease, held_until)
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
