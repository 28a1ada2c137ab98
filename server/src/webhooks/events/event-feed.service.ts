/**
 * The position of an event is the id of the transaction that inserted it. An event is final when all transactions with
 * lower or equal ids have ended, so that no new event can come before it. A reader that continues after the last final
 * event misses no event.
 * See docs/decisions/database.md, "Events are followed in the order of their transactions".
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { type RawBuilder, sql } from 'kysely';
import type { Context, CoreContext, WithPrincipal } from '../../context.ts';
import { invalid } from '../../kit/errors.ts';
import { dayMs } from '../../kit/hours.ts';
import { firstId, firstIdAt, idsOf, timeIn } from '../../kit/ids.ts';
import { type Order, timeOf } from '../../kit/pagination.ts';
import { unknownAfter } from '../../platform/database/lists/find-page.ts';
import { atMost, rowsOutsideTransaction } from '../../platform/database/statement.ts';
import type { FoundEvent, Watched } from './event-waits.ts';

export interface EventFilter {
  event?: readonly string[];
  reference?: string;
  /** Only events about one of these references. */
  subjects?: readonly string[] | undefined;
  from?: string;
  to?: string;
}

/** A place between two events: after the event with this position and id. */
interface FeedPlace {
  position: bigint;
  id: string;
}

interface FeedPage {
  order: Order;
  limit: number;
  offset: number;
  after?: string | undefined;
  /** How many seconds to wait for an event. */
  wait?: number | undefined;
}

interface FoundPage {
  ids: string[];
  /** All events with a position below `finalBefore` are final, and `ids` was read from these events. */
  finalBefore: bigint;
}

/** With a shorter wait, a reader of a busy merchant would call once for each event, and use up the rate limit. */
const gatherMs = 100;

/**
 * After a crash or a failover, Postgres may use again the ids of transactions that were lost in the last second. So a
 * waiting call reads again from this many ids before the final position.
 * Choice: the number is enough for 10,000 transactions a second in the whole cluster.
 */
const maxReusedIds = 10_000n;

const beginning: FeedPlace = { position: 0n, id: firstId };

/** The position must be read in the same statement as the events. `limit 1` makes the planner expect one row. */
const finalBefore = sql.raw(`
  select pg_snapshot_xmin(pg_current_snapshot())::text::bigint + position_shift as final_before
  from event_order limit 1`);

export async function readFeed<Answer>(
  context: Context & WithPrincipal,
  { filter, page }: { filter: EventFilter; page: FeedPage },
  complete: (ids: readonly string[]) => Promise<Answer>,
): Promise<Answer> {
  const { after, wait = 0 } = page;
  const { merchantId, mode } = context.principal;
  const startedAt = performance.now();
  const begin = after ? await placeOf(context, after) : beginning;
  const lastedMs = () => performance.now() - startedAt;
  const read = async (place: FeedPlace) => {
    const { ids, finalBefore } = await readPage(context, { filter, page, place });
    const isEnough = ids.length === page.limit || (ids.length > 0 && lastedMs() >= gatherMs);
    const isOver = isEnough || lastedMs() >= wait * 1000;
    return { place, finalBefore, isEmpty: ids.length === 0, answer: isOver ? await answerOf(ids) : undefined };
  };
  let hasWaited = false;
  const answerOf = async (ids: readonly string[]) => {
    if (hasWaited) await context.checkCallerAgain?.();
    return complete(ids);
  };
  let found = await read(begin);
  hasWaited = true;
  for (let isFirst = true; found.answer === undefined; ) {
    if (!found.isEmpty) {
      await sleep(gatherMs - lastedMs());
      found = await read(found.place);
      continue;
    }
    const { finalBefore: since } = found;
    const position = since - maxReusedIds;
    const next = await context.eventWaits.next(
      { merchantId, mode },
      { since, leftMs: wait * 1000 - lastedMs(), signal: context.signal, isPatient: !isFirst },
      () => read(position > begin.position ? { position, id: firstId } : begin),
    );
    if (!next) return answerOf([]);
    found = next;
    isFirst = false;
  }
  return found.answer;
}

