import { bodyOf, Call } from './call.ts';
import type { AnyResult, Item, ListId, Output } from './operations.ts';
import { type ListedAs, pagesOf, type QueryOfList, recordsIn } from './pages.ts';

/** How a list is asked: the query it was called with, and how it is sent with another. */
export interface ListCall {
  query: QueryOfList;
  listedAs: ListedAs;
  send: (query: QueryOfList) => Promise<AnyResult>;
}

/**
 * A list on its way. Awaited, it is one page; iterated, it is every record, fetched page by page as you go. Records that are
 * made meanwhile neither come twice nor push others out: the list stays what it was when the first page came. Iterate it right
 * where it is made: once awaited, it has been asked, and iterating asks anew.
 *
 * @example
 * for await (const payment of tillhook.payments.list({ status: 'failed' })) console.log(payment.reference);
 */
export class PageCall<Id extends ListId> extends Call<Id> implements AsyncIterable<Item<Id>> {
  readonly #list: ListCall;

  constructor(list: ListCall) {
    super(() => list.send(list.query));
    this.#list = list;
  }

  [Symbol.asyncIterator](): AsyncGenerator<Item<Id>, void, undefined> {
    return this.#eachOf(this.pages());
  }

  /**
   * Every page, from the first or from `offset` on; of 100 records unless `limit` says otherwise.
   *
   * @example
   * for await (const { payments, total } of tillhook.payments.list().pages()) console.log(payments.length, 'of', total);
   */
  pages(): AsyncGenerator<Output<Id>, void, undefined> {
    this.takeOver();
    const { listedAs, query, send } = this.#list;
    // What comes is the page of this operation; its records are checked to be there, and nothing else.
    return pagesOf(listedAs, { query, ask: async (asked) => bodyOf(await send(asked)) }) as AsyncGenerator<
      Output<Id>,
      void,
      undefined
    >;
  }

  /**
   * The records in an array, at most `max`, which is asked for because a list can be longer than memory.
   *
   * @example
   * const latest = await tillhook.transfers.list().toArray({ max: 500 });
   */
  async toArray(options: { max: number }): Promise<Item<Id>[]> {
    this.takeOver();
    const max = options?.max;
    if (!Number.isSafeInteger(max) || max < 1) {
      throw new TypeError('Say how many at most, as in toArray({ max: 1000 }): a whole number, 1 or more.');
    }
    const limit = this.#list.query.limit ?? Math.min(max, 100);
    const records: Item<Id>[] = [];
    for await (const record of new PageCall<Id>({ ...this.#list, query: { ...this.#list.query, limit } })) {
      records.push(record);
      if (records.length === max) break;
    }
    return records;
  }

  async *#eachOf(pages: AsyncIterable<Output<Id>>): AsyncGenerator<Item<Id>, void, undefined> {
    for await (const page of pages) yield* recordsIn(page as object, this.#list.listedAs) as Item<Id>[];
  }
}
