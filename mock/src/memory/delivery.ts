import type { DeliveryDetail, Event } from '@tillhook/openapi';
import { v7 as newId } from 'uuid';
import type { EventOrder } from '../event-order.ts';
import type { Attempt } from '../event-sender.ts';

/** A delivery, and the event whose counts it changes. */
export interface TrackedDelivery {
  delivery: DeliveryDetail;
  /** Null for a test event, which is not in the list of events. */
  event: Event | null;
}

/** Makes the delivery of an order, which waits for its first attempt. */
export function newTrackedDelivery(
  order: EventOrder,
  event: Event | null,
  resentFrom: string | null = null,
): TrackedDelivery {
  const now = new Date().toISOString();
  const { reference = null } = order.body.data as { reference?: string | null };
  const delivery: DeliveryDetail = {
    id: newId(),
    eventId: order.eventId,
    webhookId: String(order.body.webhookId),
    event: order.event as Event['event'],
    reference,
    url: order.url,
    mode: order.mode,
    status: 'pending',
    statusReason: null,
    attemptCount: 0,
    nextAttemptAt: now,
    resentFrom,
    createdAt: now,
    completedAt: null,
    request: {
      headers: { 'Content-Type': 'application/json', 'X-Service-Event': order.event, 'webhook-id': order.eventId },
      body: JSON.stringify(order.body),
    },
    attempts: [],
  };
  if (event) event.deliveries.pending += 1;
  return { delivery, event };
}

export function noteAttempt({ delivery }: TrackedDelivery, attempt: Attempt, retryInMs: number | null): void {
  const { requestHeaders, url } = attempt;
  delivery.attempts.push(attempt as DeliveryDetail['attempts'][number]);
  delivery.attemptCount = delivery.attempts.length;
  delivery.request.headers = requestHeaders;
  delivery.url = url;
  delivery.nextAttemptAt = retryInMs === null ? null : new Date(Date.now() + retryInMs).toISOString();
}

export type Ending = Pick<DeliveryDetail, 'status' | 'statusReason'>;

export function end({ delivery, event }: TrackedDelivery, { status, statusReason }: Ending): void {
  Object.assign(delivery, { status, statusReason, nextAttemptAt: null, completedAt: new Date().toISOString() });
  if (!event) return;
  event.deliveries.pending -= 1;
  event.deliveries[status] += 1;
}

/** The delivery as lists show it. */
export function listed({ request: _, attempts: __, ...delivery }: DeliveryDetail) {
  return delivery;
}
