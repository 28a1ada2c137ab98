import { raw } from '@mikro-orm/core';
import type { Context, WithOwner, WithPrincipal } from '../../context.ts';
import { notFound } from '../../kit/errors.ts';
import { createdWithin, type Page, type Paged, timeOf } from '../../kit/pagination.ts';
import { findPage, findPageAfter, type PageAfter } from '../../platform/database/lists/find-page.ts';
import { WebhookEndpoint } from '../endpoints/endpoint.entity.ts';
import { Delivery, DeliveryAttempt, type DeliveryStatus, Event, PendingDelivery } from '../queue/delivery.entity.ts';
import { idsOfPage, placeDeliveries } from './closed-hours.service.ts';

export interface DeliveryFilter {
  webhookId?: string;
  eventId?: string;
  event?: readonly string[];
  status?: readonly DeliveryStatus[];
  reference?: string;
  from?: string;
  to?: string;
}

/**
 * A delivery with its event and endpoint. The endpoint may be a removed one, because its deliveries stay in the log.
 */
export interface LoggedDelivery {
  delivery: Delivery;
  event: Event;
  endpoint: WebhookEndpoint;
  /** Null when no attempt follows, and while a process holds the delivery. */
  nextAttemptAt: Date | null;
}

export async function listDeliveries(
  context: Context & WithOwner,
  filter: DeliveryFilter,
  page: Page,
): Promise<Paged<LoggedDelivery>> {
  const { merchantId, mode } = context.principal;
  const { webhookId, eventId, event, status, reference } = filter;
  const { order = 'desc', after, limit } = page;
  const time = timeOf(filter);
  if (after) return listDeliveriesAfter(context, filter, { after, order, limit });
  // One event, and one reference, have few deliveries.
  const isLong = !eventId && !reference;
  const counted = { ...time, endpointId: webhookId, event, status };
  const placed = isLong ? await placeDeliveries(context, counted, { ...page, order }) : null;
  if (placed && event) {
    const id = await idsOfPage(context, counted, { ...placed, order });
    const found = await context.em.find(Delivery, { merchantId, mode, id }, { orderBy: { id: order } });
    return { records: await withParts(context, found), total: placed.total };
  }
  const where = whereOf(context, filter);
  const count = () => context.em.count(Delivery, { ...where, ...createdWithin(time) });
  const place = placed ?? { ...page, time, total: await count() };
  const found = await findPage(context, Delivery, {
    owner: { merchantId, mode },
    where,
    place,
    orderBy: { id: order },
  });
  return { records: await withParts(context, found), total: place.total };
}

async function listDeliveriesAfter(
  context: Context & WithOwner,
  { event, ...filter }: DeliveryFilter,
  page: PageAfter,
): Promise<Paged<LoggedDelivery>> {
  const { merchantId, mode } = context.principal;
  // The name of the event is looked up delivery by delivery until the page is full. Without a page, all events with this
  // name would be read.
  const isWanted = event && {
    [raw(`(select name from event where event.id = event_id) in (${event.map(() => '?')})`, [...event])]: [],
  };
  const where = { ...whereOf(context, filter), ...createdWithin(timeOf(filter)), ...isWanted };
  const { records, total } = await findPageAfter(context, Delivery, { owner: { merchantId, mode }, where, page });
  return { records: await withParts(context, records), total };
}

/** The conditions of a filter, without the time. */
function whereOf(context: WithOwner, filter: DeliveryFilter) {
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

/**
 * The status is in no index, because each delivery would change that index. Other indexes find it: a failed or skipped
 * delivery has a reason, and a pending one has a row in `pending_delivery`.
 */
function withStatus(statuses: readonly DeliveryStatus[]) {
  const status = { $in: [...statuses] };
  if (statuses.every((one) => one === 'pending')) {
    return { status, [raw('id in (select delivery_id from pending_delivery)')]: [] };
  }
  const areMissed = statuses.every((one) => one === 'failed' || one === 'skipped');
  return areMissed ? { status, statusReason: { $ne: null } } : { status };
}

export async function getDelivery(context: Context & WithPrincipal, id: string): Promise<LoggedDelivery> {
  const { merchantId, mode } = context.principal;
  const delivery = await context.em.findOne(Delivery, { id, merchantId, mode });
  const [logged] = await withParts(context, delivery ? [delivery] : []);
  if (!logged) throw notFound();
  return logged;
}

/** Returns the attempts of a delivery, the first one first. */
export async function listAttempts({ em }: Context, { id: deliveryId }: Delivery): Promise<DeliveryAttempt[]> {
  return em.find(DeliveryAttempt, { deliveryId }, { orderBy: { attempt: 'asc' } });
}

/** Selects events first, because the name and reference of an event are not stored with its deliveries. */
function ofEvents({ principal: { merchantId, mode } }: WithOwner, { event, reference }: DeliveryFilter) {
  if (!event && !reference) return {};
  const isWanted = raw(
    `event_id in (select id from event where merchant_id = ? and mode = ?
      ${event ? `and name in (${event.map(() => '?')})` : ''} ${reference ? 'and reference = ?' : ''})`,
    [merchantId, mode, ...(event ?? []), reference].filter((value) => value !== undefined),
  );
  return { [isWanted]: [] };
}

/**
 * The purge removes a delivery before its event. So when an event is missing, both were purged after the delivery was
 * read.
 */
async function withParts({ em, principal }: Context & WithOwner, deliveries: Delivery[]): Promise<LoggedDelivery[]> {
  if (deliveries.length === 0) return [];
  // One query after the other, because a transaction has one connection.
  const { merchantId, mode } = principal;
  const events = await em.find(Event, { merchantId, mode, id: deliveries.map(({ eventId }) => eventId) });
  const endpoints = await em.find(WebhookEndpoint, {
    merchantId,
    mode,
    id: deliveries.map(({ endpointId }) => endpointId),
  });
  const queued = await em.find(PendingDelivery, { deliveryId: deliveries.map(({ id }) => id) });
  const queuedOf = new Map(queued.map((row) => [row.deliveryId, row]));
  const eventOf = new Map(events.map((event) => [event.id, event]));
  const endpointOf = new Map(endpoints.map((endpoint) => [endpoint.id, endpoint]));
  return deliveries.flatMap((delivery) => {
    const [event, endpoint] = [eventOf.get(delivery.eventId), endpointOf.get(delivery.endpointId)];
    const nextAttemptAt = queuedOf.get(delivery.id)?.nextAttemptAt() ?? null;
    return event && endpoint ? [{ delivery, event, endpoint, nextAttemptAt }] : [];
  });
}
