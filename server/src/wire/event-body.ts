import type { EventName, Known, WebhookEvents } from '@tillhook/openapi';

export type { EventName };

/** The data of an event, as the service sends it. */
export type EventData<Name extends EventName> = Known<WebhookEvents[Name]['data']>;

/**
 * Makes the text of an event's body up to the endpoint's id. It is made once and stored. The body for an endpoint is
 * this text and the endpoint's id, so the bytes of a delivery are the same on every attempt.
 */
export function eventBody<Name extends EventName>(name: Name, data: EventData<Name>, occurredAt: Date): string {
  const text = JSON.stringify({ event: name, data, timestamp: occurredAt.toISOString() });
  return `${text.slice(0, -1)},"webhookId":"`;
}

/** The exact body that an endpoint receives. */
export function deliveryBody(body: string, endpointId: string): string {
  return `${body}${endpointId}"}`;
}

/** Reads the data and the time of an event from its stored text. */
export function eventContent(body: string): Pick<WebhookEvents[EventName], 'data' | 'timestamp'> {
  return JSON.parse(deliveryBody(body, ''));
}
