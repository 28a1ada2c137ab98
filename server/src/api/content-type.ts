/**
 * Replaces the `Content-Type` of a request by one of a few constants before anything else reads it. The contract's
 * validator matches this header against a pattern, in a time that grows with the square of the header's length. It
 * also compiles and keeps one validator for each distinct value. Both would happen before the caller is
 * authenticated.
 * See docs/decisions/requests.md, "The validator sees few distinct headers".
 */
import { mediaTypeOf } from '@tillhook/openapi/rules/json-body';
import type { RequestHandler } from 'express';

export const json = 'application/json';
/** JSON in another charset than UTF-8. No parser of this service reads it. */
export const foreignJson = 'application/json; charset=other';
const form = 'application/x-www-form-urlencoded';
const other = 'application/octet-stream';

export const normaliseContentType: RequestHandler = ({ method, headers }, _response, next) => {
  const given = headers['content-type'];
  if (given !== undefined) {
    if (mayHaveBody(method) || declaresBody(headers)) headers['content-type'] = knownMediaType(given);
    else delete headers['content-type'];
  }
  // RFC 9110, 8.4.1.3: an older name of the same coding.
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
