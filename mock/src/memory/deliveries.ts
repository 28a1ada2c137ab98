import type { DeliveryDetail, ReplayRequest } from '@tillhook/openapi';
import type { Mode } from '../requests/credentials.ts';
import { type Answers, notFound, type RememberingCall } from './answers.ts';
import { endpointNamed } from './endpoints.ts';
import type { KnownEndpoint } from './known-endpoint.ts';
import { listed, type Outbox } from './outbox.ts';
import type { Remembered } from './remembered.ts';

export function createDeliveries(remembered: Record<Mode, Remembered>, outbox: Outbox): Answers {
  const named = ({ request, mode }: RememberingCall) =>
    remembered[mode].deliveries.named(request.path.id?.toLowerCase());
  const eventOf = (mode: Mode, { eventId }: DeliveryDetail) => remembered[mode].events.named(eventId);
  return {
    getDelivery: named,
    resendDelivery(call) {
      const first = named(call);
      if (!first) return undefined;
      const event = eventOf(call.mode, first);
      const endpoint = remembered[call.mode].endpoints.named(first.webhookId);
      if (!event || !endpoint) throw notFound;
      const again = outbox.deliver(event, endpoint, first.id).delivery;
      const message =
        again.status === 'skipped' ? 'The endpoint is inactive, so nothing is sent' : 'The event is sent again';
      return { success: true, message, data: { ...listed(again) } };
    },
    replayDeliveries(call) {
      const endpoint = endpointNamed(remembered[call.mode], call);
      if (!endpoint) return undefined;
      const { deliveries } = remembered[call.mode];
      let count = 0;
      for (const delivery of endpoint.record.isActive ? missedBy(endpoint, call, deliveries.items) : []) {
        const event = eventOf(call.mode, delivery);
        if (!event) continue;
        outbox.deliver(event, endpoint, delivery.id);
        count += 1;
      }
      const message = count === 1 ? '1 delivery is sent again' : `${count} deliveries are sent again`;
      return { success: true, message, data: { count, hasMore: false } };
    },
  };
}

/** Returns the deliveries that the endpoint missed and that were not resent yet, the oldest first. */
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
