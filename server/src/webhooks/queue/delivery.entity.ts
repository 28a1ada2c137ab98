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
    /** The older delivery whose event this delivery sends again. */
    resentFrom: p.uuid().nullable(),
    /**
     * The time when a newer delivery was created to send this event again. A replay skips deliveries with such a time.
     */
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
    /** The number of the attempt, from 1. It is also sent in the header `X-Service-Attempt`. */
    attempt: p.integer().primary(),
    /** The URL of the request. Null for an attempt of an older version, which did not store the URL. */
    url: p.text().nullable(),
    startedAt: p.datetime(3),
    durationMs: p.integer(),
    /** Null if the receiver sent no status code. */
    statusCode: p.integer().nullable(),
    error: p.text().$type<DeliveryError>().nullable(),
    /** The error code that Node reported for a TLS failure. */
    errorCause: p.text().nullable(),
    responseHeaders: p.json<Record<string, string>>().nullable(),
    responseBody: p.text().nullable(),
    responseTruncated: p.boolean(),
  },
});

export class DeliveryAttempt extends DeliveryAttemptSchema.class {}
DeliveryAttemptSchema.setClass(DeliveryAttempt);

/**
 * A delivery in the queue. Each pending delivery has such a row, and a delivery in another status has no such row.
 * See docs/decisions/delivery.md, "Pending deliveries have narrow rows".
 */
const PendingDeliverySchema = defineEntity({
  name: 'PendingDelivery',
  properties: {
    deliveryId: p.uuid().primary(),
    eventId: p.uuid(),
    endpointId: p.uuid(),
    /** A retry is sent only when no first attempt for the same endpoint is due. */
    isRetry: p.boolean(),
    /** The number of recorded attempts. A claim without a recorded attempt is counted in `claims` only. */
    attemptCount: p.integer(),
    claims: p.integer(),
    /**
     * The due time. An endpoint's first attempts are claimed in the order of their due times, and so are its retries.
     */
    dueAt: p.datetime(),
    /** The end of the lease or of a pause. Before this time no process may claim the row, even if it is due. */
    heldUntil: p.datetime().nullable(),
    /** The id of the lease; null if no process holds the row. A result with another lease is dropped. */
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
