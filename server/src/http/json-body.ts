import { isUtf8 } from 'node:buffer';
import type { IncomingMessage } from 'node:http';
import type { Model } from '@tillhook/openapi';
import { bodyLimitOf, limitBytes, tooDeep, unstorableStrings } from '@tillhook/openapi/refusals/json-body';
import { noUtf8, wrongCharset } from '@tillhook/openapi/refusals/sentences';
import express, { type Request, type RequestHandler } from 'express';
import { AppError } from '../kit/errors.ts';
import { foreignJson } from './content-type.ts';
import { endLongBody } from './long-bodies.ts';

declare module 'express-serve-static-core' {
  interface Request {
    hasEmptyBody?: boolean;
    /** The bytes of the body. Set when the request has an Idempotency-Key, which is bound to them. */
    rawBody?: Buffer;
    /** JSON pointers of the strings in the body that Postgres cannot store, at most as many as an answer reports. */
    unstorable?: string[];
  }
}

/**
 * Reads JSON bodies of at most 100 KiB, or of the limit that the contract gives the operation. It finds the strings that Postgres cannot store (with U+0000 or a lone
 * surrogate) in all fields at once, because no schema can describe lone surrogates. They are reported together with
 * the problems that the schema finds.
 * See docs/decisions/requests.md, "Text that Postgres cannot store is refused when the body is read".
 */
export function jsonBody(model: Model): RequestHandler[] {
  const limits = [limitBytes, ...model.operations.map(({ bodyLimit }) => bodyLimit ?? limitBytes)];
  const readers = new Map(
    limits.map((limit) => [limit, express.json({ limit, strict: false, verify: inspectBytes })] as const),
  );
  return [
    (request, _response, next) => {
      const isForeign = request.headers['content-type'] === foreignJson;
      next(isForeign ? new AppError(...wrongCharset) : undefined);
    },
    endLongBody,
    (request, response, next) => readers.get(bodyLimitOf(model, request))?.(request, response, next),
    (request, _response, next) => {
      if (request.hasEmptyBody) request.body = undefined;
      const sentence = tooDeep(request.body);
      if (sentence) return next(new AppError(...sentence));
      request.unstorable = unstorableStrings(request.body);
      next();
    },
  ];
}

/**
 * Looks at the bytes because the parser hides two mistakes: it reads an empty body as `{}`, and it replaces bytes
 * that are not UTF-8 by replacement characters.
 * Choice: when an object has the same key twice, the last one counts, because every JSON parser of this language does
 * so.
 */
function inspectBytes(request: IncomingMessage & Partial<Request>, _response: unknown, body: Buffer): void {
  if (!isUtf8(body)) throw new AppError(...noUtf8);
  request.hasEmptyBody = body.length === 0;
  if (request.headers['idempotency-key'] !== undefined) request.rawBody = body;
}
