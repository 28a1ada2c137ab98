import { bodyOf, Call, type SendCall } from './call.ts';
import type { AnyResult, CsvListId, Item, ListId, Output } from './operations.ts';
import { type ListedAs, pagesOf, type QueryOfList, recordsIn } from './pages.ts';

/** The call of a list: its query, and a function that sends it with another query. */
export interface ListCall {
  query: QueryOfList;
  listedAs: ListedAs;
  send: (query: QueryOfList, wanted?: Parameters<SendCall>[0]) => Promise<AnyResult>;
  /** True to get the list as a CSV file. */
  sendForCsv: () => Promise<AnyResult>;
}

/**
 * A call of a list. `await` gives one page. `for await` gives every record, and fetches page after page. No record is
 * missed or comes twice, although the list grows in the meantime: records that are created later stand before the first
 * page and are left out, or with `order: 'asc'` follow at the end. Iterate the call itself and do not await it before, because iterating then fetches the first page again.
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
   * Every page, from the first one, or from `offset` or `after` on. A page has `limit` records; 100 when omitted.
   *
   * @example
   * for await (const { payments, total } of tillhook.payments.list().pages()) console.log(payments.length, 'of',
   * total);
   */
  pages(): AsyncGenerator<Output<Id>, void, undefined> {
    this.takeOver();
    const { listedAs, query, send } = this.#list;
    // The answers are pages of this operation. At run time only the list of records in them is checked.
    return pagesOf(listedAs, { query, ask: async (asked) => bodyOf(await send(asked)) }) as AsyncGenerator<
      Output<Id>,
      void,
      undefined
    >;
  }

  /**
   * The records in an array, at most `max`. `max` is required, because a list may be too long for memory.
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
   * All records that match, as a CSV file with a line of headings, whichever page and order the query asks for. The
   * bytes are a stream, so that a file may be larger than memory. Time limits apply until the file begins; to end it
   * later, cancel the stream. A file that breaks off makes the stream fail. The service gives 10 files a minute.
   *
   * @example
   * const file = await tillhook.payments.list({ status: 'completed' }).csv();
   * await writeFile('payments.csv', file);
   */
  async csv(): Promise<ReadableStream<Uint8Array>> {
    this.takeOver();
    // `attempt.ts` has checked that the answer is a CSV file.
    return bodyOf(await this.#list.sendForCsv()) as ReadableStream<Uint8Array>;
  }
}
