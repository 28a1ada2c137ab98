import type { EventName, Known, WebhookEvents } from '@tillhook/openapi';

export type { EventName };

/** The `data` of an event's body. */
export type EventData<Name extends EventName> = Known<WebhookEvents[Name]['data']>;

/**
 * Builds the part of an event's body before the endpoint's id, which differs between endpoints. This text is built
 * once and stored, so that the bytes of a delivery are the same on every attempt.
 */
export function eventBody<Name extends EventName>(name: Name, data: EventData<Name>, occurredAt: Date): string {
  const text = JSON.stringify({ event: name, data, timestamp: occurredAt.toISOString() });
  return `${text.slice(0, -1)},"webhookId":"`;
}

/** Adds the endpoint's id to the stored text. The result is the exact body that an endpoint receives. */
export function deliveryBody(body: string, endpointId: string): string {
  return `${body}${endpointId}"}`;
}

/** Reads the data and the time of an event from its stored text. */
export function eventContent(body: string): Pick<WebhookEvents[EventName], 'data' | 'timestamp'> {
  return JSON.parse(deliveryBody(body, ''));
}
