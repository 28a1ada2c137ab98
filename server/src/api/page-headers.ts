import { isCrossSite } from '@tillhook/openapi/rules/credentials';
import { otherSite } from '@tillhook/openapi/rules/sentences';
import type { NextFunction, Request, Response } from 'express';
import helmet from 'helmet';
import { AppError } from '../kit/errors.ts';

const directives = {
  defaultSrc: ["'none'"],
  styleSrc: ["'self'"],
  scriptSrc: ["'self'"],
  // The page may call this server, because its script asks for the result while a payment is processing.
  connectSrc: ["'self'"],
  imgSrc: ["'self'", 'data:'],
  formAction: ["'self'"],
  frameAncestors: ["'none'"],
  baseUri: ["'none'"],
};

/**
 * A page runs only scripts of this server, and no other page may show it in a frame. Its links do not send its URL,
 * because the URL of a checkout contains the access code.
 */
export const pageHeaders = pageHeadersWith({});

/** `changes` replaces directives of the usual policy. */
export function pageHeadersWith(
  changes: Record<string, readonly string[]>,
  frameOptions: 'deny' | 'sameorigin' = 'deny',
): ReturnType<typeof helmet> {
  return helmet({
    contentSecurityPolicy: { useDefaults: false, directives: { ...directives, ...changes } },
    referrerPolicy: { policy: 'no-referrer' },
    xFrameOptions: { action: frameOptions },
    // `includeSubDomains` is false, because subdomains of our host may belong to other services without https.
    strictTransportSecurity: { includeSubDomains: false },
  });
}

export function notStored(_request: Request, response: Response, next: NextFunction): void {
  response.set({ 'Cache-Control': 'no-store', 'X-Robots-Tag': 'noindex' });
  next();
}

/** Refuses a form that another site sent to a page. */
export function refuseCrossSite(request: Request, _response: Response, next: NextFunction): void {
  next(isCrossSite(request.headers) ? new AppError(...otherSite) : undefined);
}
