import { type Hooks, type Logger, observers } from './hooks.ts';
import { defaultMaxRetries } from './retry-policy.ts';
import type { Route } from './route.ts';

/** How a client connects to its server. Options of a single call replace these. */
export interface ConnectionOptions {
  /**
   * The time limit of one attempt in milliseconds, including the body of the answer. The `wait` of a list is added to
   * it. 30,000 when omitted.
   */
  timeoutMs?: number;
  /**
   * The time limit of a call in milliseconds, with all attempts and the waiting between them; `Infinity` for none.
   * 90,000 when omitted.
   */
  totalTimeoutMs?: number;
  /**
   * The maximum number of retries, for calls that are safe to repeat; 0 for none. 9 when omitted: they outlive a server
   * restart of five seconds, and take 14 seconds on average, at most 27.5.
   */
  maxRetries?: number;
  /** A custom `fetch`, for example for a proxy or a test. It must support `signal` and `redirect: 'manual'`. */
  fetch?: typeof fetch;
  /** Functions that the client calls for every attempt, for traces and metrics. */
  hooks?: Hooks;
  /**
   * A logger that gets a line for every answer (`debug`) and every failure (`warn`), without secrets. For example
   * `console`.
   */
  logger?: Logger;
}

/** How a `Tillhook` client connects to its server. */
export interface TillhookOptions extends ConnectionOptions {
  /**
   * The address of the server, for example `https://pay.example.com`. It may have a path, and `/api/v1` at its end. If
   * the path of the server itself ends in `/api/v1`, write that twice.
   */
  baseUrl: string;
}

export interface ClientSettings {
  baseUrl: string;
  /** Omitted in a browser, which sends its own user agent. */
  userAgent?: string;
  timeoutMs: number;
  totalTimeoutMs: number;
  maxRetries: number;
  fetch: typeof fetch;
  observers: Hooks;
  /** Returns the headers that identify the caller. */
  authorize: (route: Route) => Record<string, string>;
  credentials: 'include' | 'omit';
}

/** JavaScript timers longer than this fire at once. */
export const maxTimeoutMs: number = 2 ** 31 - 1;

/** Checks the options of a constructor, so that a mistake throws at the start and not at the first request. */
export function readConnection(
  options: ConnectionOptions,
): Omit<ClientSettings, 'baseUrl' | 'userAgent' | 'authorize' | 'credentials'> {
  const { timeoutMs = 30_000, totalTimeoutMs = 90_000, fetch = globalThis.fetch } = options;
  const { maxRetries = defaultMaxRetries } = options;
  checkLimits({ timeoutMs, totalTimeoutMs, maxRetries });
  if (typeof fetch !== 'function') throw new TypeError('fetch must be a function.');
  return { timeoutMs, totalTimeoutMs, maxRetries, fetch, observers: observers(options.hooks, options.logger) };
}

/** Throws a `TypeError` if a limit of a client or of a call is invalid. */
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

// Choice: there is no default address, because there is no central server: each Tillhook server has its own address.
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

/**
 * Returns the base address without `/api/v1` and without a final slash, because every path of an operation begins with
 * `/api/v1`.
 * Choice: `/api/v1` is accepted, because `npm start` prints it as the address of the API.
 */
export function addressOf({ origin, pathname }: URL): string {
  return (
    origin +
    pathname
      .replace(/\/+$/, '')
      .replace(/\/api\/v1$/, '')
      .replace(/\/+$/, '')
  );
}
