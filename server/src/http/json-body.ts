import { isUtf8 } from 'node:buffer';
import type { IncomingMessage } from 'node:http';
import { limitBytes, tooDeep, unstorableStrings } from '@tillhook/openapi/refusals/json-body';
import { noUtf8, tooLarge, wrongCharset } from '@tillhook/openapi/refusals/sentences';
import express, { type NextFunction, type Request, type RequestHandler, type Response } from 'express';
import { AppError } from '../kit/errors.ts';
import { foreignJson } from './content-type.ts';

/** A body that is too large is read up to here, so that its sender is still there to hear why. */
const patienceBytes = 10 * limitBytes;
const cutAfterMs = 3000;

declare module 'express-serve-static-core' {
  interface Request {
    hasEmptyBody?: boolean;
    /** The bytes as they came, where an Idempotency-Key has to be tied to them. */
    rawBody?: Buffer;
    /** JSON pointers of strings in the body that Postgres cannot hold, as many as are reported. */
    unstorable?: string[];
  }
}

/**
 * Reads JSON bodies of at most 100 KiB. Strings that Postgres cannot hold (U+0000, lone surrogates) are found here in every
 * field at once, because no schema can describe the second kind; they are refused together with what the schema refuses.
 * See docs/decisions/requests.md, "Text that Postgres cannot store is refused when the body is read".
 */
export const jsonBody: RequestHandler[] = [
  (request, _response, next) => {
    const isForeign = request.headers['content-type'] === foreignJson;
    next(isForeign ? new AppError(...wrongCharset) : undefined);
  },
  cutOffEndless,
  express.json({ limit: limitBytes, strict: false, verify: noteBytes }),
  (request, _response, next) => {
    if (request.hasEmptyBody) request.body = undefined;
    const sentence = tooDeep(request.body);
    if (sentence) return next(new AppError(...sentence));
    request.unstorable = unstorableStrings(request.body);
    next();
  },
];

/**
 * The parser answers when a body has ended, also one that is too large. A request whose body never ends is answered, and its
 * connection is closed.
 */
function cutOffEndless(request: Request, response: Response, next: NextFunction): void {
  let received = 0;
  const count = (chunk: Buffer) => {
    received += chunk.length;
    if (received <= patienceBytes) return;
    request.off('data', count);
    // Cut at once, the sender would find its connection reset before it read why.
    response.once('finish', () => setTimeout(() => request.destroy(), cutAfterMs).unref());
    next(new AppError(...tooLarge));
  };
  request.on('data', count);
  next();
}

/**
 * The parser makes `{}` of an empty body, and replacement characters of bytes that are no UTF-8: neither is what was sent.
 * Choice: of a key that stands twice the last counts, as for every parser of JSON in this language.
 */
function noteBytes(request: IncomingMessage & Partial<Request>, _response: unknown, body: Buffer): void {
  if (!isUtf8(body)) throw new AppError(...noUtf8);
  request.hasEmptyBody = body.length === 0;
  if (request.headers['idempotency-key'] !== undefined) request.rawBody = body;
}
