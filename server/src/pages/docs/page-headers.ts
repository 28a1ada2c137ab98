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

/** The page may load only files of this server. The browser ignores scripts and styles inside its HTML. */
export function pageHeaders(): RequestHandler {
  return headers(strict);
}

/** The page of an operation may also call the other servers of the contract, when a reader sends a request to one of them. */
export function operationHeaders(servers: readonly string[]): RequestHandler {
  return headers({ ...strict, connectSrc: ["'self'", ...new Set(servers.map((url) => new URL(url).origin))] });
}

function headers(directives: Record<string, string[]>): RequestHandler {
  return helmet({
    contentSecurityPolicy: { useDefaults: false, directives },
    strictTransportSecurity: { includeSubDomains: false },
  });
}
