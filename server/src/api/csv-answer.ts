import { pipeline } from 'node:stream/promises';
import type { ModelOperation } from '@tillhook/openapi';
import type { Request, RequestHandler, Response } from 'express';
import type { Context } from '../context.ts';

export const csv = 'text/csv';

declare module 'express-serve-static-core' {
  interface Request {
    wantsCsv?: boolean;
    isHead?: boolean;
  }
}

/**
 * Choice: a long `Accept` header is not parsed, and the answer is JSON. Such a header comes from a browser or an
 * attack.
 */
const maxAcceptLength = 200;

export const notePreferredType: RequestHandler = (request, _response, next) => {
  const { accept = '' } = request.headers;
  // If the caller gives JSON and CSV the same weight, `accepts` returns its first argument, JSON.
  request.wantsCsv = accept.length <= maxAcceptLength && request.accepts('application/json', csv) === csv;
  next();
};

/**
 * A failure in the middle of a CSV file closes the connection, so that the caller does not take the file for complete.
 */
export async function sendCsv(
  pieces: AsyncIterableIterator<string>,
  { request, response, operation }: { request: Request; response: Response; operation: ModelOperation },
): Promise<void> {
  const first = await pieces.next();
  const file = operation.path.split('/').at(-1);
  response.status(operation.successStatus).set({
    'Content-Type': `${csv}; charset=utf-8; header=present`,
    'Content-Disposition': `attachment; filename="${file}.csv"`,
  });
  if (request.isHead || first.done) return void response.end();
  const rest = checkingCaller(pieces, request.context);
  await pipeline(startingWith(first.value, rest), response).catch((error: NodeJS.ErrnoException) => {
    const isGone = error.code === 'ERR_STREAM_PREMATURE_CLOSE';
    if (!isGone) throw error;
  });
}

/**
 * Checks the caller again before each piece of the CSV file: a slow caller may take hours, and its key may be revoked.
 */
async function* checkingCaller(pieces: AsyncIterable<string>, context: Context): AsyncIterable<string> {
  for await (const piece of pieces) {
    await context.checkCallerAgain?.();
    yield piece;
  }
}

async function* startingWith(first: string, rest: AsyncIterable<string>): AsyncIterable<string> {
  yield first;
  yield* rest;
}
