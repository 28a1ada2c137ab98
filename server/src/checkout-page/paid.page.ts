import { type Html, html } from '../kit/html.ts';
import { moment } from '../kit/locale.ts';
import { icons } from './layout.ts';
import { backLink, outcomePage, paymentFacts, refreshWithoutScript } from './outcome.page.ts';
import { returnAddress } from './return-address.ts';
import { fact } from './summary.ts';
import { amountHtml, type Visit } from './visit.ts';

const returnSeconds = 5;

/** The page directly after paying: the receipt, then a redirect to the merchant after some seconds. */
export function paidPage(visit: Visit): Html {
  const address = returnAddress(visit.payment);
  return outcomePage(visit, {
    tone: 'good',
    icon: icons.check,
    heading: 'Payment successful',
    lead: html`You paid <strong>${amountHtml(visit)}</strong> to <bdi>${visit.merchantName}</bdi>.`,
    body: receipt(visit),
    actions: html`${backLink(visit, returnSeconds)}${printButton}`,
    head: address && refreshWithoutScript(address, returnSeconds),
  });
}

/** The page of a payment that was completed before: the receipt, and the assurance that nothing is charged again. */
export function alreadyPaidPage(visit: Visit): Html {
  return outcomePage(visit, {
    tone: 'good',
    icon: icons.check,
    heading: 'Already paid',
    lead: html`This payment of <strong>${amountHtml(visit)}</strong> has been made. Nothing will be charged again.`,
    body: receipt(visit),
    actions: html`${backLink(visit)}${printButton}`,
  });
}

function receipt(visit: Visit): Html {
  const { completedAt, customerEmail } = visit.payment;
  return paymentFacts(
    visit,
    html`${fact('Paid on', completedAt && moment(completedAt, visit.locale))}
${fact('Email', html`<bdi>${customerEmail}</bdi>`)}`,
  );
}

/** The button needs script, which shows it. Without script, customers print by the browser's menu. */
const printButton = html`<button class="quiet" type="button" data-print hidden>Print receipt</button>`;
