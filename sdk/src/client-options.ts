import { type Hooks, type Logger, observers } from './hooks.ts';
import type { Route } from './route.ts';

/** How a client reaches its server; options of a single call replace them. */
export interface ConnectionOptions {
  /** How long one attempt may take, its answer's body included. 30,000 when omitted. */
  timeoutMs?: number;
  /** How long a call may take with all its attempts and the waiting between them. 120,000 when omitted. */
  totalTimeoutMs?: number;
  /** How often a call that is safe to repeat is tried again. 2 when omitted; 0 turns it off. */
  maxRetries?: number;
  /** Another `fetch`, for a proxy or a test. It must obey `signal` and `redirect: 'manual'`. */
  fetch?: typeof fetch;
  /** Told of every attempt, for traces and metrics. */
  hooks?: Hooks;
  /** Told of every answer (`debug`) and of every failure (`warn`), without secrets; `console` for example. */
  logger?: Logger;
}

/** How a `Tillhook` client reaches its server. */
export interface TillhookOptions extends ConnectionOptions {
  /** Where the server is, for example `https://pay.example.com`. A path in it is kept. */
  baseUrl: string;
}

export interface ClientSettings {
  baseUrl: string;
  /** None in a browser, which has its own. */
  userAgent?: string;
  timeoutMs: number;
  totalTimeoutMs: number;
  maxRetries: number;
  fetch: typeof fetch;
  observers: Hooks;
  /** The headers that say who is calling. */
  authorize: (route: Route) => Record<string, string>;
  credentials: 'include' | 'omit';
}

const maxTimeoutMs = 2 ** 31 - 1;

/** Checks what a constructor was given, so that a mistake shows at start and not in the first request. */
export function readConnection(
  options: ConnectionOptions,
): Omit<ClientSettings, 'baseUrl' | 'userAgent' | 'authorize' | 'credentials'> {
  const { timeoutMs = 30_000, totalTimeoutMs = 120_000, maxRetries = 2, fetch = globalThis.fetch } = options;
  checkLimits({ timeoutMs, totalTimeoutMs, maxRetries });
  if (typeof fetch !== 'function') throw new TypeError('fetch must be a function.');
  const told = observers(options.hooks, options.logger);
  return { timeoutMs, totalTimeoutMs, maxRetries, fetch, observers: told };
}

/** Throws what is wrong with the limits of a client or of one call. */
export function checkLimits({ timeoutMs, totalTimeoutMs, maxRetries }: Limits): void {
  checkTimeout('timeoutMs', timeoutMs);
  checkTimeout('totalTimeoutMs', totalTimeoutMs);
  if (maxRetries !== undefined && (!Number.isSafeInteger(maxRetries) || maxRetries < 0)) {
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

// Choice: there is no default address, because every Tillhook server is someone's own.
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

/** Without the slash at the end, because every path begins with one. */
export function addressOf(url: URL): string {
  return url.href.replace(/\/+$/, '');
}
