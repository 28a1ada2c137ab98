import type { EventOrder, Sent } from '@tillhook/developer/sending/event-sender';
import type { Model, ModelWebhook } from '@tillhook/openapi';
import { v7 as newId } from 'uuid';
import { ApiError } from '../requests/api-error.ts';
import type { Mode } from '../requests/credentials.ts';
import { refuseForeignPages } from '../requests/foreign-callers.ts';
import type { Answers, RememberingCall } from './answers.ts';
import {
  createSubscription,
  type EndpointChange,
  type KnownEndpoint,
  masked,
  maxEndpoints,
  newEndpoint,
  update,
} from './known-endpoint.ts';
import type { Outbox } from './outbox.ts';
import type { Remembered } from './remembered.ts';

export function createEndpoints(remembered: Record<Mode, Remembered>, outbox: Outbox, { webhooks }: Model): Answers {
  const subscriptionOf = createSubscription(webhooks.map(({ name }) => name));
  const testData = testDataOf(webhooks);
  const named = (call: RememberingCall) => endpointNamed(remembered[call.mode], call);
  return {
    registerWebhookEndpoint({ request: { headers, body }, mode, example }) {
      refuseForeignPages(headers);
      const { endpoints } = remembered[mode];
      if (endpoints.items.length >= maxEndpoints) throw limitReached();
      const { url, events } = body as EndpointChange;
      const { merchantId } = example as { merchantId: string };
      const endpoint = newEndpoint({ url: String(url), events: subscriptionOf(events) }, mode, merchantId);
      endpoints.add(endpoint);
      return { ...endpoint.record };
    },
    // Registered endpoints come before the examples. The list is one page, up to the maximum number of endpoints.
    listWebhookEndpoints({ mode, example }) {
      const { webhooks: examples } = example as { webhooks: object[] };
      const known = remembered[mode].endpoints.items.map(masked);
      const webhooks = [...known, ...examples.map((one) => ({ ...one, mode }))].slice(0, maxEndpoints);
      return { webhooks, total: webhooks.length };
    },
    getWebhookEndpoint: (call) => maskedIf(named(call)),
    updateWebhookEndpoint(call) {
      const change = call.request.body as EndpointChange;
      if (change.url !== undefined) refuseForeignPages(call.request.headers);
      const endpoint = named(call);
      if (endpoint) update(endpoint, change, subscriptionOf);
      return maskedIf(endpoint);
    },
    removeWebhookEndpoint(call) {
      const endpoint = named(call);
      if (!endpoint) return undefined;
      remembered[call.mode].endpoints.remove(endpoint);
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
      const order = testOrder(endpoint, call.mode, testData);
      return testAnswer(await outbox.send(order, { endpoint, retries: false }));
    },
  };
}

/** Returns undefined when the path names an example. */
export function endpointNamed({ endpoints }: Remembered, { request }: RememberingCall): KnownEndpoint | undefined {
  return endpoints.named(request.path.id?.toLowerCase());
}

function maskedIf(endpoint: KnownEndpoint | undefined) {
  return endpoint && masked(endpoint);
}

function limitReached(): ApiError {
  const message = `A merchant may have at most ${maxEndpoints} webhook endpoints in each mode`;
  return new ApiError('endpoint_limit_reached', message);
}

function testDataOf(webhooks: readonly ModelWebhook[]): object {
  const [example] = webhooks.find(({ name }) => name === 'test.event')?.body.examples.values() ?? [];
  const { data = {} } = (example?.value ?? {}) as { data?: object };
  return data;
}

function testOrder({ record: { id, url, secret } }: KnownEndpoint, mode: Mode, data: object): EventOrder {
  const timestamp = new Date().toISOString();
  const body = { event: 'test.event', data, timestamp, webhookId: id };
  return { eventId: newId(), event: 'test.event', url, secret, mode, body };
}

function testAnswer({ attempts: [made], deliveryId, delivered }: Sent) {
  const { attempt = 1, statusCode = null, durationMs = 0, responseBody = null } = made ?? {};
  const { error = null, errorDetail = null } = made ?? {};
  const message = `The endpoint ${delivered ? 'received' : 'did not receive'} the test event`;
  const result = { delivered, statusCode, durationMs, error, errorDetail, responseBody };
  return { success: true, message, data: { deliveryId, event: 'test.event', attempt, ...result } };
}
