/**
 * Answers with a list as CSV, if the caller sends `Accept: text/csv` and the contract has a CSV answer. The rows are
 * sent while they are read from the database, at the speed of the caller.
 */
import { pipeline } from 'node:stream/promises';
import type { ModelOperation } from '@tillhook/openapi';
import type { Request, RequestHandler, Response } from 'express';
import type { Context } from '../context.ts';

export const csv = 'text/csv';

declare module 'express-serve-static-core' {
  interface Request {
    /** Whether the caller prefers CSV to JSON. */
    wantsCsv?: boolean;
    isHead?: boolean;
  }
}

/**
 * The maximum length of an `Accept` header that is parsed. Choice: a longer header comes from a browser or from an
 * attack. Parsing a long header takes time, so such a request is answered with JSON.
 */
const maxAcceptLength = 200;

export const notePreferredType: RequestHandler = (request, _response, next) => {
  const { accept = '' } = request.headers;
  // If the caller gives JSON and CSV the same weight, `accepts` returns the first argument, JSON.
  request.wantsCsv = accept.length <= maxAcceptLength && request.accepts('application/json', csv) === csv;
  next();
};

/**
 * Sends the pieces of a CSV file. A failure before the first piece gets the usual error answer. A later failure closes
 * the connection in the middle of the answer, so that the caller does not take the file for complete.
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
    // The caller has closed the connection, which is no failure of the service.
    if (!isGone) throw error;
  });
}

/**
 * Checks the caller again before each piece, because a slow caller may take hours, and the key may be revoked in this
 * time.
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
