/**
 * Follows a list that can wait for its next record, such as the events.
 * See docs/decisions/sdk.md, "Following events ends only when the caller decides".
 */
import type { TillhookError } from './errors.ts';
import type { CallOptions, FeedId, Item, Query } from './operations.ts';
import { recordsIn } from './pages.ts';
import { isAbortedWithin } from './pause.ts';

/** What to follow, and where to begin. */
export type FollowQuery<Id extends FeedId> = Omit<
  Query<Id>,
  'after' | 'from' | 'limit' | 'offset' | 'order' | 'to' | 'wait'
> & {
  /** The `id` of the last record that you have. The feed begins with the one that follows it. */
  after?: string | null | undefined;
  /**
   * Where to begin while there is no `after`: with the oldest record that the service has, or at a time in the form of
   * ISO 8601. Without both, the feed begins when it is first read.
   */
  from?: 'oldest' | (string & {}) | undefined;
  /** For how many seconds the service holds a request while nothing happens, 0 to 25; 25 when omitted. */
  wait?: number | undefined;
  /** The largest number of records in an answer, 1 to 100; 100 when omitted. */
  limit?: number | undefined;
};

/** The options of a feed. It has no limits of its retries and of its time. */
export interface FollowOptions extends Pick<CallOptions, 'headers'> {
  /** Ends the feed quietly: the loop ends as with `break`, also while it waits. */
  signal?: AbortSignal | undefined;
  /** The time limit of one attempt in milliseconds, to which `wait` is added. */
  timeoutMs?: number | undefined;
}

/** What `feedOver` needs from the method of the list. */
type List = (query: object, options: object) => PromiseLike<object>;

interface Following {
  list: List;
  items: string;
  query: FollowQuery<FeedId>;
  options: FollowOptions;
}

/** One record, as far as the feed reads it. */
interface FeedRecord {
  id: string;
  /** Unknown for the `after` of the caller. */
  createdAt?: string;
}

/** Makes the method that follows a list. */
export function feedOver<Id extends FeedId>(
  list: List,
  items: string,
): (query?: FollowQuery<Id>, options?: FollowOptions) => Feed<Id> {
  return (query, options) => new Feed<Id>({ list, items, query: { ...query }, options: { ...options } });
}

/** Records as they happen, for `for await`. Each iteration begins where the query of the feed says. */
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
   * The records in arrays of 1 to `limit`, as the service answers them. Save the effects of an array and the `id` of its
   * last record in one transaction.
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
    // The answers are records of this list. At run time only `id` and `createdAt` are read.
    const pages = pagesFrom(this.#following, stop.signal) as AsyncGenerator<unknown> as AsyncGenerator<Item<Id>[]>;
    return stoppable(read(pages), { stop, signal });
  }
}

const withoutEnd = { maxRetries: Infinity, totalTimeoutMs: Infinity };

async function* pagesFrom(following: Following, signal: AbortSignal): AsyncGenerator<FeedRecord[], void, undefined> {
  const { list, items, query, options } = following;
  const { after, from, wait = 25, limit = 100, ...filters } = query;
  const ask = async (asked: object): Promise<FeedRecord[]> =>
    recordsIn(await list(asked, { ...options, signal, ...withoutEnd }), { items }) as FeedRecord[];

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
      // The caller may change the page that it gets.
      if (page.length > 0) last = { ...page.at(-1) } as FeedRecord;
      if (page.length > 0) yield page;
      // A service that stops answers at once. Without a pause, it would be asked again and again.
      else if (performance.now() - askedAt < 1_000) await isAbortedWithin(1_000 * Math.random(), signal);
    } catch (error) {
      beginning = timeAfterPurge(error, { last, answeredAt });
      last = undefined;
    }
  }
}

const dayMs = 86_400_000;

/**
 * When nothing happens for as long as the service keeps records, it removes the last one that the feed has. The feed has
 * missed nothing if it had an answer until now. It continues a day after that record, where it has seen everything for
 * weeks. Throws every other error: only the caller knows what to do if records may be missing.
 */
function timeAfterPurge(error: unknown, { last, answeredAt }: { last?: FeedRecord | undefined; answeredAt: number }) {
  const createdAt = Date.parse(last?.createdAt ?? '');
  const now = Date.now();
  const hasMissedNothing = now - createdAt > 7 * dayMs && now - answeredAt < dayMs;
  if ((error as Partial<TillhookError>).param === 'after' && hasMissedNothing)
    return new Date(createdAt + dayMs).toISOString();
  throw error;
}

/**
 * Ends the steps at the signal and by `return`, also while they wait: a generator alone would return only after its next
 * record.
 */
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
