import type { Request, Response } from 'express';
import { type Accent, accentOf } from '../../../look/accent.ts';
import { notFound } from '../../kit/errors.ts';
import { findLogo } from '../../people/logos/logos.service.ts';

/**
 * The Content-Security-Policy forbids inline styles. Browsers cache the style sheet of a colour for ever, so a version
 * that computes other colours must use another file name.
 * See docs/decisions/checkout-page.md, "A merchant's colour is a style sheet with a URL".
 */
export function sendAccent({ params }: Request<{ hex: string }>, response: Response): void {
  if (!/^[0-9a-f]{6}$/.test(params.hex)) throw notFound();
  response
    .set('Cache-Control', 'public, max-age=31536000, immutable')
    .type('css')
    .send(accentSheet(`#${params.hex}`));
}

function accentSheet(colour: string): string {
  const light = accentOf(colour, 'light');
  return `:root {
${tokens(light)}
}

@media (prefers-color-scheme: dark) {
  :root {
${tokens(accentOf(colour, 'dark'))}
  }
}

.primary,
.monogram {
  border: 1px solid var(--accent-edge);
  background: ${light.button};
  color: ${light.onButton};
}

.primary:hover {
  background: ${light.buttonHover};
  color: ${light.onButton};
}
`;
}

function tokens({ text, textHover, edge }: Accent): string {
  return `  --accent: ${text};
  --accent-hover: ${textHover};
  --accent-edge: ${edge};`;
}

/**
 * The path contains the hash of the logo, so browsers may cache the logo for ever. Mails show the logo too, and a mail
 * program in a browser belongs to another origin.
 */
export async function sendLogo({ params, context }: Request<{ hash: string }>, response: Response): Promise<void> {
  const png = /^[0-9a-f]{64}$/.test(params.hash) ? await findLogo(context, params.hash) : null;
  if (!png) throw notFound();
  response.set({
    'Cache-Control': 'public, max-age=31536000, immutable',
    'Cross-Origin-Resource-Policy': 'cross-origin',
  });
  response.type('png').send(Buffer.from(png));
}
