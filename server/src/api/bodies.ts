/** The bodies of requests: their type, their length, and how JSON is read. */
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
    /** The bytes of the body. Set when the request has an Idempotency-Key, which is bound to them. */
    rawBody?: Buffer;
  }
}

const json = 'application/json';
/** JSON in another charset than UTF-8. No parser of this service reads it. */
const foreignJson = 'application/json; charset=other';
const form = 'application/x-www-form-urlencoded';
const other = 'application/octet-stream';

/**
 * Replaces the `Content-Type` of a request by one of a few constants before anything else reads it. The contract's
 * validator matches this header against a pattern, in a time that grows with the square of the header's length. It
 * also compiles and keeps one validator for each distinct value. Both would happen before the caller is
 * authenticated.
 * See docs/decisions/requests.md, "The validator sees few distinct headers".
 */
export const normaliseContentType: RequestHandler = ({ method, headers }, _response, next) => {
  const given = headers['content-type'];
  if (given !== undefined) {
    if (mayHaveBody(method) || declaresBody(headers)) headers['content-type'] = knownMediaType(given);
    else delete headers['content-type'];
  }
  // `x-gzip` is an older name of `gzip`: RFC 9110, 8.4.1.3.
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

/** Closes the connection after an answer to a request whose body was not read. It stands before everything that answers. */
export const keepConnectionsClean: RequestHandler = (request, response, next) => {
  closeWithUnreadBody(request, response);
  next();
};

/**
 * A parser of bodies that answers when `maxReadBytes` have come, or at once when more are declared. The parser itself
 * answers only when the body has ended, also when the body is too large, and a body may never end.
 * `closeWithUnreadBody` closes the connection. `next` is called once, by the parser or by the limit. Where the parser
 * ignores the type of the body, there is no limit.
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
