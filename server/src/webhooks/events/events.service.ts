import { raw } from '@mikro-orm/core';
import { sql } from 'kysely';
import type { Context, WithPrincipal } from '../../context.ts';
import { notFound } from '../../kit/errors.ts';
import { createdWithin, type Page, type Paged, timeOf } from '../../kit/pagination.ts';
import { findPage, findPageAfter } from '../../platform/database/lists/find-page.ts';
import { rowsOutsideTransaction } from '../../platform/database/statement.ts';
import { isOneOfSubjects, subjectsFound } from '../../text-search/subjects.service.ts';
import type { DeliveryStatus } from '../queue/delivery.entity.ts';
import { Event } from '../queue/event.entity.ts';
import { type EventFilter, placeOf, readFeed } from './event-feed.service.ts';

/** `retrying` is the part of `pending` that has failed at least once. */
export type DeliveryCounts = Record<DeliveryStatus | 'retrying', number>;

export interface CountedEvent extends Pick<Event, 'id' | 'mode' | 'name' | 'body'> {
  reference: string | null;
  createdAt: string;
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
    return { records: await findEvents(context, ids.slice(0, page.limit)), total };
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
  const owner = { merchantId, mode };
  const time = timeOf(filter);
  const timed = { ...where, ...createdWithin(time) };
  if (after) {
    // Throws if the event is not found.
    await placeOf(context, after);
    const request = { owner, where: timed, page: { after, order: 'desc', limit } } as const;
    const { records, total } = await findPageAfter(context, Event, request);
    return { records: await findEvents(context, idsIn(records)), total };
  }
  const total = await context.em.count(Event, timed);
  const place = { ...page, time, total };
  const found = await findPage(context, Event, { owner, where, place, orderBy: { id: 'desc' } });
  return { records: await findEvents(context, idsIn(found)), total };
}

const idsIn = (events: readonly Event[]) => events.map(({ id }) => id);

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

export async function getEvent(context: Context & WithPrincipal, id: string): Promise<CountedEvent> {
  const [event] = await findEvents(context, [id]);
  if (!event) throw notFound();
  return event;
}

const countOf = (status: DeliveryStatus) => `'${status}', count(*) filter (where status = '${status}')`;

const deliveryCounts = sql.raw(`json_build_object(${countOf('pending')},
  'retrying', count(*) filter (where status = 'pending' and attempt_count > 0),
  ${countOf('delivered')}, ${countOf('failed')}, ${countOf('skipped')})`);

/**
 * In the order of `ids`. The SQL is written by hand: the ORM needs three statements, and Postgres would plan each of them
 * again. `offset 0` makes Postgres look up each id in the partition of its day, and not read the events of all days.
 */
async function findEvents(context: Context & WithPrincipal, ids: readonly string[]): Promise<CountedEvent[]> {
  if (ids.length === 0) return [];
  const { merchantId, mode } = context.principal;
  return rowsOutsideTransaction<CountedEvent>(context)`
    select event.id, mode, name, reference, body, created_at as "createdAt", (
      select ${deliveryCounts} from delivery
      where delivery.merchant_id = ${merchantId} and delivery.mode = ${mode} and event_id = event.id
    ) as deliveries
    from unnest(${[...ids]}::uuid[]) with ordinality as wanted (id, place) cross join lateral (
      select id, mode, name, reference, body, created_at from event
      where event.id = wanted.id and merchant_id = ${merchantId} and mode = ${mode} offset 0
    ) as event
    order by place`;
}
