import type { Request, RequestHandler } from 'express';
import type { Context, Origin, Principal } from '../context.ts';
import { newRequestId } from '../kit/ids.ts';
import { requestEnded } from '../kit/logger.ts';
import { calledOperationId, calledRoute } from './called-operation.ts';

declare module 'express-serve-static-core' {
  interface Request {
    id: string;
    /** The context of this request. Its `em` is used by no other request. */
    context: Context;
    /** The names of the query parameters, as they were sent. Empty until the contract's steps begin. */
    queryNames: string[];
    /** The caller. Set when the credential was accepted. */
    principal?: Principal;
  }
}

/** Gives each request its id, entity manager and logger, and logs, times and traces its end. */
export function requestScope(root: Context): RequestHandler {
  return (request, response, next) => {
    const startedAt = performance.now();
    // Read now, because a router shortens the path, and the request may end inside a router.
    const { method, path } = request;
    request.id = newRequestId();
    request.queryNames = [];
    const span = isCall(path) ? root.tracer.beginCall(request.get('traceparent')) : undefined;
    const log = root.log.child(span ? { requestId: request.id, traceId: span.traceId } : { requestId: request.id });
    const gone = new AbortController();
    request.context = { ...root, em: root.em.fork(), log, origin: originOf(request), signal: gone.signal, span };
    response.setHeader('X-Request-Id', request.id);
    response.once('close', () => {
      const lastedMs = performance.now() - startedAt;
      const durationMs = Math.round(lastedMs);
      const isAborted = !response.writableFinished;
      if (isAborted) gone.abort();
      const { statusCode: status } = response;
      const entry = { method, path: withoutCodes(path).slice(0, maxPathLength), status, durationMs, isAborted };
      log[isAnsweredProbe(path, status) ? 'debug' : 'info'](entry, requestEnded);
      const labels = { operation: operationOf(request), status: isAborted ? 'aborted' : String(status) };
      root.metrics.requests.observe(labels, lastedMs / 1000);
      span?.end({
        operationId: calledOperationId(request),
        route: calledRoute(request),
        method,
        status,
        isAborted,
        requestId: request.id,
        caller: request.principal,
      });
    });
    next();
  };
}

/** The header `User-Agent` may have any length. */
const maxBrowserLength = 300;

function originOf(request: Request): Origin {
  return { address: request.ip ?? null, browser: request.get('user-agent')?.slice(0, maxBrowserLength) ?? null };
}

/**
 * The operationId. The validator sets it before `security.ts` authenticates the caller. Requests outside the API are `other`.
 */
function operationOf(request: Request): string {
  return calledOperationId(request) ?? 'other';
}

/** No path of this server is longer. */
const maxPathLength = 512;

/** Whether the request is for the API. Pages, their files, and probes are not traced. */
const isCall = (path: string) => path.startsWith('/api/');

/** Proxies and Prometheus ask every few seconds, which would be most lines of a quiet service. */
const isAnsweredProbe = (path: string, status: number) => status < 400 && /^\/(healthz|readyz|metrics)$/.test(path);

/**
 * An access code opens a hosted checkout, and is a UUID in a path outside the API. So none of these UUIDs is logged.
 */
function withoutCodes(path: string): string {
  return isCall(path) ? path : path.replaceAll(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/gi, '…');
}
