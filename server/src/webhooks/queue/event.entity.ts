import { defineEntity, p } from '@mikro-orm/core';
import type { Mode } from '../../kit/mode.ts';

const EventSchema = defineEntity({
  name: 'Event',
  properties: {
    /** Receivers use this id, which is also the header `webhook-id`, to detect duplicates. */
    id: p.uuid().primary(),
    merchantId: p.uuid(),
    mode: p.text().$type<Mode>(),
    name: p.text(),
    reference: p.text().nullable(),
    /** The part of the body before the endpoint's id; see `wire/event-body.ts`. */
    body: p.text(),
    /** Null for an event that is not traced, or that an older version published. */
    traceparent: p.text().nullable().lazy(),
    createdAt: p.datetime(3),
  },
});

export class Event extends EventSchema.class {}
EventSchema.setClass(Event);
