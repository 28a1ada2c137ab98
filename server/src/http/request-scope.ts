import type { Request, RequestHandler } from 'express';
import type { Context, Origin, Principal } from '../context.ts';
import { newRequestId } from '../kit/ids.ts';
import { askedOperationId } from './asked-operation.ts';

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

/** Gives each request its id, entity manager and logger, and logs and times its end. */
export function requestScope(root: Context): RequestHandler {
  return (request, response, next) => {
    const startedAt = performance.now();
    request.id = newRequestId();
    const log = root.log.child({ requestId: request.id });
    request.context = { ...root, em: root.em.fork(), log, origin: originOf(request) };
    response.setHeader('X-Request-Id', request.id);
    // Read now: a router that the request is in when it ends shows only the rest of the path.
    const { method, path } = request;
    response.once('close', () => {
      const lastedMs = performance.now() - startedAt;
      const durationMs = Math.round(lastedMs);
      const isAborted = !response.writableFinished;
      const { statusCode: status } = response;
      log.info(
        { method, path: withoutCodes(path).slice(0, longestPath), status, durationMs, isAborted },
        'A request ended',
      );
      const labels = { operation: operationOf(request), status: isAborted ? 'aborted' : String(status) };
      root.metrics.requests.observe(labels, lastedMs / 1000);
    });
    next();
  };
}

/** A browser's own description of itself may be of any length. */
const longestBrowser = 300;

function originOf(request: Request): Origin {
  return { address: request.ip ?? null, browser: request.get('user-agent')?.slice(0, longestBrowser) ?? null };
}

/** By its name in the contract, which the validator notes before it asks who is calling; what it does not know is no operation. */
function operationOf(request: Request): string {
  return askedOperationId(request) ?? 'other';
}

/** Longer than any path that is ours. */
const longestPath = 512;

/** An access code opens a hosted checkout, so no UUID outside the API is logged, however its address was written. */
function withoutCodes(path: string): string {
  return path.startsWith('/api/') ? path : path.replaceAll(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/gi, '…');
}
