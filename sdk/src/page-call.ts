import { bodyOf, Call, type SendCall } from './call.ts';
import type { AnyResult, CsvListId, Item, ListId, Output } from './operations.ts';
import { type ListedAs, pagesOf, type QueryOfList, recordsIn } from './pages.ts';

export interface ListCall {
  query: QueryOfList;
  listedAs: ListedAs;
  send: (query: QueryOfList, wanted?: Parameters<SendCall>[0]) => Promise<AnyResult>;
  sendForCsv: () => Promise<AnyResult>;
}

/**
 * A call of a list. `await` returns one page. `for await` returns every record, and fetches page after page. No record
 * is missed or returned twice, even if the list grows in the meantime: records that are created later come before the
 * first page and are left out, or come at the end with `order: 'asc'`. Iterate over the call itself, and do not await
 * the call first, because the iteration would fetch the first page again.
 *
 * @example
 * for await (const payment of tillhook.payments.list({ status: 'failed' })) console.log(payment.reference);
 */
export class PageCall<Id extends ListId> extends Call<Id> implements AsyncIterable<Item<Id>> {
  readonly #list: ListCall;

  constructor(list: ListCall) {
    super((wanted) => list.send(list.query, wanted));
    this.#list = list;
  }

  [Symbol.asyncIterator](): AsyncGenerator<Item<Id>, void, undefined> {
    return this.#eachOf(this.pages());
  }

  /**
   * Every page from the first page, or from `offset` or `after`. A page has `limit` records; 100 when omitted.
   *
   * @example
   * for await (const { payments, total } of tillhook.payments.list().pages()) console.log(payments.length, 'of',
   * total);
   */
  pages(): AsyncGenerator<Output<Id>, void, undefined> {
    this.takeOver();
    const { listedAs, query, send } = this.#list;
    // Each response is a page of the list that this operation returns. At run time, only its array of records is checked.
    return pagesOf(listedAs, { query, ask: async (pageQuery) => bodyOf(await send(pageQuery)) }) as AsyncGenerator<
      Output<Id>,
      void,
      undefined
    >;
  }

  /**
   * An array of at most `max` records. `max` is required, because a list may be too long for memory.
   *
   * @example
   * const latest = await tillhook.transfers.list().toArray({ max: 500 });
   */
  async toArray(options: { max: number }): Promise<Item<Id>[]> {
    this.takeOver();
    const max = options?.max;
    if (!Number.isSafeInteger(max) || max < 1) {
      throw new TypeError('toArray needs max, a whole number of 1 or more, as in toArray({ max: 1000 }).');
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

/** A call of a list that is also available as a CSV file. */
export class CsvPageCall<Id extends CsvListId> extends PageCall<Id> {
  readonly #list: ListCall;

  constructor(list: ListCall) {
    super(list);
    this.#list = list;
  }

  /**
   * All records that match, as a CSV file with a header row, whichever page and order the query asks for. The bytes are
   * a stream, so the file may be larger than memory. Time limits apply until the file begins; after that, cancel the
   * stream to end the call. If the connection breaks, the stream fails. The service allows 10 files a minute.
   *
   * @example
   * const file = await tillhook.payments.list({ status: 'completed' }).csv();
   * await writeFile('payments.csv', file);
   */
  async csv(): Promise<ReadableStream<Uint8Array>> {
    this.takeOver();
    // `attempt.ts` has already checked that the response is a CSV file.
    return bodyOf(await this.#list.sendForCsv()) as ReadableStream<Uint8Array>;
  }
}
