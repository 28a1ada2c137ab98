import type { EventName, WebhookEvents } from '@tillhook/openapi';

export type { EventName };

/** What an event says, as the contract types it. */
export type EventData<Name extends EventName> = WebhookEvents[Name]['data'];

/**
 * The text of an event's body up to the endpoint's id. It is made once and stored; each endpoint's body is this text and its
 * own id, so the bytes of a delivery are the same on every attempt.
 */
export function eventBody<Name extends EventName>(name: Name, data: EventData<Name>, occurredAt: Date): string {
  const text = JSON.stringify({ event: name, data, timestamp: occurredAt.toISOString() });
  return `${text.slice(0, -1)},"webhookId":"`;
}

/** The exact body that an endpoint receives. */
export function deliveryBody(body: string, endpointId: string): string {
  return `${body}${endpointId}"}`;
}

/** What an event says, read back from its text. */
export function eventContent(body: string): Pick<WebhookEvents[EventName], 'data' | 'timestamp'> {
  return JSON.parse(deliveryBody(body, ''));
}
