/** Checks the type and the length of request bodies, and parses JSON. */
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
    /**
     * The bytes of the body. Set only when the request has an Idempotency-Key, because the key is bound to the bytes.
     */
    rawBody?: Buffer;
  }
}

const json = 'application/json';
/**
 * The replacement for the `Content-Type` of JSON in a charset other than UTF-8. No parser of this service reads this
 * type.
 */
const foreignJson = 'application/json; charset=other';
const form = 'application/x-www-form-urlencoded';
const other = 'application/octet-stream';

/**
 * Replaces the `Content-Type` of a request by one of a few constants before any other code reads the header. The
 * contract's validator matches this header against a pattern, in a time that grows with the square of the header's
 * length. The validator also compiles and keeps a function for each distinct value. All this work would be done before
 * the caller is authenticated.
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

/** Parses JSON bodies up to 100 KiB, or up to the limit of the operation in the contract. */
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
 * Checks the bytes of a body before they are parsed, because the parser would hide two mistakes: it reads an empty
 * body as `{}`, and it replaces bytes that are not UTF-8 by replacement characters. Choice: when an object has the
 * same key twice, the last value counts, as in every JSON parser of JavaScript.
 */
function inspectBytes(request: IncomingMessage & Partial<Request>, _response: unknown, body: Buffer): void {
  if (!isUtf8(body)) throw new AppError(...noUtf8);
  const sentence = tooIntricate(body);
  if (sentence) throw new AppError(...sentence);
  request.hasEmptyBody = body.length === 0;
  if (request.headers['idempotency-key'] !== undefined) request.rawBody = body;
}

/**
 * Closes the connection after an answer to a request whose body was not read. This handler comes before all handlers
 * that answer.
 */
export const keepConnectionsClean: RequestHandler = (request, response, next) => {
  closeWithUnreadBody(request, response);
  next();
};

/**
 * Wraps a body parser so that a body that is too large is refused after `maxReadBytes`, or immediately when the
 * headers declare too many bytes. The parser itself answers only at the end of the body, even if the body is too
 * large, and a body may never end. `closeWithUnreadBody` closes the connection. `next` is called once, by the parser
 * or by the limit. When the parser ignores the type of the body, there is no limit.
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
    // A parser that ignores the type of the body has called `goOn` already.
    if (!isOver && isRefusedUnread(request, limitBytes)) goOn(new AppError(...tooLarge(limitBytes)));
    return undefined;
  };
}
