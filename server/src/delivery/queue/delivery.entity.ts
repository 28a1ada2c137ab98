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
