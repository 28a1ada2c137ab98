/** How a `Tillhook` client reaches its server. */
export interface TillhookOptions {
  /** Where the server is, for example `https://pay.example.com`. A path in it is kept. */
  baseUrl: string;
  /** How long one attempt may take, its answer's body included. 30,000 when omitted. */
  timeoutMs?: number;
  /** How often a request that is safe to repeat is tried again. 2 when omitted; 0 turns it off. */
  maxRetries?: number;
  /** Another `fetch`, for a proxy or a test. It must obey `signal` and `redirect: 'manual'`. */
  fetch?: typeof fetch;
}

export interface ClientSettings extends Required<TillhookOptions> {
  apiKey: string;
}

const maxTimeoutMs = 2 ** 31 - 1;

/**
 * Checks what the constructor was given, so that a mistake shows at start and not in the first
 * request. None of the messages may quote the key.
 */
export function readOptions(apiKey: string, options: TillhookOptions): ClientSettings {
  refuseBrowsers();
  // Choice: the prefix is not checked, so that a new kind of key needs no new SDK.
  if (typeof apiKey !== 'string' || !/^[\x21-\x7e]+$/.test(apiKey)) {
    throw new TypeError('The API key is empty or holds a space or line break; a key has neither.');
  }
  const { timeoutMs = 30_000, maxRetries = 2, fetch = globalThis.fetch } = options ?? {};
  if (!(timeoutMs > 0 && timeoutMs <= maxTimeoutMs)) {
    throw new TypeError(`timeoutMs must be above 0 and at most ${maxTimeoutMs}.`);
  }
  if (!Number.isSafeInteger(maxRetries) || maxRetries < 0) {
    throw new TypeError('maxRetries must be a whole number, 0 or more.');
  }
  if (typeof fetch !== 'function') throw new TypeError('fetch must be a function.');
  return { apiKey, baseUrl: readBaseUrl(options?.baseUrl, apiKey), timeoutMs, maxRetries, fetch };
}

// Choice: a page's window and document, together, are a browser. Workers are not told apart from
// edge servers, where a key is at home.
function refuseBrowsers(): void {
  const { window } = globalThis as { window?: { document?: unknown } };
  if (window?.document === undefined) return;
  throw new TypeError('An API key is a secret and has no place in a browser; call Tillhook from your server.');
}

// Choice: there is no default address, because every Tillhook server is someone's own.
function readBaseUrl(baseUrl: unknown, apiKey: string): string {
  const url = typeof baseUrl === 'string' && URL.canParse(baseUrl) ? new URL(baseUrl) : null;
  if (url === null || !['http:', 'https:'].includes(url.protocol)) {
    throw new TypeError('baseUrl must be an address that starts with http:// or https://.');
  }
  if (url.username || url.password || url.search || url.hash) {
    throw new TypeError('baseUrl must have no user name, password, query or fragment.');
  }
  if (apiKey.startsWith('sk_live_') && url.protocol === 'http:' && !isLoopback(url.hostname)) {
    throw new TypeError('A live API key is sent over https:// only; baseUrl starts with http://.');
  }
  return url.href.replace(/\/+$/, '');
}

// Choice: a live key may go to this machine in plain http, because it crosses no network.
function isLoopback(hostname: string): boolean {
  return /^(localhost|.+\.localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(hostname);
}
