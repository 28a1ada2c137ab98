import type { RequestHandler } from 'express';
import helmet from 'helmet';

const strict = {
  defaultSrc: ["'none'"],
  scriptSrc: ["'self'"],
  styleSrc: ["'self'"],
  imgSrc: ["'self'", 'data:'],
  connectSrc: ["'self'"],
  baseUri: ["'none'"],
  formAction: ["'self'"],
  frameAncestors: ["'none'"],
};

/** A page takes nothing but from here, and no script or style that stands in it. */
export function pageHeaders(): RequestHandler {
  return headers(strict);
}

/** The reference styles itself as it runs, and asks the servers of the contract when a reader tries an operation. */
export function referenceHeaders(servers: readonly string[]): RequestHandler {
  return headers({
    ...strict,
    styleSrc: ["'self'", "'unsafe-inline'"],
    imgSrc: ["'self'", 'data:', 'blob:'],
    fontSrc: ["'self'", 'data:'],
    connectSrc: ["'self'", ...new Set(servers.map((url) => new URL(url).origin))],
  });
}

function headers(directives: Record<string, string[]>): RequestHandler {
  return helmet({
    contentSecurityPolicy: { useDefaults: false, directives },
    strictTransportSecurity: { includeSubDomains: false },
  });
}
