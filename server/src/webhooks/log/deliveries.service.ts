import { raw } from '@mikro-orm/core';
import type { Context, WithOwner, WithPrincipal } from '../../context.ts';
import { notFound } from '../../kit/errors.ts';
import { createdWithin, type Page, type Paged, timeOf } from '../../kit/pagination.ts';
import { findPage, findPageAfter, type PageAfter } from '../../platform/database/lists/find-page.ts';
import { readInBatches } from '../../platform/database/lists/read-in-batches.ts';
import { rowsOutsideTransaction } from '../../platform/database/statement.ts';
import { isOneOfSubjects, subjectsFound } from '../../text-search/subjects.service.ts';
import { WebhookEndpoint } from '../endpoints/endpoint.entity.ts';
import { Delivery, DeliveryAttempt, type DeliveryStatus, PendingDelivery } from '../queue/delivery.entity.ts';
import { Event } from '../queue/event.entity.ts';
import { idsOfPage, placeDeliveries } from './closed-hours.service.ts';

export interface DeliveryFilter {
  webhookId?: string;
  eventId?: string;
  event?: readonly string[];
  status?: readonly DeliveryStatus[];
  /** Whether the delivery is pending and has failed at least once. */
  retrying?: boolean;
  reference?: string;
  /** Only deliveries of events about one of these references. */
  subjects?: readonly string[] | undefined;
  from?: string;
  to?: string;
}

type DeliveryRequest = Omit<DeliveryFilter, 'subjects'> & { search?: string };

/** The log also has the deliveries of removed endpoints. */
export interface LoggedDelivery {
  delivery: Delivery;
  event: Event;
  endpoint: WebhookEndpoint;
  /** Null if there is no next attempt, or while a process holds the delivery. */
  nextAttemptAt: Date | null;
}

