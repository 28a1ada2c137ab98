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
    attemptCount: p.integer(),
    /** The older delivery whose event this delivery sends again. */
    resentFrom: p.uuid().nullable(),
    /** The time when a newer delivery was created for the event. A replay skips such a delivery. */
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
    attempt: p.integer().primary(),
    /** Null for an attempt of an older version, which did not store the URL. */
    url: p.text().nullable(),
    startedAt: p.datetime(3),
    durationMs: p.integer(),
    statusCode: p.integer().nullable(),
    error: p.text().$type<DeliveryError>().nullable(),
    errorCause: p.text().nullable(),
    responseHeaders: p.json<Record<string, string>>().nullable(),
    responseBody: p.text().nullable(),
    responseTruncated: p.boolean(),
  },
});

export class DeliveryAttempt extends DeliveryAttemptSchema.class {}
DeliveryAttemptSchema.setClass(DeliveryAttempt);

// Only pending deliveries have such a row. See docs/decisions/delivery.md, "Pending deliveries have narrow rows".
const PendingDeliverySchema = defineEntity({
  name: 'PendingDelivery',
  properties: {
    deliveryId: p.uuid().primary(),
    eventId: p.uuid(),
    endpointId: p.uuid(),
    /** A retry is sent only when no first attempt for the same endpoint is due. */
    isRetry: p.boolean(),
    /** A claim without a recorded attempt is counted only in `claims`. */
    attemptCount: p.integer(),
    claims: p.integer(),
    dueAt: p.datetime(),
    /** Before this time no process may claim the row, even if it is due. */
    heldUntil: p.datetime().nullable(),
    /** The lease is null if no process holds the row. A result with another lease is dropped. */
    lease: p.uuid().nullable(),
  },
});

export class PendingDelivery extends PendingDeliverySchema.class {
  /** Returns null while a process holds the row. */
  nextAttemptAt(): Date | null {
    if (this.lease) return null;
    return this.heldUntil && this.heldUntil > this.dueAt ? this.heldUntil : this.dueAt;
  }
}
PendingDeliverySchema.setClass(PendingDelivery);
