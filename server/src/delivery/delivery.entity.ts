import { defineEntity, p } from '@mikro-orm/core';
import type { Mode } from '../kit/mode.ts';

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
    /** Attempts that were recorded. A claim that was never recorded counts in `claims` only. */
    attemptCount: p.integer(),
    claims: p.integer(),
    /** When the row may next be claimed: a retry's time, or the end of the lease of whoever holds it. */
    nextAttemptAt: p.datetime().nullable(),
    /** The token of the claim that holds the row. An outcome with another token is dropped. */
    lease: p.uuid().nullable(),
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
