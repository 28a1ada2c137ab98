import packageFile from '../../package.json' with { type: 'json' };
import { deliveryBody } from './event-body.ts';
import type { SigningKeys } from './keyring.ts';
import { serviceSignature, standardSignature } from './signature.ts';

/** The values that the request of one attempt contains. */
export interface DeliveryValues {
  id: string;
  eventId: string;
  eventName: string;
  eventBody: string;
  endpointId: string;
  /** The number of the attempt, from 1. */
  attempt: number;
  /** The trace context of this attempt. Undefined when the attempt is not traced. */
  traceparent?: string;
}

const userAgent = `Tillhook/${packageFile.version}`;

/** Builds the body and the headers of the request. The headers are a flat list: name, value, name, value and so on. */
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
  // Choice: the receiver gets `traceparent` and no `tracestate`. The ids in `traceparent` are random and reveal
  // nothing about the caller.
  // See docs/decisions/traces.md, "What goes to the collector, and what to receivers".
  if (values.traceparent) headers.push('traceparent', values.traceparent);
  return { headers, body };
}

/** Builds the headers of the request without the signatures, as a flat list like that of `deliveryRequest`. */
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
