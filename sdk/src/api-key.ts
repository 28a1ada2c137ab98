import type { Route } from './route.ts';

/** Checks a key and where it would go. None of the messages may quote it. */
export function checkApiKey(apiKey: unknown, url: URL): asserts apiKey is string {
  refuseBrowsers();
  // Choice: the prefix is not checked, so that a new kind of key needs no new SDK.
  if (typeof apiKey !== 'string' || !/^[\x21-\x7e]+$/.test(apiKey)) {
    throw new TypeError(
      'The API key is empty, or holds what no key holds: a space, a line break, the … of an example.',
    );
  }
  if (apiKey.startsWith('sk_live_') && url.protocol === 'http:' && !isLoopback(url.hostname)) {
    throw new TypeError('A live API key is sent over https:// only; baseUrl starts with http://.');
  }
}

/** Puts the key into the header in which an operation takes it. */
export function authorizeWith(apiKey: string): (route: Route) => Record<string, string> {
  const bearer = { authorization: `Bearer ${apiKey}` };
  const headers: Record<Route['credential'], Record<string, string>> = {
    bearer,
    'x-api-key': { 'x-api-key': apiKey },
    // A client with a key has no such method.
    session: {},
  };
  return ({ credential }) => headers[credential];
}

/** As much of a key as may be shown: enough to tell which it is. */
export function redacted(apiKey: string): string {
  return `${/^sk_(test|live)_/.exec(apiKey)?.[0] ?? ''}…${apiKey.length > 20 ? apiKey.slice(-4) : ''}`;
}

// Choice: a page's window and document, together, are a browser. Workers are not told apart from edge servers, where a key is
// at home.
function refuseBrowsers(): void {
  const { window } = globalThis as { window?: { document?: unknown } };
  if (window?.document === undefined) return;
  throw new TypeError(
    'An API key is a secret and has no place in a browser. Call Tillhook from your server, or use @tillhook/sdk/session.',
  );
}

// Choice: a live key may go to this machine in plain http, because it crosses no network.
function isLoopback(hostname: string): boolean {
  return /^(localhost|.+\.localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(hostname);
}
