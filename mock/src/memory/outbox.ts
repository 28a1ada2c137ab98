/** As in the service, each endpoint has its own delivery, which is signed with the endpoint's secret and retried. */
import { EventEmitter } from 'node:events';
import { type Attempt, type EventOrder, type Sent, sendEvent } from '@tillhook/developer/sending/event-sender';
import { isReceived } from '@tillhook/developer/sending/post-webhook';
import type { DeliveryDetail, Event } from '@tillhook/openapi';
import { v7 as newId } from 'uuid';
import type { Mode } from '../requests/credentials.ts';
import { disable, type KnownEndpoint, subscribes } from './known-endpoint.ts';
import type { Remembered } from './remembered.ts';

export interface EventContent {
  event: string;
  data: Record<string, unknown>;
  timestamp: string;
}

interface SendOptions {
  event?: Event | null;
  endpoint?: KnownEndpoint | undefined;
  resentFrom?: string;
  retries?: boolean;
}

export interface Outbox {
  /** Emits `event` for each new event. */
  bell: EventEmitter;
  publish(mode: Mode, content: EventContent): void;
  remember(order: EventOrder): Event;
  send(order: EventOrder, options?: SendOptions): Promise<Sent>;
  /** Skips the delivery if the endpoint is inactive. */
  deliver(event: Event, endpoint: KnownEndpoint, resentFrom?: string): TrackedDelivery;
  /** Makes all waiting retries due now, and returns the number of pending deliveries. */
  makeDue(mode: Mode): number;
}

export function createOutbox(remembered: Record<Mode, Remembered>, stopping: AbortSignal): Outbox {
  const bell = new EventEmitter().setMaxListeners(0);
  const madeDue: Record<Mode, AbortController> = { test: new AbortController(), live: new AbortController() };

  const run = async (
    order: EventOrder,
    tracked: TrackedDelivery,
    { endpoint, retries = true }: SendOptions,
  ): Promise<Sent> => {
    const sent = await sendEvent(order, {
      deliveryId: tracked.delivery.id,
      retries,
      signal: endpoint ? AbortSignal.any([stopping, endpoint.removal.signal]) : stopping,
      madeDue: () => madeDue[order.mode].signal,
      onAttempt: (attempt, retryInMs) => noteAttempt(tracked, attempt, retryInMs),
    });
    settle(tracked, sent, endpoint);
    return sent;
  };

  const remember = ({ eventId: id, mode, body }: EventOrder): Event => {
    const { event, data, timestamp } = body as unknown as EventContent;
    const { reference = null } = data as { reference?: string | null };
    const deliveries = { pending: 0, retrying: 0, delivered: 0, failed: 0, skipped: 0 };
    const record = {
      id,
      event,
      data,
      timestamp,
      mode,
      reference,
      createdAt: new Date().toISOString(),
      deliveries,
    } as Event;
    remembered[mode].events.add(record);
    bell.emit('event');
    return record;
  };

  const deliver: Outbox['deliver'] = (event, endpoint, resentFrom) => {
    const order = orderFor(event, endpoint);
    const tracked = newTrackedDelivery(order, event, resentFrom);
    remembered[event.mode].deliveries.add(tracked.delivery);
    if (endpoint.record.isActive) void run(order, tracked, { endpoint });
    else end(tracked, { status: 'skipped', statusReason: 'endpoint_inactive' });
    return tracked;
  };

  return {
    bell,
    remember,
    deliver,
    publish(mode, content) {
      const event = remember({ ...nowhere, eventId: newId(), mode, event: content.event, body: { ...content } });
      for (const endpoint of remembered[mode].endpoints.items)
        if (subscribes(endpoint, event.event)) deliver(event, endpoint);
    },
    send(order, { event = null, resentFrom, ...options } = {}) {
      const tracked = newTrackedDelivery(order, event, resentFrom);
      remembered[order.mode].deliveries.add(tracked.delivery);
      return run(order, tracked, options);
    },
    makeDue(mode) {
      madeDue[mode].abort();
      madeDue[mode] = new AbortController();
      return remembered[mode].deliveries.items.filter(({ status }) => status === 'pending').length;
    },
  };
}

const nowhere = { url: '', secret: '' };

/** `url` and `secret` are getters, because the endpoint may change between two attempts. */
function orderFor({ id, event, data, timestamp, mode }: Event, { record }: KnownEndpoint): EventOrder {
  return {
    eventId: id,
    event,
    mode,
    get url() {
      return record.url;
    },
    get secret() {
      return record.secret;
    },
    body: { event, data, timestamp, webhookId: record.id },
  };
}

function settle(tracked: TrackedDelivery, { attempts }: Sent, endpoint: KnownEndpoint | undefined): void {
  const last = attempts.at(-1);
  const ending = endingOf(last, endpoint?.removal.signal.aborted === true);
  end(tracked, ending);
  if (!endpoint || ending.status === 'skipped') return;
  const { record } = endpoint;
  if (ending.status === 'delivered') {
    record.successCount += 1;
    record.lastDeliveredAt = new Date().toISOString();
  } else record.failureCount += 1;
  if (ending.statusReason === 'endpoint_gone') disable(endpoint);
}

function endingOf(last: Attempt | undefined, isRemoved: boolean): Ending {
  if (last && isReceived(last.statusCode)) return { status: 'delivered', statusReason: null };
  if (isRemoved) return { status: 'skipped', statusReason: 'endpoint_removed' };
  return { status: 'failed', statusReason: last?.statusCode === 410 ? 'endpoint_gone' : 'attempts_exhausted' };
}

export interface TrackedDelivery {
  delivery: DeliveryDetail;
  /** Null for a test event, which is not in the list of events. */
  event: Event | null;
  isRetrying: boolean;
}

function newTrackedDelivery(order: EventOrder, event: Event | null, resentFrom: string | null = null): TrackedDelivery {
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
  return { delivery, event, isRetrying: false };
}

function noteAttempt(tracked: TrackedDelivery, attempt: Attempt, retryInMs: number | null): void {
  const { delivery, event } = tracked;
  const { requestHeaders, url } = attempt;
  delivery.attempts.push(attempt as DeliveryDetail['attempts'][number]);
  delivery.attemptCount = delivery.attempts.length;
  delivery.nextAttemptAt = retryInMs === null ? null : new Date(Date.now() + retryInMs).toISOString();
  if (retryInMs === null || tracked.isRetrying) return;
  tracked.isRetrying = true;
  if (event) event.deliveries.retrying += 1;
  delivery.request.headers = requestHeaders;
  delivery.url = url;
}

type Ending = Pick<DeliveryDetail, 'status' | 'statusReason'>;

function end({ delivery, event, isRetrying }: TrackedDelivery, { status, statusReason }: Ending): void {
  Object.assign(delivery, { status, statusReason, nextAttemptAt: null, completedAt: new Date().toISOString() });
  if (!event) return;
  event.deliveries.pending -= 1;
  if (isRetrying) event.deliveries.retrying -= 1;
  event.deliveries[status] += 1;
}

export function listed({ request: _, attempts: __, ...delivery }: DeliveryDetail) {
  return delivery;
}
