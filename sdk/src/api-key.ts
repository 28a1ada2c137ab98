import type { Route } from './route.ts';

/** Error messages must not contain the key. */
export function checkApiKey(apiKey: unknown, url: URL): asserts apiKey is string {
  refuseBrowsers();
  // Choice: the prefix of the key is not checked, so that this SDK also accepts new kinds of keys.
  if (typeof apiKey !== 'string' || !/^[\x21-\x7e]+$/.test(apiKey)) {
    throw new TypeError(
      'The API key is empty or has characters that no key has, such as a space, a line break or the … of an example.',
    );
  }
  if (apiKey.startsWith('sk_live_') && url.protocol === 'http:' && !isLoopback(url.hostname)) {
    throw new TypeError('A live API key may be sent over https:// only, and baseUrl starts with http://.');
  }
}

export function authorizeWith(apiKey: string): (route: Route) => Record<string, string> {
  const bearer = { authorization: `Bearer ${apiKey}` };
  const headers: Record<Route['credential'], Record<string, string>> = {
    bearer,
    'x-api-key': { 'x-api-key': apiKey },
    // A client with an API key has no methods for operations that accept only a session.
    session: {},
  };
  return ({ credential }) => headers[credential];
}

/** Returns the beginning of an API key and its last characters, which identify the key and are not secret. */
export function redacted(apiKey: string): string {
  return `${/^sk_(test|live)_/.exec(apiKey)?.[0] ?? ''}…${apiKey.length > 20 ? apiKey.slice(-4) : ''}`;
}

// Choice: a web worker is not detected as a browser, because it resembles an edge server, which may use an API key.
function refuseBrowsers(): void {
  const { window } = globalThis as { window?: { document?: unknown } };
  if (window?.document === undefined) return;
  throw new TypeError(
    'An API key is a secret and must not be used in a browser. Call Tillhook from your server, or use @tillhook/sdk/session.',
  );
}

// Choice: a live key may be sent to localhost without TLS, because it does not cross a network.
function isLoopback(hostname: string): boolean {
  return /^(localhost|.+\.localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(hostname);
}
