import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { Request, RequestHandler, Response } from 'express';

const entry = createRequire(import.meta.url).resolve('@scalar/api-reference');
const file = entry.replace(/dist.index\.js$/, 'dist/browser/standalone.js');

/**
 * The script of the reference. It has 4 MB and does not change while the server runs, so the first request compresses
 * it for all.
 */
export function scalarScript(): RequestHandler {
  let packing: Promise<Buffer> | undefined;
  return async (request: Request, response: Response) => {
    response.set('Cache-Control', 'public, max-age=3600').vary('Accept-Encoding');
    if (!request.acceptsEncodings('gzip')) {
      response.sendFile(file, { cacheControl: false });
      return;
    }
    packing ??= readFile(file)
      .then(promisify(gzip))
      .catch((error) => {
        packing = undefined;
        throw error;
      });
    response
      .type('js')
      .set('Content-Encoding', 'gzip')
      .send(await packing);
  };
}
