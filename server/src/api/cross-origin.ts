// See docs/decisions/auth.md, "Pages of other origins call without cookies".
import { answerHeaderNames, type Model } from '@tillhook/openapi';
import cors from 'cors';
import type { RequestHandler } from 'express';

/** A browser remembers only for a short time that an origin is allowed, so that a changed setting soon takes effect. */
const rememberSeconds = 600;

export function crossOriginCalls(model: Model, origins: readonly string[]): RequestHandler {
  if (origins.length === 0) return (_request, _response, next) => next();
  const methods = new Set(model.operations.map(({ method }) => method.toUpperCase()));
  const allow = cors({
    origin: origins.includes('*') ? '*' : [...origins],
    credentials: false,
    methods: ['HEAD', ...methods],
    exposedHeaders: answerHeaderNames(model),
    maxAge: rememberSeconds,
  });
  // An OPTIONS request that is no preflight request gets 405, as on a server without allowed origins.
  return (request, response, next) => {
    const isPreflight = request.headers['access-control-request-method'] !== undefined;
    return request.method === 'OPTIONS' && !isPreflight ? next() : allow(request, response, next);
  };
}