export async function placeOf(context: Context & WithPrincipal, id: string): Promise<FeedPlace> {
  const { merchantId, mode } = context.principal;
  const [found] = await rowsOutsideTransaction<{ position: string }>(context)`
    select feed_position::text as position from event where id = ${id} and merchant_id = ${merchantId} and mode = ${mode}`;
  if (found) return { position: BigInt(found.position), id };
  const { retentionDays } = context.config;
  const keptSince = context.clock.now().getTime() - retentionDays * dayMs;
  if (timeIn(id) >= keptSince) throw unknownAfter();
  throw invalid(
    'invalid_parameter',
    'after',
    `is older than the ${retentionDays} days for which events are kept; begin again with order=asc and without after, and send from to begin at a time`,
  );
}

interface Reading {
  filter: EventFilter;
  page: FeedPage;
  place: FeedPlace;
}

async function readPage(
  context: Context & WithPrincipal,
  { filter, page: { order, limit, offset }, place }: Reading,
): Promise<FoundPage> {
  const { merchantId, mode } = context.principal;
  const direction = sql.raw(order);
  // Searches the partitions of all days, because an event that is committed late may have an id of the day before.
  const rows = await rowsOutsideTransaction<{ finalBefore: string; id: string | null }>(context)`
    select final_before::text as "finalBefore", found.id
    from (${finalBefore}) as final left join lateral (
      select id, feed_position from event
      where merchant_id = ${merchantId} and mode = ${mode} and feed_position < final_before
        and (feed_position, id) > (${String(place.position)}::bigint, ${place.id}::uuid) ${conditionsOf(filter)}
      order by feed_position ${direction}, id ${direction} ${atMost(limit, offset)}
    ) as found on true
    order by feed_position ${direction}, id ${direction}`;
  const ids = rows.flatMap(({ id }) => (id === null ? [] : [id]));
  return { ids, finalBefore: BigInt(rows[0]?.finalBefore ?? 0) };
}

function conditionsOf({ event, reference, subjects, ...time }: EventFilter): RawBuilder<unknown> {
  // Postgres refuses some times that the contract allows, for example with an offset of 17 hours.
  const { from, to } = timeOf(time);
  const conditions = [
    ...(event ? [sql`and name = any(${[...event]}::text[])`] : []),
    ...(reference ? [sql`and reference = ${reference}`] : []),
    ...(subjects ? [sql`and reference = any(${[...subjects]}::text[])`] : []),
    ...(from ? [sql`and created_at >= ${from}::timestamptz and id >= ${idsOf(from, undefined).firstId}`] : []),
    ...(to ? [sql`and created_at < ${to}::timestamptz and id < ${idsOf(undefined, to).lastId}`] : []),
  ];
  return sql`${sql.join(conditions, sql` `)}`;
}

/** Searches only ids of the last day, because the query runs often. The reader's next call finds older events. */
export function findNewEvents(context: CoreContext, watched: readonly Watched[]): Promise<FoundEvent[]> {
  const watching = watched.map(({ since, ...owner }) => ({ ...owner, since: String(since) }));
  const from = firstIdAt(new Date(context.clock.now().getTime() - dayMs));
  return rowsOutsideTransaction<FoundEvent>(context)`
    select watching."merchantId", watching.mode, found.feed_position::text as position,
      found.feed_position < final_before as "isFinal"
    from (${finalBefore}) as final
    cross join json_to_recordset(${JSON.stringify(watching)}::json) as watching ("merchantId" uuid, mode text, since bigint)
    cross join lateral (
      select feed_position from event
      where merchant_id = watching."merchantId" and event.mode = watching.mode and feed_position >= since and id >= ${from}
      order by feed_position, id limit 1
    ) as found`;
}
