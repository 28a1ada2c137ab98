import type { EventName, KnownValues, WebhookEvents } from '@tillhook/openapi';

export type { EventName };

export type EventData<Name extends EventName> = KnownValues<WebhookEvents[Name]['data']>;

/** The part of the body before the endpoint's id is built once and stored, so all attempts send the same bytes. */
export function eventBody<Name extends EventName>(name: Name, data: EventData<Name>, occurredAt: Date): string {
  const text = JSON.stringify({ event: name, data, timestamp: occurredAt.toISOString() });
  return `${text.slice(0, -1)},"webhookId":"`;
}

export function deliveryBody(body: string, endpointId: string): string {
  return `${body}${endpointId}"}`;
}

export function eventContent(body: string): Pick<WebhookEvents[EventName], 'data' | 'timestamp'> {
  return JSON.parse(deliveryBody(body, ''));
}
