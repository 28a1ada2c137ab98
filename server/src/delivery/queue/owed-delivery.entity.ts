import { defineEntity, p } from '@mikro-orm/core';

/** What is still to be sent: there is one for each delivery that is pending, and for no other. */
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
