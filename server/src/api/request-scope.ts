import type { Request, RequestHandler } from 'express';
import type { Client, Context, Principal } from '../context.ts';
import { newRequestId, newToken } from '../kit/ids.ts';
import { requestEnded } from '../kit/logger.ts';
import { calledOperationId, calledRoute } from './called-operation.ts';
import { browserTokenOf } from './session-cookie.ts';

declare module 'express-serve-static-core' {
  interface Request {
    id: string;
    context: Context;
    queryNames: string[];
    principal?: Principal;
  }
}

export function requestScope(root: Context): RequestHandler {
  return (request, response, next) => {
    const startedAt = performance.now();
    // The path is read at the start, because a router shortens the path, and the request may end inside a router.
    const { method, path } = request;
    request.id = newRequestId();
    request.queryNames = [];
    const span = isCall(path) ? root.tracer.beginCall(request.get('traceparent')) : undefined;
    const log = root.log.child(span ? { requestId: request.id, traceId: span.traceId } : { requestId: request.id });
    const gone = new AbortController();
    request.context = {
      ...root,
      em: root.em.fork(),
      log,
      client: clientOf(request, root.publicUrl),
      signal: gone.signal,
      span,
    };
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

const maxBrowserLength = 300;

function clientOf(request: Request, publicUrl: string): Client {
  let token: string | undefined;
  return {
    address: request.ip ?? null,
    browser: request.get('user-agent')?.slice(0, maxBrowserLength) ?? null,
    browserToken: () => {
      token ??= browserTokenOf(request, publicUrl) ?? newToken();
      return token;
    },
  };
}

function operationOf(request: Request): string {
  return calledOperationId(request) ?? 'other';
}

const maxPathLength = 512;

const isCall = (path: string) => path.startsWith('/api/');

/** Successful probes are not logged: proxies and Prometheus send them every few seconds. */
const isAnsweredProbe = (path: string, status: number) => status < 400 && /^\/(healthz|readyz|metrics)$/.test(path);

/** Removes access codes from a logged path, because an access code opens a hosted checkout. */
function withoutCodes(path: string): string {
  return isCall(path) ? path : path.replaceAll(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/gi, '…');
}
