import packageFile from '../../package.json' with { type: 'json' };
import { deliveryBody } from './event-body.ts';
import type { SigningKeys } from './keyring.ts';
import { serviceSignature, standardSignature } from './signature.ts';

export interface DeliveryValues {
  id: string;
  eventId: string;
  eventName: string;
  eventBody: string;
  endpointId: string;
  attempt: number;
  traceparent?: string;
}

const userAgent = `Tillhook/${packageFile.version}`;

export function deliveryRequest(
  values: DeliveryValues,
  { own, others }: SigningKeys,
  now: Date,
): { headers: string[]; body: Buffer } {
  const body = Buffer.from(deliveryBody(values.eventBody, values.endpointId));
  const timestamp = Math.floor(now.getTime() / 1000);
  const signed = { id: values.eventId, timestamp, body };
  const headers = unsignedHeaders(values, timestamp);
  let standard = standardSignature(signed, own);
  for (const key of others) standard += ` ${standardSignature(signed, key)}`;
  headers.push('X-Service-Signature', serviceSignature(body, own), 'webhook-signature', standard);
  // Choice: the receiver gets `traceparent`, whose random ids reveal nothing about the caller, but no `tracestate`.
  // See docs/decisions/traces.md, "What goes to the collector, and what to receivers".
  if (values.traceparent) headers.push('traceparent', values.traceparent);
  return { headers, body };
}

export function unsignedHeaders(
  { id, eventId, eventName, endpointId, attempt }: Omit<DeliveryValues, 'eventBody' | 'traceparent'>,
  timestamp: number,
): string[] {
  return [
    'Content-Type',
    'application/json',
    'User-Agent',
    userAgent,
    'X-Service-Event',
    eventName,
    'X-Service-Webhook-Id',
    endpointId,
    'X-Service-Attempt',
    String(attempt),
    'X-Service-Delivery-Id',
    id,
    'webhook-id',
    eventId,
    'webhook-timestamp',
    String(timestamp),
  ];
}
