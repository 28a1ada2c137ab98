import type { Context, WithPrincipal } from '../../context.ts';
import { findPage, findPageAfter } from '../../database/find-page.ts';
import { notFound } from '../../kit/errors.ts';
import { createdWithin, type Page, type Paged, timeOf } from '../../kit/pagination.ts';
import { Delivery, type DeliveryStatus, Event } from '../queue/delivery.entity.ts';

export interface EventFilter {
  event?: readonly string[];
  reference?: string;
  from?: string;
  to?: string;
}

/** The number of an event's deliveries in each status. */
export type DeliveryCounts = Record<DeliveryStatus, number>;

export interface CountedEvent {
  event: Event;
  deliveries: DeliveryCounts;
}

export async function listEvents(
  context: Context & WithPrincipal,
  filter: EventFilter,
  page: Page,
): Promise<Paged<CountedEvent>> {
  const { merchantId, mode } = context.principal;
  const { event: names, reference } = filter;
  const { after, limit, order = after ? 'asc' : 'desc' } = page;
  const where = { merchantId, mode, ...(names && { name: { $in: [...names] } }), ...(reference && { reference }) };
  const time = timeOf(filter);
  if (after) {
    const timed = { ...where, ...createdWithin(time) };
    const request = { owner: { merchantId, mode }, where: timed, page: { after, order, limit } };
    const { records, total } = await findPageAfter(context, Event, request);
    return { records: await withCounts(context, records), total };
  }
  const total = await context.em.count(Event, { ...where, ...createdWithin(time) });
  const found = await findPage(context, Event, { where, place: { ...page, time, total }, orderBy: { id: order } });
  return { records: await withCounts(context, found), total };
}

export async function getEvent(context: Context & WithPrincipal, id: string): Promise<CountedEvent> {
  const { merchantId, mode } = context.principal;
  const event = await context.em.findOne(Event, { id, merchantId, mode });
  const [counted] = await withCounts(context, event ? [event] : []);
  if (!counted) throw notFound();
  return counted;
}

async function withCounts({ em }: Context, events: Event[]): Promise<CountedEvent[]> {
  if (events.length === 0) return [];
  const where = { eventId: events.map(({ id }) => id) };
  const counts = await em.countBy(Delivery, ['eventId', 'status'], { where });
  const count = (event: Event, status: DeliveryStatus) => Number(counts[`${event.id}~~~${status}`] ?? 0);
  return events.map((event) => ({
    event,
    deliveries: {
      pending: count(event, 'pending'),
      delivered: count(event, 'delivered'),
      failed: count(event, 'failed'),
      skipped: count(event, 'skipped'),
    },
  }));
}
