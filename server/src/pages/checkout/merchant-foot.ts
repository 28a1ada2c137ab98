import { asciiEmail } from '@tillhook/openapi/rules/fields';
import { type Html, html } from '../../kit/html.ts';
import type { Visit } from './visit.ts';

/**
 * Links to the merchant's terms and support; null when the merchant has set neither.
 * See docs/decisions/checkout-page.md, "A merchant names terms, help and a statement name".
 */
export function merchantFoot({
  merchantName,
  links,
  words,
}: Pick<Visit, 'merchantName' | 'links' | 'words'>): Html | null {
  const { termsUrl, supportUrl, supportEmail } = links;
  if (!termsUrl && !supportUrl && !supportEmail) return null;
  return html`<nav class="merchant-foot" aria-label="${merchantName}">
${termsUrl && html`<a href="${termsUrl}" target="_blank" rel="noopener">${words.text('foot.terms')}</a>`}
${supportUrl && html`<a href="${supportUrl}" target="_blank" rel="noopener">${words.html('foot.contact', { merchant: html`<bdi>${merchantName}</bdi>` })}</a>`}
${supportEmail && html`<a href="mailto:${encodeURIComponent(asciiEmail(supportEmail)).replace('%40', '@')}"><bdi>${supportEmail}</bdi></a>`}
</nav>`;
}

/** Returns null when the processor decides which name appears on the card's statement. */
export function statementNote({ payment: { statementName }, words }: Visit): Html | null {
  if (!statementName) return null;
  return html`<p class="aside">${words.html('paid.statement', { name: html`<bdi>${statementName}</bdi>` })}</p>`;
}
