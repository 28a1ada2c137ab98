/** What a merchant's own colour and logo need besides the page: a style sheet for one, permission for the other. */
import type { Request, Response } from 'express';
import { notFound } from '../kit/errors.ts';
import type { Visit } from './visit.ts';

/**
 * No style may stand in the page itself, so each colour is a file. Its name says all of it, and it never changes.
 * See docs/decisions/checkout-page.md, "A merchant's colour is a style sheet with an address".
 */
export function sendColour({ params }: Request<{ hex: string }>, response: Response): void {
  if (!/^[0-9a-f]{6}$/.test(params.hex)) throw notFound();
  const colour = `#${params.hex}`;
  response
    .set('Cache-Control', 'public, max-age=31536000, immutable')
    .type('css')
    .send(`.primary,
.primary:hover,
.monogram {
  background: ${colour};
  color: #ffffff;
}

.primary:hover {
  background: color-mix(in srgb, ${colour} 85%, #000000);
}
`);
}

/** Pictures of other servers, on a page with a logo alone. */
export function allowLogo(response: Response, { logoUrl }: Visit): void {
  if (!logoUrl) return;
  const policy = String(response.getHeader('Content-Security-Policy'));
  response.setHeader('Content-Security-Policy', policy.replace("img-src 'self' data:", "img-src 'self' data: https:"));
}
