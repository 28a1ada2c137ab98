/**
 * Lets the pages of every origin call, with the cookie of a session too: `TillhookSession` asks for that, and browsers then
 * take no wildcard. The mock holds nothing of value, so that nothing is given away; the service itself does not do this.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Model } from '@tillhook/openapi';

/** Puts the headers for browsers on the answer to a request. */
export type LetPagesIn = (request: IncomingMessage, response: ServerResponse) => void;

export function createCors(model: Model): LetPagesIn {
  const exposed = headerNamesOf(model).join(', ');
  return ({ headers }, response) => {
    const { origin, 'access-control-request-headers': asked } = headers;
    response.setHeader('Access-Control-Allow-Origin', origin ?? '*');
    if (origin !== undefined) response.setHeader('Access-Control-Allow-Credentials', 'true');
    response.setHeader('Access-Control-Allow-Methods', 'GET, HEAD, POST, PUT, PATCH, DELETE');
    if (asked !== undefined) response.setHeader('Access-Control-Allow-Headers', asked);
    response.setHeader('Access-Control-Expose-Headers', exposed);
    response.setHeader('Vary', 'Origin, Access-Control-Request-Headers');
  };
}

export function isPreflight({ method, headers }: IncomingMessage): boolean {
  return method === 'OPTIONS' && 'access-control-request-method' in headers;
}

/** Those of every answer that the contract describes. */
function headerNamesOf({ operations }: Model): string[] {
  const names = operations.flatMap(({ answers }) =>
    [...answers.values()].flatMap(({ headers }) => [...headers.keys()]),
  );
  // No browser shows a cookie that is being set to a page, whatever is said here.
  return [...new Set(names)].filter((name) => name !== 'Set-Cookie').sort();
}
