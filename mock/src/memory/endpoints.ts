/** The answers about the endpoints that were registered at the mock, and about what it sent to them. */
import type { DeliveryDetail, ReplayRequest, WebhookEndpointRequest, WebhookEndpointUpdate } from '@tillhook/openapi';
import { v7 as newId } from 'uuid';
import type { Mode } from '../credentials.ts';
import type { EventOrder } from '../event-order.ts';
import { Refusal } from '../refusal.ts';
import type { Answers, RememberingCall } from './answers.ts';
import { listed } from './delivery.ts';
import { type KnownEndpoint, masked, mostEndpoints, newEndpoint, update } from './endpoint.ts';
import type { Outbox } from './outbox.ts';
import { createRecentRecords } from './recent-records.ts';
import type { Remembered } from './remembered.ts';

/** `testData` is the data of a test event. */
export function createEndpoints(remembered: Record<Mode, Remembered>, outbox: Outbox, testData: object): Answers {
  const withId = (mode: Mode, id: unknown) => remembered[mode].endpoints.find(({ record }) => record.id === id);
  /** Ids of removed endpoints, so that they are missing and not examples again. */
  const removed = createRecentRecords<string>();
  const named = ({ request, mode }: RememberingCall) => {
    const id = request.path.id?.toLowerCase();
    if (removed.find((one) => one === id)) throw new Refusal('resource_not_found', 'No such resource');
    return withId(mode, id);
  };
  const delivery = ({ request, mode }: RememberingCall) =>
    remembered[mode].deliveries.find(({ id }) => id === request.path.id?.toLowerCase());
  const eventOf = (mode: Mode, { eventId }: DeliveryDetail) => remembered[mode].events.find(({ id }) => id === eventId);

  return {
    registerWebhookEndpoint({ request, mode, example }) {
      const { endpoints } = remembered[mode];
      if (endpoints.items.length >= mostEndpoints) throw limitReached();
      const { merchantId } = example as { merchantId: string };
      const endpoint = newEndpoint(request.body as WebhookEndpointRequest, mode, merchantId);
      endpoints.add(endpoint);
      return { ...endpoint.record };
    },
    // The list has no pages, and at most as many endpoints as a merchant may have: the examples come last.
    listWebhookEndpoints({ mode, example }) {
      const { webhooks: examples } = example as { webhooks: object[] };
      const known = remembered[mode].endpoints.items.map(masked);
      const webhooks = [...known, ...examples.map((one) => ({ ...one, mode }))].slice(0, mostEndpoints);
      return { webhooks, total: webhooks.length };
    },
    getWebhookEndpoint: (call) => maskedIf(named(call)),
    updateWebhookEndpoint(call) {
      const endpoint = named(call);
      if (endpoint) update(endpoint, call.request.body as WebhookEndpointUpdate);
      return maskedIf(endpoint);
    },
    removeWebhookEndpoint(call) {
      const endpoint = named(call);
      if (!endpoint) return undefined;
      remembered[call.mode].endpoints.remove(endpoint);
      removed.add(endpoint.record.id);
      endpoint.removal.abort();
      return { ...(call.example as object), data: { id: endpoint.record.id, deleted: true } };
    },
    revealWebhookSecret(call) {
      const endpoint = named(call);
      return endpoint && { id: endpoint.record.id, secret: endpoint.record.secret, nextSecret: null };
    },
    async sendTestEvent(call) {
      const endpoint = named(call);
      if (!endpoint) return undefined;
      const { attempts, deliveryId, delivered } = await outbox.send(testOrder(endpoint, call.mode, testData), {
        endpoint,
        retries: false,
      });
      const { attempt = 1, statusCode = null, durationMs = 0, error = null, responseBody = null } = attempts[0] ?? {};
      const message = `The endpoint ${delivered ? 'received' : 'did not receive'} the test event`;
      const data = { deliveryId, event: 'test.event', attempt, delivered, statusCode, durationMs, error, responseBody };
      return { success: true, message, data };
    },
    getDelivery: delivery,
    resendDelivery(call) {
      const first = delivery(call);
      const event = first && eventOf(call.mode, first);
      if (!first || !event) return undefined;
      const endpoint = withId(call.mode, first.webhookId);
      if (!endpoint) return undefined;
      const again = outbox.deliver(event, endpoint, first.id).delivery;
      const message =
        again.status === 'skipped' ? 'The endpoint is inactive, so nothing is sent' : 'The event is sent again';
      return { success: true, message, data: { ...listed(again) } };
    },
    replayDeliveries(call) {
      const endpoint = named(call);
      if (!endpoint) return undefined;
      const missed = endpoint.record.isActive ? missedBy(endpoint, call, remembered[call.mode].deliveries.items) : [];
      let count = 0;
      for (const { id, eventId } of missed) {
        const event = remembered[call.mode].events.find((one) => one.id === eventId);
        if (!event) continue;
        outbox.deliver(event, endpoint, id);
        count += 1;
      }
      const message = count === 1 ? '1 delivery is sent again' : `${count} deliveries are sent again`;
      return { success: true, message, data: { count, hasMore: false } };
    },
  };
}

function maskedIf(endpoint: KnownEndpoint | undefined) {
  return endpoint && masked(endpoint);
}

function limitReached(): Refusal {
  const message = `A merchant may have at most ${mostEndpoints} webhook endpoints in each mode`;
  return new Refusal('endpoint_limit_reached', message);
}

function testOrder({ record: { id, url, secret } }: KnownEndpoint, mode: Mode, data: object): EventOrder {
  const timestamp = new Date().toISOString();
  const body = { event: 'test.event', data, timestamp, webhookId: id };
  return { eventId: newId(), event: 'test.event', url, secret, mode, body };
}

/** The deliveries that the endpoint missed, oldest first, without those that were sent again already. */
function missedBy({ record }: KnownEndpoint, { request }: RememberingCall, deliveries: readonly DeliveryDetail[]) {
  const { since, until, statuses = ['failed', 'skipped'] } = request.body as ReplayRequest;
  const [from, to] = [Date.parse(since), until === undefined ? Number.POSITIVE_INFINITY : Date.parse(until)];
  const sentAgain = new Set(deliveries.map(({ resentFrom }) => resentFrom));
  return deliveries.toReversed().filter(({ id, webhookId, status, createdAt }) => {
    const madeAt = Date.parse(createdAt);
    const isMissed = statuses.some((one) => one === status) && madeAt >= from && madeAt < to;
    return webhookId === record.id && isMissed && !sentAgain.has(id);
  });
}
