import { isCrossSite } from '@tillhook/openapi/refusals/credentials';
import { otherSite } from '@tillhook/openapi/refusals/sentences';
import type { NextFunction, Request, Response } from 'express';
import helmet from 'helmet';
import { AppError } from '../kit/errors.ts';

/** No script but our own file, no frame around the page, no address passed on: the access code is in it. */
export const pageHeaders = helmet({
  contentSecurityPolicy: {
    useDefaults: false,
    directives: {
      defaultSrc: ["'none'"],
      styleSrc: ["'self'"],
      scriptSrc: ["'self'"],
      // The page of a payment that is being decided looks again by itself.
      connectSrc: ["'self'"],
      imgSrc: ["'self'", 'data:'],
      formAction: ["'self'"],
      frameAncestors: ["'none'"],
      baseUri: ["'none'"],
    },
  },
  referrerPolicy: { policy: 'no-referrer' },
  xFrameOptions: { action: 'deny' },
  // Other names below this one are not ours to decide for.
  strictTransportSecurity: { includeSubDomains: false },
});

export function notStored(_request: Request, response: Response, next: NextFunction): void {
  response.set({ 'Cache-Control': 'no-store', 'X-Robots-Tag': 'noindex' });
  next();
}

/** For pages: a form of another site is not ours to answer. */
export function refuseCrossSite(request: Request, _response: Response, next: NextFunction): void {
  next(isCrossSite(request.headers) ? new AppError(...otherSite) : undefined);
}
