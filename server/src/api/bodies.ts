import { isUtf8 } from 'node:buffer';
import type { IncomingMessage } from 'node:http';
import type { Model } from '@tillhook/openapi';
import { bodyLimitOf, limitBytes, mediaTypeOf, tooIntricate } from '@tillhook/openapi/rules/json-body';
import { noUtf8, tooLarge, wrongCharset } from '@tillhook/openapi/rules/sentences';
import { closeWithUnreadBody, isRefusedUnread, isShortBody, maxReadBytes } from '@tillhook/openapi/rules/unread-body';
import express, { type Request, type RequestHandler } from 'express';
import { AppError } from '../kit/errors.ts';

declare module 'express-serve-static-core' {
  interface Request {
    hasEmptyBody?: boolean;
    /** The bytes of the body. Set only for a request with an Idempotency-Key, because the key is bound to the bytes. */
    rawBody?: Buffer;
  }
}

const json = 'application/json';
/** The media type that replaces JSON in a charset other than UTF-8, so that no parser reads the body. */
const foreignJson = 'application/json; charset=other';
const form = 'application/x-www-form-urlencoded';
const other = 'application/octet-stream';

/**
 * The validator matches `Content-Type` in a time that grows with the square of the header's length.
 * See docs/decisions/requests.md, "The validator sees few distinct headers".
 */
export const normaliseContentType: RequestHandler = ({ method, headers }, _response, next) => {
  const given = headers['content-type'];
  if (given !== undefined) {
    if (mayHaveBody(method) || declaresBody(headers)) headers['content-type'] = knownMediaType(given);
    else delete headers['content-type'];
  }
  // `x-gzip` is an older name of `gzip` (RFC 9110, 8.4.1.3).
  if (headers['content-encoding']?.toLowerCase() === 'x-gzip') headers['content-encoding'] = 'gzip';
  next();
};

function mayHaveBody(method: string): boolean {
  return method !== 'GET' && method !== 'HEAD';
}

function declaresBody(headers: Record<string, unknown>): boolean {
  return headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined;
}

function knownMediaType(given: string): string {
  const { type, isUtf8 } = mediaTypeOf(given);
  if (type === json) return isUtf8 ? json : foreignJson;
  return type === form && isUtf8 ? form : other;
}

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
 * Checks the bytes, because the JSON parser would read an empty body as `{}`, and replace bytes that are not UTF-8.
 * Choice: when an object has the same key twice, the last value counts, as in every JSON parser of JavaScript.
 */
function inspectBytes(request: IncomingMessage & Partial<Request>, _response: unknown, body: Buffer): void {
  if (!isUtf8(body)) throw new AppError(...noUtf8);
  const sentence = tooIntricate(body);
  if (sentence) throw new AppError(...sentence);
  request.hasEmptyBody = body.length === 0;
  if (request.headers['idempotency-key'] !== undefined) request.rawBody = body;
}

/** Must come before every middleware that answers. */
export const keepConnectionsClean: RequestHandler = (request, response, next) => {
  closeWithUnreadBody(request, response);
  next();
};

/**
 * Refuses a body that is too large after `maxReadBytes`, or at once if its headers declare too many bytes. The parser
 * alone would wait for the end of the body, which may never come.
 */
export function withinBound(parser: RequestHandler, limitBytes: number): RequestHandler {
  return (request, response, next) => {
    if (isShortBody(request)) return parser(request, response, next);
    let received = 0;
    let isOver = false;
    const goOn = (error?: unknown) => {
      if (isOver) return;
      isOver = true;
      request.off('data', count);
      next(error);
    };
    const count = (chunk: Buffer) => {
      received += chunk.length;
      if (received > maxReadBytes) goOn(new AppError(...tooLarge(limitBytes)));
    };
    request.on('data', count);
    parser(request, response, goOn);
    // A parser that ignores the body's type has already called `goOn`.
    if (!isOver && isRefusedUnread(request, limitBytes)) goOn(new AppError(...tooLarge(limitBytes)));
    return undefined;
  };
}
