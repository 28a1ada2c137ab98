/**
 * Follows a list that can wait for its next record, such as the events.
 * See docs/decisions/sdk.md, "Following events ends only when the caller decides".
 */
import type { TillhookError } from './errors.ts';
import type { CallOptions, FeedId, Item, Query } from './operations.ts';
import { recordsIn } from './pages.ts';
import { isAbortedWithin } from './pause.ts';

/** The query of a feed: where it begins, and how it asks for records. */
export type FollowQuery<Id extends FeedId> = Omit<
  Query<Id>,
  'after' | 'from' | 'limit' | 'offset' | 'order' | 'to' | 'wait'
> & {
  /** The `id` of the last record that you have. The feed begins with the record after it. */
  after?: string | null | undefined;
  /**
   * Where to begin while there is no `after`: with the oldest record that the service has, or at a time in ISO 8601.
   * Without both, the feed begins when it is first read.
   */
  from?: 'oldest' | (string & {}) | undefined;
  /** The maximum time in seconds that the service holds a request while nothing happens, 0 to 25; 25 when omitted. */
  wait?: number | undefined;
  /** The maximum number of records in an answer, 1 to 100; 100 when omitted. */
  limit?: number | undefined;
};

/** The options of a feed. The number of its retries and its total time have no limit. */
export interface FollowOptions extends Pick<CallOptions, 'headers'> {
  /** Ends the feed quietly, also while it waits: the loop ends as with `break`. */
  signal?: AbortSignal | undefined;
  /** The time limit of one attempt in milliseconds. `wait` is added to it. */
  timeoutMs?: number | undefined;
}

/** The parts of a list method that `feedOver` needs. */
type List = (query: object, options: object) => PromiseLike<object>;

interface Following {
  list: List;
  items: string;
  query: FollowQuery<FeedId>;
  options: FollowOptions;
}

/** A record with the only fields that a feed reads. */
interface FeedRecord {
  id: string;
  /** Undefined for the `after` that the caller gave. */
  createdAt?: string;
}

/** Makes the method that follows a list. */
export function feedOver<Id extends FeedId>(
  list: List,
  items: string,
): (query?: FollowQuery<Id>, options?: FollowOptions) => Feed<Id> {
  return (query, options) => new Feed<Id>({ list, items, query: { ...query }, options: { ...options } });
}

/** Iterates over records as they happen, with `for await`. Each iteration begins where the query of the feed says. */
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
      // A copy, because the caller may change the page.
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
 * Handles the error that the service no longer has the feed's last record, because nothing has happened for as long as
 * it keeps records. The feed has missed nothing if the service answered it until now, so it continues a day after that
 * record. Throws every other error, because only the caller knows what to do if records are missing.
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
 * Lets the signal and `return` end a generator while it waits. On its own, a generator returns only after its next
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
