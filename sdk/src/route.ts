export type Method = 'get' | 'put' | 'post' | 'patch' | 'delete';

/** Where an operation lives and what it takes, as the contract says. */
export interface Route {
  method: Method;
  path: string;
  /** The header that carries the API key, or a session where no key is taken. */
  credential: 'bearer' | 'x-api-key' | 'session';
  /** What a method takes after the parameters of the path, besides options. */
  input?: 'query' | 'body';
  /** It takes an `Idempotency-Key`. */
  isKeyed?: true;
  /** Further headers, by the names of their options. */
  headers?: Readonly<Record<string, string>>;
  /** The property that holds a list's records. */
  items?: string;
  /** The list can be cut by time, with `from` and `to`. */
  isTimed?: true;
}
