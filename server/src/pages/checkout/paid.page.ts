import { returnAddress } from '@tillhook/openapi/rules/return-address';
import { type Html, html } from '../../kit/html.ts';
import { moment } from '../../kit/locale.ts';
import { icons } from './layout.ts';
import { lineItems } from './line-items.ts';
import { statementNote } from './merchant-foot.ts';
import { backLink, outcomePage, paymentDetails, refreshWithoutScript } from './outcome.page.ts';
import { detail, emailHtml } from './summary.ts';
import { amountHtml, merchantHtml, strong, type Visit } from './visit.ts';

const returnSeconds = 5;

export function paidPage(visit: Visit): Html {
  const { words } = visit;
  const address = returnAddress(visit.payment);
  return outcomePage(visit, {
    tone: 'good',
    icon: icons.check,
    heading: words.text('paid.heading'),
    lead: words.html('paid.lead', { b: strong, amount: amountHtml(visit), merchant: merchantHtml(visit) }),
    body: receipt(visit),
    actions: html`${backLink(visit, returnSeconds)}${printButton(visit)}`,
    head: address && refreshWithoutScript(address, returnSeconds),
  });
}

export function alreadyPaidPage(visit: Visit): Html {
  const { words } = visit;
  return outcomePage(visit, {
    tone: 'good',
    icon: icons.check,
    heading: words.text('alreadyPaid.heading'),
    lead: words.html('alreadyPaid.lead', { b: strong, amount: amountHtml(visit) }),
    body: receipt(visit),
    actions: html`${backLink(visit)}${printButton(visit)}`,
  });
}

function receipt(visit: Visit): Html {
  const { words } = visit;
  const { completedAt, customerEmail } = visit.payment;
  const details = paymentDetails(
    visit,
    html`${detail(words.text('detail.paidOn'), completedAt && moment(completedAt, visit.locale))}
${detail(words.text('detail.email'), emailHtml(customerEmail))}`,
  );
  return html`${lineItems(visit)}${details}${statementNote(visit)}`;
}

/** Only a script can print, so the script shows this button. */
const printButton = ({ words }: Visit) =>
  html`<button class="quiet" type="button" data-print hidden>${words.text('paid.print')}</button>`;
