/**
 * Answers with a list as CSV. `Accept: text/csv` asks for it, where the contract has such an answer. The text is sent
 * while it is read, at the speed of the caller.
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
 * Choice: a longer header comes from a browser or from an attack. To search it takes time, so such a request is
 * answered with JSON.
 */
const maxAcceptLength = 200;

export const notePreferredType: RequestHandler = (request, _response, next) => {
  const { accept = '' } = request.headers;
  // The first type is preferred where the caller gives both the same weight.
  request.wantsCsv = accept.length <= maxAcceptLength && request.accepts('application/json', csv) === csv;
  next();
};

/**
 * Sends the pieces. A failure before the first piece is answered like any other. A later one cuts the answer off, so
 * that the caller does not take it for complete.
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
    // A caller who has gone away is no failure of the service.
    if (!isGone) throw error;
  });
}

/** A slow reader may take hours, in which the key may be revoked. */
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
