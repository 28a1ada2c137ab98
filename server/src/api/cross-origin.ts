/**
 * CORS: whether pages of other origins may call the API. None may, unless `CORS_ORIGINS` allows their origin.
 * See docs/decisions/auth.md, "Pages of other origins call without cookies".
 */
import { answerHeaderNames, type Model } from '@tillhook/openapi';
import cors from 'cors';
import type { RequestHandler } from 'express';

/** How long a browser may remember that an origin is allowed. Short enough for a change of the setting to take effect. */
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
  // An OPTIONS request that asks no permission is answered 405, as by a server without this setting.
  return (request, response, next) => {
    const isPreflight = request.headers['access-control-request-method'] !== undefined;
    return request.method === 'OPTIONS' && !isPreflight ? next() : allow(request, response, next);
  };
}
