import { defineEntity, p } from '@mikro-orm/core';
import type { DeliveryError, StatusReason } from '../../kit/delivery-codes.ts';
import type { Mode } from '../../kit/mode.ts';

export type DeliveryStatus = 'pending' | 'delivered' | 'failed' | 'skipped';

const DeliverySchema = defineEntity({
  name: 'Delivery',
  properties: {
    id: p.uuid().primary(),
    eventId: p.uuid(),
    endpointId: p.uuid(),
    merchantId: p.uuid(),
    mode: p.text().$type<Mode>(),
    status: p.text().$type<DeliveryStatus>(),
    statusReason: p.text().$type<StatusReason>().nullable(),
    /** The number of recorded attempts. */
    attemptCount: p.integer(),
    /** The delivery that this one sends again. */
    resentFrom: p.uuid().nullable(),
    /** When a newer delivery was made to send this one again. A replay takes only deliveries without it. */
    resentAt: p.datetime(3).nullable(),
    createdAt: p.datetime(3),
    completedAt: p.datetime(3).nullable(),
  },
});

export class Delivery extends DeliverySchema.class {}
DeliverySchema.setClass(Delivery);

const DeliveryAttemptSchema = defineEntity({
  name: 'DeliveryAttempt',
  properties: {
    deliveryId: p.uuid().primary(),
    /** 1-based: the value of the header `X-Service-Attempt`. */
    attempt: p.integer().primary(),
    /** The address to which it was sent. Null for attempts of versions that did not keep it. */
    url: p.text().nullable(),
    startedAt: p.datetime(3),
    durationMs: p.integer(),
    /** Null when the receiver sent no status. */
    statusCode: p.integer().nullable(),
    error: p.text().$type<DeliveryError>().nullable(),
    /** The code of Node for a failure of TLS. */
    errorCause: p.text().nullable(),
    responseHeaders: p.json<Record<string, string>>().nullable(),
    responseBody: p.text().nullable(),
    responseTruncated: p.boolean(),
  },
});

export class DeliveryAttempt extends DeliveryAttemptSchema.class {}
DeliveryAttemptSchema.setClass(DeliveryAttempt);

/**
 * A delivery in the queue. Each pending delivery has one such row, and no other delivery has one.
 * See docs/decisions/delivery.md, "Pending deliveries have narrow rows".
 */
const PendingDeliverySchema = defineEntity({
  name: 'PendingDelivery',
  properties: {
    deliveryId: p.uuid().primary(),
    eventId: p.uuid(),
    endpointId: p.uuid(),
    /** A retry waits until no first attempt for the same endpoint is due. */
    isRetry: p.boolean(),
    /** The number of recorded attempts. A claim without a recorded attempt is counted in `claims` only. */
    attemptCount: p.integer(),
    claims: p.integer(),
    /** First attempts of one endpoint are claimed in the order of this time, and so are its retries. */
    dueAt: p.datetime(),
    /** Before this time no process may claim the row, even if it is due: the end of the lease, or of a pause. */
    heldUntil: p.datetime().nullable(),
    /** The token of the claim that holds the row. A result with another token is dropped. */
    lease: p.uuid().nullable(),
  },
});

export class PendingDelivery extends PendingDeliverySchema.class {
  /** The earliest time of the next attempt. Null while a process holds the row. */
  nextAttemptAt(): Date | null {
    if (this.lease) return null;
    return this.heldUntil && this.heldUntil > this.dueAt ? this.heldUntil : this.dueAt;
  }
}
PendingDeliverySchema.setClass(PendingDelivery);

const EventSchema = defineEntity({
  name: 'Event',
  properties: {
    /** Also the header `webhook-id`, by which receivers deduplicate. */
    id: p.uuid().primary(),
    merchantId: p.uuid(),
    mode: p.text().$type<Mode>(),
    name: p.text(),
    reference: p.text().nullable(),
    /** The bytes of the body up to the endpoint's id; see `wire/event-body.ts`. */
    body: p.text(),
    /** Its position in its trace. Null when it is not traced, and when an older version published it. */
    traceparent: p.text().nullable().lazy(),
    createdAt: p.datetime(3),
  },
});

export class Event extends EventSchema.class {}
EventSchema.setClass(Event);
