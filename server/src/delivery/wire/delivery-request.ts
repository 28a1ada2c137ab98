import packageFile from '../../../package.json' with { type: 'json' };
import { deliveryBody } from './event-body.ts';
import type { SigningKeys } from './keyring.ts';
import { serviceSignature, standardSignature } from './signature.ts';

/** What one attempt of a delivery is made of. */
export interface DeliveryParts {
  id: string;
  eventId: string;
  eventName: string;
  eventBody: string;
  endpointId: string;
  /** 1-based. */
  attempt: number;
}

const userAgent = `Tillhook/${packageFile.version}`;

/** The headers, name and value in turn, and the body that the receiver gets. */
export function deliveryRequest(
  parts: DeliveryParts,
  { own, others }: SigningKeys,
  now: Date,
): { headers: string[]; body: Buffer } {
  const body = Buffer.from(deliveryBody(parts.eventBody, parts.endpointId));
  const timestamp = Math.floor(now.getTime() / 1000);
  const signed = { id: parts.eventId, timestamp, body };
  const signatures = [
    'X-Service-Signature',
    serviceSignature(body, own),
    'webhook-signature',
    [own, ...others].map((key) => standardSignature(signed, key)).join(' '),
  ];
  return { headers: [...unsignedHeaders(parts, timestamp), ...signatures], body };
}

/** The headers but the signatures, as `deliveryRequest` makes them. */
export function unsignedHeaders(
  { id, eventId, eventName, endpointId, attempt }: Omit<DeliveryParts, 'eventBody'>,
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
