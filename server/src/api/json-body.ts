import { isUtf8 } from 'node:buffer';
import type { IncomingMessage } from 'node:http';
import type { Model } from '@tillhook/openapi';
import { bodyLimitOf, limitBytes, tooIntricate } from '@tillhook/openapi/rules/json-body';
import { noUtf8, wrongCharset } from '@tillhook/openapi/rules/sentences';
import express, { type Request, type RequestHandler } from 'express';
import { AppError } from '../kit/errors.ts';
import { foreignJson } from './content-type.ts';
import { withinBound } from './long-bodies.ts';

declare module 'express-serve-static-core' {
  interface Request {
    hasEmptyBody?: boolean;
    /** The bytes of the body. Set when the request has an Idempotency-Key, which is bound to them. */
    rawBody?: Buffer;
  }
}

/** Reads JSON bodies of at most 100 KiB, or of the limit that the contract gives the operation. */
export function jsonBody(model: Model): RequestHandler[] {
  const limits = [limitBytes, ...model.operations.map(({ bodyLimit }) => bodyLimit ?? limitBytes)];
  const readers = new Map(
    limits.map(
      (limit) => [limit, withinBound(express.json({ limit, strict: false, verify: inspectBytes }), limit)] as const,
    ),
  );
  return [
    (request, _response, next) => {
      const isForeign = request.headers['content-type'] === foreignJson;
      next(isForeign ? new AppError(...wrongCharset) : undefined);
    },
    (request, response, next) => readers.get(bodyLimitOf(model, request))?.(request, response, next),
    (request, _response, next) => {
      if (request.hasEmptyBody) request.body = undefined;
      next();
    },
  ];
}

/**
 * Looks at the bytes before they are parsed. The parser would hide two mistakes: it reads an empty body as `{}`, and it
 * replaces bytes that are not UTF-8 by replacement characters.
 * Choice: when an object has the same key twice, the last one counts, because every JSON parser of this language does
 * so.
 */
function inspectBytes(request: IncomingMessage & Partial<Request>, _response: unknown, body: Buffer): void {
  if (!isUtf8(body)) throw new AppError(...noUtf8);
  const sentence = tooIntricate(body);
  if (sentence) throw new AppError(...sentence);
  request.hasEmptyBody = body.length === 0;
  if (request.headers['idempotency-key'] !== undefined) request.rawBody = body;
}
