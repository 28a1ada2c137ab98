/** The page says who cancelled the payment, because the visitor may be another person. */
import { type Html, html } from '../../kit/html.ts';
import { icons } from './layout.ts';
import { outcomePage, paymentDetails, wayBack } from './outcome.page.ts';
import { amountHtml, chargeText, merchantHtml, strong, type Visit } from './visit.ts';

export function cancelledPage(visit: Visit): Html {
  const { words } = visit;
  const isByMerchant = visit.payment.canceller === 'merchant';
  const merchant = merchantHtml(visit);
  const who = isByMerchant && words.html('cancelled.who', { merchant, amount: amountHtml(visit), b: strong });
  return outcomePage(visit, {
    tone: 'waiting',
    icon: icons.cross,
    heading: words.text(isByMerchant ? 'cancelled.byMerchant' : 'cancelled.byCustomer'),
    lead: html`${who} ${chargeText(visit)}`,
    body: html`<p>${words.html(isByMerchant ? 'cancelled.askForLink' : 'cancelled.payAfterAll', { merchant })}</p>
${paymentDetails(visit)}`,
    ...wayBack(visit),
  });
}
