export type Method = 'get' | 'put' | 'post' | 'patch' | 'delete';

export interface Route {
  method: Method;
  path: string;
  /** The header for the API key; `session` if the operation accepts no API key. */
  credential: 'bearer' | 'x-api-key' | 'session';
  input?: 'query' | 'body';
  isKeyed?: true;
  /** Additional header parameters, keyed by the names of their options. */
  headers?: Readonly<Record<string, string>>;
  /** The property of the response that contains the records of a list. */
  items?: string;
  /** True when the list accepts `after`: the id of a record, after which the list continues. */
  takesAfter?: true;
  /** True when the list can wait for its next record. With `after`, such a list begins with the oldest record. */
  isFeed?: true;
  hasCsv?: true;
}
