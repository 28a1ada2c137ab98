import { defineEntity, p } from '@mikro-orm/core';
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
    statusReason: p.text().nullable(),
    /** Attempts that were recorded. */
    attemptCount: p.integer(),
    /** The delivery that this one sends again. */
    resentFrom: p.uuid().nullable(),
    /** When it was last sent again itself. A replay takes only what never was. */
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
    startedAt: p.datetime(3),
    durationMs: p.integer(),
    /** Null when the receiver gave no status. */
    statusCode: p.integer().nullable(),
    error: p.text().nullable(),
    responseHeaders: p.json<Record<string, string>>().nullable(),
    responseBody: p.text().nullable(),
    responseTruncated: p.boolean(),
  },
});

export class DeliveryAttempt extends DeliveryAttemptSchema.class {}
DeliveryAttemptSchema.setClass(DeliveryAttempt);

/**
 * What is still to be sent: there is one for each delivery that is pending, and for no other.
 * See docs/decisions/delivery.md, "Pending deliveries have narrow rows".
 */
const OwedDeliverySchema = defineEntity({
  name: 'OwedDelivery',
  properties: {
    deliveryId: p.uuid().primary(),
    eventId: p.uuid(),
    endpointId: p.uuid(),
    /** Retries wait until all first attempts at the same endpoint are made. */
    isRetry: p.boolean(),
    /** Attempts that were recorded. A claim that was never recorded counts in `claims` only. */
    attemptCount: p.integer(),
    claims: p.integer(),
    /** The order among those of one endpoint. */
    dueAt: p.datetime(),
    /** Before this time nobody may claim it, due or not: the end of the lease, or of a pause. */
    heldUntil: p.datetime().nullable(),
    /** The token of the claim that holds the row. An outcome with another token is dropped. */
    lease: p.uuid().nullable(),
  },
});

export class OwedDelivery extends OwedDeliverySchema.class {
  /** When the next attempt is made, at the earliest. Null while one is being made. */
  nextAttemptAt(): Date | null {
    if (this.lease) return null;
    return this.heldUntil && this.heldUntil > this.dueAt ? this.heldUntil : this.dueAt;
  }
}
OwedDeliverySchema.setClass(OwedDelivery);

const EventSchema = defineEntity({
  name: 'Event',
  properties: {
    /** Also the header `webhook-id`: what receivers deduplicate by. */
    id: p.uuid().primary(),
    merchantId: p.uuid(),
    mode: p.text().$type<Mode>(),
    name: p.text(),
    reference: p.text().nullable(),
    /** The delivery's bytes up to the endpoint's id; see `event.ts`. */
    body: p.text(),
    createdAt: p.datetime(3),
  },
});

export class Event extends EventSchema.class {}
EventSchema.setClass(Event);
