import { raw } from '@mikro-orm/core';
import type { Context, WithPrincipal } from '../../context.ts';
import { notFound } from '../../kit/errors.ts';
import { createdWithin, type Page, type Paged, timeOf } from '../../kit/pagination.ts';
import { findPage, findPageAfter } from '../../platform/database/lists/find-page.ts';
import { isOneOfSubjects, subjectsFound } from '../../text-search/subjects.service.ts';
import { Delivery, type DeliveryStatus } from '../queue/delivery.entity.ts';
import { Event } from '../queue/event.entity.ts';
import { type EventFilter, placeOf, readFeed } from './event-feed.service.ts';

/** `retrying` is the part of `pending` that has failed at least once. */
export type DeliveryCounts = Record<DeliveryStatus | 'retrying', number>;

export interface CountedEvent {
  event: Event;
  deliveries: DeliveryCounts;
}

interface EventsPage extends Page {
  /** How many seconds to wait for an event. A page with `wait`, even with 0, has only final events. */
  wait?: number | undefined;
}

/**
 * With `order=asc` or `wait`, the list has only final events, so that a reader can continue after the last event of a
 * page without missing an event.
 * See docs/decisions/contract.md, "Events are followed with the list of events".
 */
export async function listEvents(
  context: Context & WithPrincipal,
  { search, ...request }: Omit<EventFilter, 'subjects'> & { search?: string },
  page: EventsPage,
): Promise<Paged<CountedEvent>> {
  const filter = { ...request, subjects: await subjectsFound(context, { ...request, search }) };
  const { after, wait, order = after ? 'asc' : 'desc' } = page;
  if (order === 'desc' && wait === undefined) return listByCreation(context, filter, page);
  const isCountedAhead = after !== undefined || wait !== undefined;
  const limit = page.limit + (isCountedAhead ? 1 : 0);
  return readFeed(context, { filter, page: { ...page, order, limit } }, async (ids) => {
    const total = isCountedAhead
      ? ids.length
      : await context.em.count(Event, { ...whereOf(context, filter), ...createdWithin(timeOf(filter)) });
    return { records: await withCounts(context, await findInOrder(context, ids.slice(0, page.limit))), total };
  });
}

async function listByCreation(
  context: Context & WithPrincipal,
  filter: EventFilter,
  page: Page,
): Promise<Paged<CountedEvent>> {
  const { merchantId, mode } = context.principal;
  const { after, limit } = page;
  const where = whereOf(context, filter);
  const time = timeOf(filter);
  const timed = { ...where, ...createdWithin(time) };
  if (after) {
    // Throws if the event is not found.
    await placeOf(context, after);
    const request = { owner: { merchantId, mode }, where: timed, page: { after, order: 'desc', limit } } as const;
    const { records, total } = await findPageAfter(context, Event, request);
    return { records: await withCounts(context, records), total };
  }
  const total = await context.em.count(Event, timed);
  const found = await findPage(context, Event, {
    owner: { merchantId, mode },
    where,
    place: { ...page, time, total },
    orderBy: { id: 'desc' },
  });
  return { records: await withCounts(context, found), total };
}

function whereOf({ principal }: WithPrincipal, { event: names, reference, subjects }: EventFilter) {
  const { merchantId, mode } = principal;
  return {
    merchantId,
    mode,
    ...(names && { name: { $in: [...names] } }),
    ...(reference && { reference }),
    ...(subjects && { [raw(isOneOfSubjects, [JSON.stringify(subjects)])]: [] }),
  };
}

async function findInOrder({ em, principal }: Context & WithPrincipal, ids: readonly string[]): Promise<Event[]> {
  if (ids.length === 0) return [];
  const { merchantId, mode } = principal;
  const found = await em.find(Event, { merchantId, mode, id: [...ids] });
  const events = new Map(found.map((event) => [event.id, event]));
  return ids.flatMap((id) => events.get(id) ?? []);
}

export async function getEvent(context: Context & WithPrincipal, id: string): Promise<CountedEvent> {
  const { merchantId, mode } = context.principal;
  const event = await context.em.findOne(Event, { id, merchantId, mode });
  const [counted] = await withCounts(context, event ? [event] : []);
  if (!counted) throw notFound();
  return counted;
}

async function withCounts({ em, principal }: Context & WithPrincipal, events: Event[]): Promise<CountedEvent[]> {
  if (events.length === 0) return [];
  const { merchantId, mode } = principal;
  const where = { merchantId, mode, eventId: events.map(({ id }) => id) };
  const counts = await em.countBy(Delivery, ['eventId', 'status'], { where });
  const isAnyPending = Object.keys(counts).some((key) => key.endsWith('~~~pending'));
  const retrying = isAnyPending
    ? await em.countBy(Delivery, 'eventId', { where: { ...where, status: 'pending', attemptCount: { $gt: 0 } } })
    : {};
  const count = (event: Event, status: DeliveryStatus) => Number(counts[`${event.id}~~~${status}`] ?? 0);
  return events.map((event) => ({
    event,
    deliveries: {
      pending: count(event, 'pending'),
      retrying: Number(retrying[event.id] ?? 0),
      delivered: count(event, 'delivered'),
      failed: count(event, 'failed'),
      skipped: count(event, 'skipped'),
    },
  }));
}
