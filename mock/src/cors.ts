/**
 * Allows calls from pages of every origin, also with a session cookie. `TillhookSession` sends cookies, and for such
 * calls browsers accept no wildcard. The mock has no valuable data, so this is safe here. The service itself does not
 * do this.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Model } from '@tillhook/openapi';

/** Sets the CORS headers of an answer. */
export type SetCorsHeaders = (request: IncomingMessage, response: ServerResponse) => void;

export function createCors(model: Model): SetCorsHeaders {
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

/** The names of all headers that the contract describes. */
function headerNamesOf({ operations }: Model): string[] {
  const names = operations.flatMap(({ answers }) =>
    [...answers.values()].flatMap(({ headers }) => [...headers.keys()]),
  );
  // Browsers never show `Set-Cookie` to a page.
  return [...new Set(names)].filter((name) => name !== 'Set-Cookie').sort();
}
