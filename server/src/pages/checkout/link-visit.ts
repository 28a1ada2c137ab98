import type { Request } from 'express';
import { type OpenedLink, openLink } from '../../money/payment-links/link-checkouts.service.ts';
import { logoFile } from '../../people/merchants/merchant.entity.ts';
import { checkoutPath } from './open-visit.ts';
import type { Visit } from './visit.ts';
import { chooseWords } from './words/words.ts';

export type LinkRequest = Request<{ slug: string }>;

/** A customer who has opened a payment link, and has no payment yet. */
export interface LinkVisit
  extends Pick<Visit, 'merchantName' | 'logo' | 'colour' | 'links' | 'words' | 'locale' | 'base'> {
  opened: OpenedLink;
}

export async function openLinkVisit(request: LinkRequest): Promise<LinkVisit> {
  const { context, params } = request;
  const opened = await openLink(context, params.slug);
  const { name, logoHash, colour, termsUrl, supportUrl, supportEmail } = opened.merchant;
  const base = checkoutPath(context);
  return {
    opened,
    merchantName: name,
    logo: logoHash ? `${base}/assets/${logoFile(logoHash)}` : null,
    colour: colour ?? null,
    links: { termsUrl: termsUrl ?? null, supportUrl: supportUrl ?? null, supportEmail: supportEmail ?? null },
    ...chooseWords(null, request.acceptsLanguages()),
    base,
  };
}
