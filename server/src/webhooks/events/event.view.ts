import type { Event as EventRecord } from '@tillhook/openapi';
import { eventContent } from '../../wire/event-body.ts';
import type { CountedEvent } from './events.service.ts';

export function eventView(event: CountedEvent): EventRecord {
  const { data, timestamp } = eventContent(event.body);
  return {
    id: event.id,
    event: event.name,
    data,
    timestamp,
    mode: event.mode,
    reference: event.reference,
    createdAt: new Date(event.createdAt).toISOString(),
    deliveries: event.deliveries,
    // The type of `publish` ensures that the data fits the event.
  } as EventRecord;
}
