/** Serves a merchant's colour as a style sheet, and lets the page load a merchant's logo from another server. */
import type { Request, Response } from 'express';
import { notFound } from '../kit/errors.ts';
import type { Visit } from './visit.ts';

/**
 * The page's policy forbids inline styles, so each colour is a style sheet.
 * The file's name contains the colour, so its content never changes.
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

/** Allows images from other servers, only on a page that has a logo. */
export function allowLogo(response: Response, { logoUrl }: Visit): void {
  if (!logoUrl) return;
  const policy = String(response.getHeader('Content-Security-Policy'));
  response.setHeader('Content-Security-Policy', policy.replace("img-src 'self' data:", "img-src 'self' data: https:"));
}
