/**
 * Follows a list that can wait for its next record, such as the list of events.
 * See docs/decisions/sdk.md, "Following events ends only when the caller decides".
 */
import type { TillhookError } from './errors.ts';
import type { CallOptions, FeedId, Item, Query } from './operations.ts';
import { recordsIn } from './pages.ts';
import { isAbortedWithin } from './pause.ts';

/** The query of a feed: where the feed begins, and how it asks for records. */
export type FollowQuery<Id extends FeedId> = Omit<
  Query<Id>,
  'after' | 'from' | 'limit' | 'offset' | 'order' | 'to' | 'wait'
> & {
  /** The `id` of the last record that you have. The feed begins with the record after it. */
  after?: string | null | undefined;
  /**
   * Where the feed begins when there is no `after`: `oldest` for the oldest record that the service has, or a time in
   * ISO 8601. Without `after` and `from`, the feed begins at the moment when it is first read.
   */
  from?: 'oldest' | (string & {}) | undefined;
  /**
   * The maximum time in seconds, from 0 to 25, that the service waits for a record before it responds; 25 when omitted.
   */
  wait?: number | undefined;
  /** The maximum number of records in a response, from 1 to 100; 100 when omitted. */
  limit?: number | undefined;
};

/** The options of a feed. A feed has no maximum number of retries and no total time limit. */
export interface FollowOptions extends Pick<CallOptions, 'headers'> {
  /** Ends the feed without an error, even while it waits: the loop ends as with `break`. */
  signal?: AbortSignal | undefined;
  /** The time limit of one attempt in milliseconds. `wait` is added to the limit. */
  timeoutMs?: number | undefined;
}

type List = (query: object, options: object) => PromiseLike<object>;

interface Following {
  list: List;
  items: string;
  query: FollowQuery<FeedId>;
  options: FollowOptions;
}

interface FeedRecord {
  id: string;
  /** Undefined when the caller gave only the id of the record, in `after`. */
  createdAt?: string;
}

export function feedOver<Id extends FeedId>(
  list: List,
  items: string,
): (query?: FollowQuery<Id>, options?: FollowOptions) => Feed<Id> {
  return (query, options) => new Feed<Id>({ list, items, query: { ...query }, options: { ...options } });
}

/** Iterates over records as they appear, with `for await`. Every iteration begins at the `after` or `from` given. */
export class Feed<Id extends FeedId> implements AsyncIterable<Item<Id>> {
  readonly #following: Following;

  constructor(following: Following) {
    this.#following = following;
  }

  [Symbol.asyncIterator](): AsyncIterableIterator<Item<Id>> {
    return this.#iterate(async function* (pages) {
      for await (const page of pages) yield* page;
    });
  }

  /**
   * The records in arrays of 1 to `limit` records, one array for each response. Save the effects of an array and the
   * `id` of its last record in one transaction.
   *
   * @example
   * for await (const events of tillhook.events.follow({ after }).pages()) await saveAll(events, events.at(-1).id);
   */
  pages(): AsyncIterableIterator<Item<Id>[]> {
    return this.#iterate((pages) => pages);
  }

  #iterate<Step>(read: (pages: AsyncGenerator<Item<Id>[]>) => AsyncGenerator<Step>): AsyncIterableIterator<Step> {
    const { signal } = this.#following.options;
    const stop = new AbortController();
    // The items in the responses are records of this list. At run time only `id` and `createdAt` are read.
    const pages = pagesFrom(this.#following, stop.signal) as AsyncGenerator<unknown> as AsyncGenerator<Item<Id>[]>;
    return stoppable(read(pages), { stop, signal });
  }
}

const withoutEnd = { maxRetries: Infinity, totalTimeoutMs: Infinity };

async function* pagesFrom(following: Following, signal: AbortSignal): AsyncGenerator<FeedRecord[], void, undefined> {
  const { list, items, query, options } = following;
  const { after, from, wait = 25, limit = 100, ...filters } = query;
  const ask = async (feedQuery: object): Promise<FeedRecord[]> =>
    recordsIn(await list(feedQuery, { ...options, signal, ...withoutEnd }), { items }) as FeedRecord[];

  let beginning = from === 'oldest' ? undefined : from;
  let last: FeedRecord | undefined = after ? { id: after } : undefined;
  if (!last && !from) [last] = await ask({ order: 'desc', limit: 1, wait: 0 });
  let answeredAt = Date.now();
  for (;;) {
    const askedAt = performance.now();
    const place = last ? { after: last.id } : { order: 'asc', from: beginning };
    try {
      const page = await ask({ ...filters, limit, ...place, wait });
      answeredAt = Date.now();
      // The record is copied, because the caller may change the page.
      if (page.length > 0) last = { ...page.at(-1) } as FeedRecord;
      if (page.length > 0) yield page;
      // A service that is shutting down ignores `wait`: without this pause, the feed would send request after request.
      else if (performance.now() - askedAt < 1_000) await isAbortedWithin(1_000 * Math.random(), signal);
    } catch (error) {
      beginning = timeAfterPurge(error, { last, answeredAt });
      last = undefined;
    }
  }
}

const dayMs = 86_400_000;

/**
 * The service deletes old records, even the last record that a feed has read. If the service has responded until now,
 * the feed has missed no record, and continues a day after the last record.
 */
function timeAfterPurge(error: unknown, { last, answeredAt }: { last?: FeedRecord | undefined; answeredAt: number }) {
  const createdAt = Date.parse(last?.createdAt ?? '');
  const now = Date.now();
  const hasMissedNothing = now - createdAt > 7 * dayMs && now - answeredAt < dayMs;
  if ((error as Partial<TillhookError>).param === 'after' && hasMissedNothing)
    return new Date(createdAt + dayMs).toISOString();
  throw error;
}

/** Makes `return` end the generator immediately: without this wrapper, `return` would wait for the next record. */
function stoppable<Step>(
  steps: AsyncGenerator<Step>,
  { stop, signal }: { stop: AbortController; signal: AbortSignal | undefined },
): AsyncIterableIterator<Step> {
  const abort = () => stop.abort();
  if (signal?.aborted) abort();
  signal?.addEventListener('abort', abort, { signal: stop.signal });
  const end = async (): Promise<IteratorResult<Step>> => {
    abort();
    await steps.return(undefined);
    return { done: true, value: undefined };
  };
  return {
    async next() {
      const step = await steps.next().catch((error: unknown) => {
        if (stop.signal.aborted) return;
        abort();
        throw error;
      });
      return step && !stop.signal.aborted ? step : end();
    },
    return: end,
    [Symbol.asyncIterator]() {
      return this;
    },
  };
}
