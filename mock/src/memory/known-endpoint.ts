import { randomBytes } from 'node:crypto';
import type { OperationInput, WebhookEndpoint } from '@tillhook/openapi';
import { v7 as newId } from 'uuid';
import type { Mode } from '../requests/credentials.ts';

export interface KnownEndpoint {
  /** The endpoint with its secret unmasked. */
  record: WebhookEndpoint;
  /** Aborted when the endpoint is removed, which stops the waiting deliveries of the endpoint. */
  removal: AbortController;
}

export type EndpointChange = OperationInput<'updateWebhookEndpoint'>['body'];

/** The maximum number of endpoints in each mode; the same as in the service. */
export const maxEndpoints = 16;

/** Returns event names as the service stores them: separated by commas, in the contract's order, without duplicates. */
export type Subscription = (events: EndpointChange['events']) => string;

export const createSubscription =
  (eventNames: readonly string[]): Subscription =>
  (events: readonly string[] = ['*']) =>
    events.includes('*') ? '*' : eventNames.filter((name) => events.includes(name)).join(',');

export function newEndpoint(order: { url: string; events: string }, mode: Mode, merchantId: string): KnownEndpoint {
  const record: WebhookEndpoint = {
    id: newId(),
    merchantId,
    url: order.url,
    secret: `whsec_${randomBytes(24).toString('base64')}`,
    events: order.events,
    isActive: true,
    mode,
    successCount: 0,
    failureCount: 0,
    lastDeliveredAt: null,
    createdAt: new Date().toISOString(),
  };
  return { record, removal: new AbortController() };
}

/** Only the answer to the registration shows the whole secret. */
export function masked({ record }: KnownEndpoint): WebhookEndpoint {
  return { ...record, secret: `whsec_••••••••${record.secret.slice(-4)}` };
}

export function subscribes({ record: { events } }: KnownEndpoint, event: string): boolean {
  return events === '*' || events.split(',').includes(event);
}

export function update({ record }: KnownEndpoint, change: EndpointChange, subscriptionOf: Subscription): void {
  const { url, events, isActive } = change;
  if (url !== undefined) record.url = url;
  if (events !== undefined) record.events = subscriptionOf(events);
  if (isActive !== undefined) record.isActive = isActive;
  if (isActive === true) {
    delete record.disabledReason;
    delete record.disabledAt;
  }
}

export function disable({ record }: KnownEndpoint): void {
  Object.assign(record, { isActive: false, disabledReason: 'endpoint_gone', disabledAt: new Date().toISOString() });
}

/** True when two URLs have the same target. `localhost` and `127.0.0.1` are the same host. */
export function isSameAddress(one: string, other: string): boolean {
  return one === other || (URL.canParse(one) && URL.canParse(other) && placeOf(one) === placeOf(other));
}

function placeOf(address: string): string {
  const url = new URL(address);
  if (/^(127\.0\.0\.1|\[::1\])$/.test(url.hostname)) url.hostname = 'localhost';
  url.pathname = url.pathname.replace(/\/+$/, '');
  return url.href;
}