export async function listDeliveries(
  context: Context & WithOwner,
  request: DeliveryRequest,
  page: Page,
): Promise<Paged<LoggedDelivery>> {
  const { merchantId, mode } = context.principal;
  const filter = await filterOf(context, request);
  const { webhookId, eventId, event, status, retrying, reference, subjects } = filter;
  const { order = 'desc', after, limit } = page;
  const time = timeOf(filter);
  if (after) return listDeliveriesAfter(context, filter, { after, order, limit });
  // The deliveries of one event or of some references are few, so they are counted one by one.
  const isLong = !eventId && !reference && !subjects;
  const counted = { ...time, endpointId: webhookId, event, status, retrying };
  const placed = isLong ? await placeDeliveries(context, counted, { ...page, order }) : null;
  if (placed && event) {
    const id = await idsOfPage(context, counted, { ...placed, order });
    const found = await context.em.find(Delivery, { merchantId, mode, id }, { orderBy: { id: order } });
    return { records: await withEventsAndEndpoints(context, found), total: placed.total };
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
  return { records: await withEventsAndEndpoints(context, found), total: place.total };
}

/** Reads all deliveries that match, the newest first. */
export async function* readDeliveries(
  context: Context & WithOwner,
  request: DeliveryRequest,
): AsyncIterableIterator<LoggedDelivery[]> {
  const where = eachOf(context, await filterOf(context, request));
  for await (const batch of readInBatches(context, Delivery, { where, by: 'id' })) {
    yield await withEventsAndEndpoints(context, batch);
  }
}

/** Looks up the event of each delivery until the page is full. A join would first read all events of these names. */
function eachOf(context: WithOwner, { event, ...filter }: DeliveryFilter) {
  const isWanted = event && {
    [raw(`(select name from event where event.id = event_id) in (${event.map(() => '?')})`, [...event])]: [],
  };
  return { ...whereOf(context, filter), ...createdWithin(timeOf(filter)), ...isWanted };
}

async function listDeliveriesAfter(
  context: Context & WithOwner,
  filter: DeliveryFilter,
  page: PageAfter,
): Promise<Paged<LoggedDelivery>> {
  const { merchantId, mode } = context.principal;
  const where = eachOf(context, filter);
  const { records, total } = await findPageAfter(context, Delivery, { owner: { merchantId, mode }, where, page });
  return { records: await withEventsAndEndpoints(context, records), total };
}

async function filterOf(
  context: Context & WithOwner,
  { search, ...request }: DeliveryRequest,
): Promise<DeliveryFilter> {
  const subjects = await subjectsFound(context, { ...request, search });
  return { ...(request.retrying ? onlyPending(request) : request), subjects };
}

function onlyPending({ status = ['pending'], ...filter }: DeliveryFilter): DeliveryFilter {
  return { ...filter, status: status.filter((one) => one === 'pending') };
}

function whereOf(context: WithOwner, filter: DeliveryFilter) {
  const { merchantId, mode } = context.principal;
  const { webhookId, eventId, status, retrying } = filter;
  return {
    merchantId,
    mode,
    ...(webhookId && { endpointId: webhookId }),
    ...(eventId && { eventId }),
    ...(status && withStatus(status)),
    ...(retrying !== undefined && { [raw(`(status = 'pending' and attempt_count > 0) = ?`, [retrying])]: [] }),
    ...ofEvents(context, filter),
  };
}

/** No index contains the status: each delivery would change it twice. So the conditions fit other indexes. */
function withStatus(statuses: readonly DeliveryStatus[]) {
  const status = { $in: [...statuses] };
  if (statuses.every((one) => one === 'pending')) {
    return { status, [raw('id in (select delivery_id from pending_delivery)')]: [] };
  }
  const areMissed = statuses.every((one) => one === 'failed' || one === 'skipped');
  return areMissed ? { status, statusReason: { $ne: null } } : { status };
}

export async function getDelivery(context: Context & WithPrincipal, id: string): Promise<LoggedDelivery> {
  const logged = await findDelivery(context, id);
  if (!logged) throw notFound();
  return logged;
}

export async function findDelivery(context: Context & WithPrincipal, id: string): Promise<LoggedDelivery | null> {
  const { merchantId, mode } = context.principal;
  const delivery = await context.em.findOne(Delivery, { id, merchantId, mode });
  const [logged = null] = await withEventsAndEndpoints(context, delivery ? [delivery] : []);
  return logged;
}

export async function listAttempts({ em }: Context, { id: deliveryId }: Delivery): Promise<DeliveryAttempt[]> {
  return em.find(DeliveryAttempt, { deliveryId }, { orderBy: { attempt: 'asc' } });
}

/** Filters in the table `event`, because a delivery's row has neither the name nor the reference of its event. */
function ofEvents({ principal: { merchantId, mode } }: WithOwner, { event, reference, subjects }: DeliveryFilter) {
  if (!event && !reference && !subjects) return {};
  const isWanted = raw(
    `event_id in (select id from event where merchant_id = ? and mode = ?
      ${event ? `and name in (${event.map(() => '?')})` : ''} ${reference ? 'and reference = ?' : ''}
      ${subjects ? `and ${isOneOfSubjects}` : ''})`,
    [merchantId, mode, ...(event ?? []), reference, subjects && JSON.stringify(subjects)].filter(
      (value) => value !== undefined,
    ),
  );
  return { [isWanted]: [] };
}

/** A delivery whose event is missing was purged after it was read, so the delivery is dropped from the result. */
async function withEventsAndEndpoints(
  { em, principal }: Context & WithOwner,
  deliveries: Delivery[],
): Promise<LoggedDelivery[]> {
  if (deliveries.length === 0) return [];
  // The queries run one after the other, because a transaction has only one connection.
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

/** Deliveries that a worker holds are ignored. Returns 0 if no delivery is due. */
export async function oldestDueSeconds(context: Context): Promise<number> {
  const [oldest] = await rowsOutsideTransaction<{ seconds: number | null }>(context)`
    select extract(epoch from now() - due_at)::float8 as seconds from pending_delivery
    where due_at <= now() and (held_until is null or held_until <= now()) order by due_at limit 1`;
  return Math.max(0, oldest?.seconds ?? 0);
}
