import { createHash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import type { Request, Response } from 'express';
import type { PortalText } from './portal.ts';

interface Packed {
  version: string;
  gzipped: Buffer;
}

/** The compressed texts. Each text is compressed once, because it is sent many times. */
const packedTexts = new WeakMap<PortalText, Packed>();

/** Sends a text with its version. A browser that already has this version gets 304 and no text. */
export function sendText(request: Request, response: Response, portalText: PortalText): void {
  const { type, text } = portalText;
  const { version, gzipped } = packedTexts.get(portalText) ?? pack(portalText);
  response
    .type(`${type === 'html' ? 'text/html' : type}; charset=utf-8`)
    .set({ 'Cache-Control': 'no-cache', ETag: version })
    .vary('Accept-Encoding');
  if (request.fresh) response.status(304).end();
  else if (request.acceptsEncodings('gzip')) response.set('Content-Encoding', 'gzip').send(gzipped);
  else response.send(text);
}

function pack(portalText: PortalText): Packed {
  const { text } = portalText;
  const version = `W/"${createHash('sha256').update(text).digest('base64url').slice(0, 16)}"`;
  const packed = { version, gzipped: gzipSync(text) };
  packedTexts.set(portalText, packed);
  return packed;
}
