import { randomBytes } from 'node:crypto';
import type { OperationInput, WebhookEndpoint } from '@tillhook/openapi';
import { v7 as newId } from 'uuid';
import type { Mode } from '../credentials.ts';
import { eventNames } from '../developer/event-names.ts';

/** An endpoint that was registered at the mock. */
export interface KnownEndpoint {
  /** With the secret in full. */
  record: WebhookEndpoint;
  /** Aborted when the endpoint is removed, which ends the deliveries that wait. */
  removal: AbortController;
}

export type EndpointChange = OperationInput<'updateWebhookEndpoint'>['body'];

/** As many as the service allows in each mode. */
export const mostEndpoints = 16;

export function newEndpoint(
  order: Pick<EndpointChange, 'url' | 'events'>,
  mode: Mode,
  merchantId: string,
): KnownEndpoint {
  const record: WebhookEndpoint = {
    id: newId(),
    merchantId,
    url: String(order.url),
    secret: `whsec_${randomBytes(24).toString('base64')}`,
    events: subscription(order.events),
    isActive: true,
    mode,
    successCount: 0,
    failureCount: 0,
    lastDeliveredAt: null,
    createdAt: new Date().toISOString(),
  };
  return { record, removal: new AbortController() };
}

/** The endpoint as every answer but that of the registration shows it. */
export function masked({ record }: KnownEndpoint): WebhookEndpoint {
  return { ...record, secret: `whsec_••••••••${record.secret.slice(-4)}` };
}

export function subscribes({ record: { events } }: KnownEndpoint, event: string): boolean {
  return events === '*' || events.split(',').includes(event);
}

export function update({ record }: KnownEndpoint, { url, events, isActive }: EndpointChange): void {
  if (url !== undefined) record.url = url;
  if (events !== undefined) record.events = subscription(events);
  if (isActive !== undefined) record.isActive = isActive;
  if (isActive === true) {
    delete record.disabledReason;
    delete record.disabledAt;
  }
}

/** The receiver answered 410, which means that it wants nothing any more. */
export function disable({ record }: KnownEndpoint): void {
  Object.assign(record, { isActive: false, disabledReason: 'endpoint_gone', disabledAt: new Date().toISOString() });
}

/** The names are in the order of the contract, and each only once, as at the service. */
function subscription(events: readonly string[] | undefined): string {
  if (!events || events.includes('*')) return '*';
  return eventNames.filter((name) => events.includes(name)).join(',');
}
