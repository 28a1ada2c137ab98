/**
 * Allows calls from pages of every origin, also with a session cookie. `TillhookSession` sends cookies, and for such
 * calls browsers accept no wildcard. What the mock remembers has no value, and it refuses by itself what a page of another
 * site could do harm with: see `foreign-callers.ts`. The service itself allows only the origins in `CORS_ORIGINS`, and
 * never a cookie.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { answerHeaderNames, type Model } from '@tillhook/openapi';

/** How long a browser remembers that an origin is allowed, as for the service. It saves a preflight for each call. */
const rememberSeconds = 600;

/** Sets the CORS headers of an answer. */
export type SetCorsHeaders = (request: IncomingMessage, response: ServerResponse) => void;

export function createCors(model: Model): SetCorsHeaders {
  const exposed = answerHeaderNames(model).join(', ');
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

export function answerPreflight(response: ServerResponse): void {
  response.writeHead(204, { 'Access-Control-Max-Age': String(rememberSeconds) }).end();
}

export function isPreflight({ method, headers }: IncomingMessage): boolean {
  return method === 'OPTIONS' && 'access-control-request-method' in headers;
}
