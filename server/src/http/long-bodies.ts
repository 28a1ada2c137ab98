import { tooLarge } from '@tillhook/openapi/refusals/sentences';
import { closeWithUnreadBody, mostReadBytes } from '@tillhook/openapi/refusals/unread-body';
import type { RequestHandler } from 'express';
import { AppError } from '../kit/errors.ts';
import { createPlaces } from '../kit/places.ts';
import type { CallerOf } from './refused-calls.ts';

/** Stands before everything that answers. */
export const keepConnectionsClean: RequestHandler = (request, response, next) => {
  closeWithUnreadBody(request, response);
  next();
};

/**
 * A parser of bodies that answers when `mostReadBytes` have come. The parser itself answers only when the body has ended,
 * also when the body is too large, and a body may never end. `closeWithUnreadBody` closes the connection. What comes after
 * the parser is called once, whichever of the two is first, and a parser that passes a request by is bound to nothing.
 */
export function withinBound(parser: RequestHandler, limitBytes: number): RequestHandler {
  return (request, response, next) => {
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
      if (received > mostReadBytes) goOn(new AppError(...tooLarge(limitBytes)));
    };
    request.on('data', count);
    return parser(request, response, goOn);
  };
}

/**
 * Lets a caller send two bodies at a time to this parser, and refuses others before they are read. A body takes four times
 * its length in memory while it is parsed, and a slow one takes its length until all of it has come.
 * See docs/decisions/requests.md, "What all merchants share".
 */
export function fewOfCaller(parser: RequestHandler, callerOf: CallerOf): RequestHandler {
  const places = createPlaces(2);
  return (request, response, next) => {
    const leave = places.take(callerOf(request));
    if (!leave) {
      const retry = { retryAfterSeconds: 1 };
      throw new AppError('rate_limited', 'Your other files are still being sent; try again', retry);
    }
    // A request closes when its body has come, and when its connection is lost.
    request.once('close', leave);
    return parser(request, response, next);
  };
}
