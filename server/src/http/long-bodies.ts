import { limitBytes } from '@tillhook/openapi/refusals/json-body';
import { tooLarge } from '@tillhook/openapi/refusals/sentences';
import { closeWithUnreadBody, mostReadBytes } from '@tillhook/openapi/refusals/unread-body';
import type { NextFunction, Request, RequestHandler, Response } from 'express';
import { AppError } from '../kit/errors.ts';

/** Stands before everything that answers. */
export const keepConnectionsClean: RequestHandler = (request, response, next) => {
  closeWithUnreadBody(request, response);
  next();
};

/**
 * Stands directly before each parser of bodies. A parser answers only when the body has ended, also when it is too large,
 * and a body may never end. After `mostReadBytes` this answers the request, and `closeWithUnreadBody` closes its connection.
 */
export function endLongBody(request: Request, _response: Response, next: NextFunction): void {
  let received = 0;
  const count = (chunk: Buffer) => {
    received += chunk.length;
    if (received <= mostReadBytes) return;
    request.off('data', count);
    next(new AppError(...tooLarge(limitBytes)));
  };
  request.on('data', count);
  next();
}
