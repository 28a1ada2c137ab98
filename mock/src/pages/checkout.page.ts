import { moneyText } from '@tillhook/developer/terminal/money-text';
import { returnAddress } from '@tillhook/openapi/rules/return-address';
import { type Checkout, maxAttempts } from '../memory/checkout.ts';
import type { MockAnswer } from '../requests/api-error.ts';
import { type Fragment, type Html, html, pageAnswer } from './frame.ts';

export interface Visit {
  checkout: Checkout;
  merchantName: string;
  /** The last thing that the customer did: opened the link, submitted the form, or left without paying. */
  step: 'arrived' | 'sent' | 'left';
}

export function checkoutPage(visit: Visit): MockAnswer {
  const { checkout, merchantName, step } = visit;
  const isOpen = checkout.payment.status === 'pending' && step !== 'left';
  const heading = isOpen ? `Pay ${amountOf(checkout)}` : outcomeOf(visit).heading;
  return pageAnswer({ title: `${heading} – ${merchantName}`, main: isOpen ? paying(visit) : ended(visit) });
}

function paying({ checkout, merchantName }: Visit): Html {
  const { payment } = checkout;
  const left = maxAttempts - payment.attempts;
  return html`<p class="merchant">${merchantName}</p>
<h1 class="amount">${amountOf(checkout)}</h1>
${payment.description !== null && html`<p>${payment.description}</p>`}
${lineItems(checkout)}
${fieldList([
  ['Email', payment.customerEmail],
  ['Reference', payment.reference],
])}
${payment.failureCode !== null && html`<p class="notice">The card was declined. Nothing was charged. ${left === 1 ? '1 attempt is' : `${left} attempts are`} left.</p>`}
<form method="post">
<input type="hidden" name="attempts" value="${payment.attempts}">
<button class="primary" name="act" value="pay">Pay ${amountOf(checkout)}</button>
<button name="act" value="decline">Let the card be declined</button>
<button name="act" value="expire">Let the checkout expire</button>
<button name="act" value="leave">Cancel and return to ${merchantName}</button>
</form>`;
}

function ended(visit: Visit): Html {
  const { checkout, merchantName } = visit;
  const { payment } = checkout;
  const { heading, tone, lead } = outcomeOf(visit);
  const address = returnAddress(payment);
  return html`<p class="badge ${tone}">${payment.status}</p>
<h1>${heading}</h1>
<p>${lead}</p>
${lineItems(checkout)}
${fieldList([
  ['Amount', amountOf(checkout)],
  ['For', payment.description],
  ['Email', payment.customerEmail],
  ['Reference', payment.reference],
  ['Paid on', payment.completedAt],
])}
<div class="actions">
${address !== null && html`<a class="button primary" href="${address}">Return to ${merchantName}</a>`}
${payment.status === 'pending' && html`<a class="button" href="?">Pay after all</a>`}
</div>
${address === null && html`<p class="muted">The checkout was made without a callbackUrl, so there is nowhere to return to.</p>`}`;
}

interface Outcome {
  heading: string;
  tone: 'good' | 'bad' | '';
  lead: string;
}

function outcomeOf({ checkout, step, merchantName }: Visit): Outcome {
  const { payment } = checkout;
  const amount = amountOf(checkout);
  const nothing = 'Nothing was charged.';
  if (payment.cancelledBy === 'customer') return { heading: 'You cancelled this payment', tone: '', lead: nothing };
  if (payment.cancelledBy === 'merchant') {
    return { heading: 'This payment was cancelled', tone: '', lead: `${merchantName} cancelled it. ${nothing}` };
  }
  switch (payment.status) {
    case 'completed':
      return step === 'sent'
        ? { heading: 'Payment successful', tone: 'good', lead: `You paid ${amount} to ${merchantName}.` }
        : {
            heading: 'Already paid',
            tone: 'good',
            lead: `This payment of ${amount} has been made. Nothing will be charged again.`,
          };
    case 'failed':
      return {
        heading: 'Payment not completed',
        tone: 'bad',
        lead: `${payment.failureMessage ?? 'The payment failed'}. ${nothing}`,
      };
    case 'expired':
      return { heading: 'This link has expired', tone: '', lead: `The time to pay ${amount} has passed. ${nothing}` };
    case 'processing':
      return { heading: 'Still processing', tone: '', lead: `The payment of ${amount} is being confirmed.` };
    case 'pending':
      return {
        heading: 'You left without paying',
        tone: '',
        lead: `The payment is still pending, and its link still works. ${nothing}`,
      };
  }
}

function lineItems({ payment: { lineItems: items, currency }, locale }: Checkout): Html | false {
  const money = (amount: number) => moneyText(amount, currency, { locale, display: 'sign' });
  return (
    items.length > 0 &&
    html`<ul class="lines" aria-label="Items">${items.map(
      ({ name, quantity, unitAmount }) =>
        html`<li><span>${name}${quantity > 1 && html` <span class="muted">${quantity} × ${money(unitAmount)}</span>`}</span><span>${money(quantity * unitAmount)}</span></li>`,
    )}</ul>`
  );
}

function fieldList(rows: [name: string, value: string | null][]): Fragment {
  const known = rows.filter(([, value]) => value !== null);
  return html`<dl class="lines">${known.map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}</dl>`;
}

function amountOf({ payment: { amount, currency }, locale }: Checkout): string {
  return moneyText(amount, currency, { locale, display: 'sign' });
}
