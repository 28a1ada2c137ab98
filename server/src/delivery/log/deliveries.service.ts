import { raw } from '@mikro-orm/core';
import type { Called, Context } from '../../context.ts';
import { findPage } from '../../database/find-page.ts';
import { notFound } from '../../kit/errors.ts';
import { createdWithin, type Page, type Paged, timeOf } from '../../kit/pagination.ts';
import { WebhookEndpoint } from '../../webhooks/endpoint.entity.ts';
import { Delivery, DeliveryAttempt, type DeliveryStatus, Event, OwedDelivery } from '../queue/delivery.entity.ts';
import { idsOfPage, placeDeliveries } from './closed-hours.service.ts';

export interface DeliveryFilter {
  webhookId?: string;
  eventId?: string;
  event?: string;
  status?: DeliveryStatus;
  reference?: string;
  from?: string;
  to?: string;
  order?: 'asc' | 'desc';
}

/** A delivery with what it is made of. A removed endpoint is there too: its log stays. */
export interface LoggedDelivery {
  delivery: Delivery;
  event: Event;
  endpoint: WebhookEndpoint;
  /** Null when nothing more is sent, and while an attempt is being made. */
  nextAttemptAt: Date | null;
}

export async function listDeliveries(
  context: Context & Called,
  filter: DeliveryFilter,
  page: Page,
): Promise<Paged<LoggedDelivery>> {
  const { webhookId, eventId, event, status, reference, order = 'desc' } = filter;
  const time = timeOf(filter);
  // Of one event there are few.
  const isLong = !eventId && !reference;
  const counted = { ...time, endpointId: webhookId, event, status };
  const placed = isLong ? await placeDeliveries(context, counted, { ...page, order }) : null;
  if (placed && event) {
    const id = await idsOfPage(context, counted, { ...placed, order });
    const found = await context.em.find(Delivery, { id }, { orderBy: { id: order } });
    return { records: await withParts(context, found), total: placed.total };
  }
  const where = whereOf(context, filter);
  const count = () => context.em.count(Delivery, { ...where, ...createdWithin(time) });
  const place = placed ?? { ...page, time, total: await count() };
  const found = await findPage(context, Delivery, { where, place, orderBy: { id: order } });
  return { records: await withParts(context, found), total: place.total };
}

/** All but the time. */
function whereOf(context: Called, filter: DeliveryFilter) {
  const { merchantId, mode } = context.principal;
  const { webhookId, eventId, status } = filter;
  return {
    merchantId,
    mode,
    ...(webhookId && { endpointId: webhookId }),
    ...(eventId && { eventId }),
    ...(status && withStatus(status)),
    ...ofEvents(context, filter),
  };
}

/** No index names the status, because each delivery would touch it: what failed or was skipped has a reason, what is pending is owed. */
function withStatus(status: DeliveryStatus) {
  if (status === 'pending') return { status, [raw('id in (select delivery_id from owed_delivery)')]: [] };
  return status === 'delivered' ? { status } : { status, statusReason: { $ne: null } };
}

export async function getDelivery(context: Context & Called, id: string): Promise<LoggedDelivery> {
  const { merchantId, mode } = context.principal;
  const delivery = await context.em.findOne(Delivery, { id, merchantId, mode });
  const [logged] = await withParts(context, delivery ? [delivery] : []);
  if (!logged) throw notFound();
  return logged;
}

/** First to last. */
export async function listAttempts({ em }: Context, { id: deliveryId }: Delivery): Promise<DeliveryAttempt[]> {
  return em.find(DeliveryAttempt, { deliveryId }, { orderBy: { attempt: 'asc' } });
}

/** Events are narrowed down first, because a delivery knows neither its event's name nor what that is about. */
function ofEvents({ principal: { merchantId, mode } }: Called, { event, reference }: DeliveryFilter) {
  if (!event && !reference) return {};
  const isWanted = raw(
    `event_id in (select id from event where merchant_id = ? and mode = ?
      ${event ? 'and name = ?' : ''} ${reference ? 'and reference = ?' : ''})`,
    [merchantId, mode, event, reference].filter((value) => value !== undefined),
  );
  return { [isWanted]: [] };
}

/** The purge takes a delivery before its event, so that an event that is not there was purged since the delivery was read. */
async function withParts({ em }: Context, deliveries: Delivery[]): Promise<LoggedDelivery[]> {
  if (deliveries.length === 0) return [];
  // One after the other, because inside a transaction there is one connection.
  const events = await em.find(Event, { id: deliveries.map(({ eventId }) => eventId) });
  const endpoints = await em.find(WebhookEndpoint, { id: deliveries.map(({ endpointId }) => endpointId) });
  const owed = await em.find(OwedDelivery, { deliveryId: deliveries.map(({ id }) => id) });
  const owedOf = new Map(owed.map((row) => [row.deliveryId, row]));
  const eventOf = new Map(events.map((event) => [event.id, event]));
  const endpointOf = new Map(endpoints.map((endpoint) => [endpoint.id, endpoint]));
  return deliveries.flatMap((delivery) => {
    const [event, endpoint] = [eventOf.get(delivery.eventId), endpointOf.get(delivery.endpointId)];
    const nextAttemptAt = owedOf.get(delivery.id)?.nextAttemptAt() ?? null;
    return event && endpoint ? [{ delivery, event, endpoint, nextAttemptAt }] : [];
  });
}
