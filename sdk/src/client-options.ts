import { type Hooks, type Logger, observers } from './hooks.ts';
import { defaultMaxRetries } from './retry-policy.ts';
import type { Route } from './route.ts';

/** Options for the connection of a client to its server. The options of a single call override them. */
export interface ConnectionOptions {
  /**
   * The time limit of one attempt in milliseconds, including the response body. The `wait` of a list is added to the
   * limit. 30,000 when omitted.
   */
  timeoutMs?: number;
  /**
   * The time limit of a call in milliseconds, including all attempts and the delays between them; `Infinity` for no
   * limit. 90,000 when omitted.
   */
  totalTimeoutMs?: number;
  /**
   * The maximum number of retries of a call that is safe to repeat; 0 for no retries. When omitted, the maximum is 9.
   * Nine retries outlast a server restart of five seconds. They take 14 seconds on average, and at most 27.5 seconds.
   */
  maxRetries?: number;
  /**
   * A custom `fetch`, for example for a proxy or a test. The function must support `signal` and `redirect: 'manual'`.
   */
  fetch?: typeof fetch;
  /** Functions that the client calls for every attempt, for example for traces and metrics. */
  hooks?: Hooks;
  /**
   * A logger, for example `console`. It gets a line for every response (`debug`) and every failure (`warn`), without
   * secrets.
   */
  logger?: Logger;
}

/** Options for the connection of a `Tillhook` client to its server. */
export interface TillhookOptions extends ConnectionOptions {
  /**
   * The URL of the server, for example `https://pay.example.com`. The URL may have a path, and `/api/v1` at its end. If
   * the path of the server itself ends in `/api/v1`, write `/api/v1` twice.
   */
  baseUrl: string;
}

export interface ClientSettings {
  baseUrl: string;
  /** The user agent; omitted in a browser, which sends its own user agent. */
  userAgent?: string;
  timeoutMs: number;
  totalTimeoutMs: number;
  maxRetries: number;
  fetch: typeof fetch;
  observers: Hooks;
  authorize: (route: Route) => Record<string, string>;
  credentials: 'include' | 'omit';
}

/** The maximum delay of a JavaScript timer. A timer with a longer delay fires immediately. */
export const maxTimeoutMs: number = 2 ** 31 - 1;

/** A mistake in the options throws when the client is created and not at the first request. */
export function readConnection(
  options: ConnectionOptions,
): Omit<ClientSettings, 'baseUrl' | 'userAgent' | 'authorize' | 'credentials'> {
  const { timeoutMs = 30_000, totalTimeoutMs = 90_000, fetch = globalThis.fetch } = options;
  const { maxRetries = defaultMaxRetries } = options;
  checkLimits({ timeoutMs, totalTimeoutMs, maxRetries });
  if (typeof fetch !== 'function') throw new TypeError('fetch must be a function.');
  return { timeoutMs, totalTimeoutMs, maxRetries, fetch, observers: observers(options.hooks, options.logger) };
}

export function checkLimits({ timeoutMs, totalTimeoutMs, maxRetries }: Limits): void {
  checkTimeout('timeoutMs', timeoutMs);
  if (totalTimeoutMs !== Infinity) checkTimeout('totalTimeoutMs', totalTimeoutMs);
  if (maxRetries !== undefined && (maxRetries !== Math.floor(maxRetries) || maxRetries < 0)) {
    throw new TypeError('maxRetries must be a whole number, 0 or more.');
  }
}

interface Limits {
  timeoutMs?: number | undefined;
  totalTimeoutMs?: number | undefined;
  maxRetries?: number | undefined;
}

function checkTimeout(name: string, value: number | undefined): void {
  if (value === undefined || (value > 0 && value <= maxTimeoutMs)) return;
  throw new TypeError(`${name} must be above 0 and at most ${maxTimeoutMs}.`);
}

// Choice: there is no default URL, because there is no central server: each Tillhook server has its own URL.
export function readBaseUrl(baseUrl: unknown): URL {
  const url = typeof baseUrl === 'string' && URL.canParse(baseUrl) ? new URL(baseUrl) : null;
  if (url === null || !['http:', 'https:'].includes(url.protocol)) {
    throw new TypeError('baseUrl must be an address that starts with http:// or https://.');
  }
  if (url.username || url.password || url.search || url.hash) {
    throw new TypeError('baseUrl must have no user name, password, query or fragment.');
  }
  return url;
}

/** Choice: a URL with `/api/v1` is accepted, because `npm start` prints the API's URL in this form. */
export function addressOf({ origin, pathname }: URL): string {
  return (
    origin +
    pathname
      .replace(/\/+$/, '')
      .replace(/\/api\/v1$/, '')
      .replace(/\/+$/, '')
  );
}
