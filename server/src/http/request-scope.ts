import type { RequestHandler } from 'express';
import type { Context, Principal } from '../context.ts';
import { newRequestId } from '../kit/ids.ts';

declare module 'express-serve-static-core' {
  interface Request {
    id: string;
    /** What everything that serves this request works with; its `em` is the request's own. */
    context: Context;
    /** Who is calling, once the credential was accepted. */
    principal?: Principal;
    /** Why the credential was refused. The validator keeps only a status, so the reason waits here. */
    refusal?: unknown;
  }
}

/** Gives each request an id, an entity manager and a logger of its own, and logs its end. */
export function requestScope(root: Context): RequestHandler {
  return (request, response, next) => {
    const startedAt = performance.now();
    request.id = newRequestId();
    const log = root.log.child({ requestId: request.id });
    request.context = { ...root, em: root.em.fork(), log };
    response.setHeader('X-Request-Id', request.id);
    // Read now: a router that the request is in when it ends shows only the rest of the path.
    const { method, path } = request;
    response.once('finish', () => {
      const durationMs = Math.round(performance.now() - startedAt);
      log.info({ method, path: loggedPath(path), status: response.statusCode, durationMs }, 'request');
    });
    next();
  };
}

/** The address of a hosted checkout holds its access code, which opens it. */
function loggedPath(path: string): string {
  return path.startsWith('/checkout/') ? '/checkout/…' : path;
}
