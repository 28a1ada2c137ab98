import { type Html, html } from '../../kit/html.ts';
import { reasonText } from './decline-words.ts';
import { icons } from './layout.ts';
import { outcomePage, paymentDetails, wayBack } from './outcome.page.ts';
import { chargeText, merchantHtml, type Visit } from './visit.ts';

/** The page of a failed payment: its last attempt was declined, or its time ran out after a decline. */
export function failedPage(visit: Visit): Html {
  const { words } = visit;
  return outcomePage(visit, {
    tone: 'bad',
    icon: icons.cross,
    heading: words.text('failed.heading'),
    lead: html`${reasonText(visit)} ${chargeText(visit)}`,
    body: html`<p>${words.html('failed.linkIsOver', { merchant: merchantHtml(visit) })}</p>
${paymentDetails(visit)}`,
    ...wayBack(visit),
  });
}
