import { tooLarge } from '@tillhook/openapi/rules/sentences';
import { closeWithUnreadBody, isRefusedUnread, isShortBody, mostReadBytes } from '@tillhook/openapi/rules/unread-body';
import type { RequestHandler } from 'express';
import { AppError } from '../kit/errors.ts';

/** Stands before everything that answers. */
export const keepConnectionsClean: RequestHandler = (request, response, next) => {
  closeWithUnreadBody(request, response);
  next();
};

/**
 * A parser of bodies that answers when `mostReadBytes` have come, or at once when more are declared. The parser itself
 * answers only when the body has ended, also when the body is too large, and a body may never end. `closeWithUnreadBody`
 * closes the connection. What comes after the parser is called once, whichever of the two is first, and a parser that
 * passes a request by is bound to nothing.
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
      if (received > mostReadBytes) goOn(new AppError(...tooLarge(limitBytes)));
    };
    request.on('data', count);
    parser(request, response, goOn);
    // A parser that passes a request by has called `goOn` already.
    if (!isOver && isRefusedUnread(request, limitBytes)) goOn(new AppError(...tooLarge(limitBytes)));
    return undefined;
  };
}
