import type { IncomingMessage } from 'node:http';
import express, { type RequestHandler } from 'express';
import { AppError } from '../kit/errors.ts';

const limitBytes = 100 * 1024;

/** No body of the contract is nested more than a few levels. */
const deepest = 32;

declare module 'express-serve-static-core' {
  interface Request {
    hasEmptyBody?: boolean;
  }
}

/**
 * Reads JSON bodies of at most 100 KiB. Strings that Postgres cannot hold (U+0000, lone surrogates) are refused here for
 * every field at once, because no schema can describe the second kind.
 */
export const jsonBody: RequestHandler[] = [
  (request, _response, next) => {
    const type = request.headers['content-type'] ?? '';
    if (/^application\/json\b/i.test(type)) {
      if (!isUtf8(type)) return next(new AppError('unsupported_media_type', 'JSON must be in UTF-8'));
      // The validator compiles and keeps one validator for each distinct Content-Type it meets.
      request.headers['content-type'] = 'application/json';
    }
    next();
  },
  express.json({ limit: limitBytes, strict: false, verify: noteEmptyBody }),
  (request, _response, next) => {
    if (request.hasEmptyBody) request.body = undefined;
    if (isDeeperThan(request.body, deepest)) {
      return next(new AppError('invalid_json', `The request body is nested more than ${deepest} levels deep`));
    }
    const at = unstorable(request.body, '');
    if (at === undefined) return next();
    const param = at.split('/')[1] ?? null;
    const problem = 'must not contain U+0000 or half of a surrogate pair';
    next(
      new AppError('invalid_parameter', `${param ?? 'The body'} ${problem}`, {
        ...(param && { param }),
        details: [{ path: at, code: 'characters', message: problem }],
      }),
    );
  },
];

function isUtf8(contentType: string): boolean {
  const charset = /;\s*charset\s*=\s*"?([^";]+)/i.exec(contentType)?.[1];
  return charset === undefined || /^utf-?8\s*$/i.test(charset);
}

/** The parser makes `{}` of an empty body, which is not what was sent. */
function noteEmptyBody(request: IncomingMessage & { hasEmptyBody?: boolean }, _response: unknown, body: Buffer): void {
  request.hasEmptyBody = body.length === 0;
}

/** Looks no further down than the limit: a body of brackets alone would exhaust the stack of whoever walks it. */
function isDeeperThan(value: unknown, levels: number): boolean {
  if (value === null || typeof value !== 'object') return false;
  return levels === 0 || Object.values(value).some((child) => isDeeperThan(child, levels - 1));
}

/** The JSON pointer of the first string, key or value, that cannot be stored. */
function unstorable(value: unknown, path: string): string | undefined {
  if (typeof value === 'string') return value.isWellFormed() && !value.includes('\0') ? undefined : path;
  if (value === null || typeof value !== 'object') return undefined;
  for (const [key, child] of Object.entries(value)) {
    const found = unstorable(key, path) ?? unstorable(child, `${path}/${key}`);
    if (found !== undefined) return found;
  }
  return undefined;
}
