import { defineEntity, p } from '@mikro-orm/core';
import type { Mode } from '../../kit/mode.ts';

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
