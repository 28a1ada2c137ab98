export type Method = 'get' | 'put' | 'post' | 'patch' | 'delete';

/** The address and the input of an operation, from the contract. */
export interface Route {
  method: Method;
  path: string;
  /** The header for the API key; `session` if the operation takes no key. */
  credential: 'bearer' | 'x-api-key' | 'session';
  /** The parameter of the method between those of the path and the options. */
  input?: 'query' | 'body';
  /** The operation takes an `Idempotency-Key`. */
  isKeyed?: true;
  /** Further header parameters, by the names of their options. */
  headers?: Readonly<Record<string, string>>;
  /** The property of the answer that has the records of a list. */
  items?: string;
  /** The list can be continued after a record, with `after`. */
  takesAfter?: true;
  /** The list can wait for its next record. With `after` it comes oldest first. */
  isFeed?: true;
  /** The list can also be had as a CSV file. */
  hasCsv?: true;
}
