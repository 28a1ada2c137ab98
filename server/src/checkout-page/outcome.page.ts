/** A page of its own for every state that asks for no card. */
import { type Fragment, type Html, html } from '../kit/html.ts';
import { moment } from '../kit/locale.ts';
import { leaveForm } from './form.page.ts';
import { icons, merchantHeader, visitLayout } from './layout.ts';
import { returnAddress } from './return-address.ts';
import { amountOf, pathOf, type Visit } from './visit.ts';

const paidReturnSeconds = 5;
const leftReturnSeconds = 1;
const pollSeconds = 3;

/** Just paid: the receipt, and after a moment back to the merchant. */
export function paidPage(visit: Visit): Html {
  const address = returnAddress(visit.payment);
  return outcomePage(visit, {
    tone: 'good',
    icon: icons.check,
    heading: 'Payment successful',
    lead: html`You paid <strong>${amountOf(visit)}</strong> to ${visit.merchantName}.`,
    body: receipt(visit),
    actions: backLink(visit, paidReturnSeconds),
    head: address && refreshWithoutScript(address, paidReturnSeconds),
  });
}

/** Paid some time ago: the receipt, and the assurance that nothing is charged twice. */
export function alreadyPaidPage(visit: Visit): Html {
  return outcomePage(visit, {
    tone: 'good',
    icon: icons.check,
    heading: 'Already paid',
    lead: html`This payment of <strong>${amountOf(visit)}</strong> has been made. Nothing will be charged again.`,
    body: receipt(visit),
    actions: backLink(visit),
  });
}

export function declinedPage(visit: Visit): Html {
  const { payment } = visit;
  const attempts = payment.attemptsLeft === 1 ? '1 more attempt' : `${payment.attemptsLeft} more attempts`;
  return outcomePage(visit, {
    tone: 'bad',
    icon: icons.cross,
    heading: 'Payment declined',
    lead: html`${payment.failureMessage ?? 'The card was declined'}. Nothing was charged.`,
    body: html`<p>You have ${attempts}. Try another card, or ask your bank about this one.</p>`,
    actions: html`<a class="button primary" href="${pathOf(visit, 'again')}">Try again</a>
${leaveForm(visit)}`,
  });
}

/** Looks again by itself, with script or without. */
export function processingPage(visit: Visit): Html {
  const path = pathOf(visit, 'sent');
  return outcomePage(visit, {
    tone: 'waiting',
    icon: html`<span class="spinner" aria-hidden="true"></span>`,
    heading: 'Still processing',
    lead: html`Your payment of <strong>${amountOf(visit)}</strong> is being confirmed. Please do not pay again.`,
    body: html`<p>This page looks again every few seconds. You may also close it: ${visit.merchantName} will be told.</p>`,
    actions: html`<a class="button secondary" href="${path}" data-go-after="${pollSeconds}">Look again</a>`,
    head: refreshWithoutScript(path, pollSeconds),
  });
}

/** Failed for good, by the last decline or because the customer gave up. */
export function failedPage(visit: Visit): Html {
  const { payment, merchantName } = visit;
  const address = returnAddress(payment);
  const isLeaving = visit.step === 'left' && address !== null;
  return outcomePage(visit, {
    tone: 'bad',
    icon: icons.cross,
    heading: 'Payment not completed',
    lead: html`${payment.failureMessage ?? 'The card was declined'}. Nothing was charged.`,
    body: html`<p>This link can no longer be used. To try once more, start again at ${merchantName}.</p>`,
    actions: backLink(visit, isLeaving ? leftReturnSeconds : undefined),
    head: isLeaving && refreshWithoutScript(address, leftReturnSeconds),
  });
}

export function expiredPage(visit: Visit): Html {
  return outcomePage(visit, {
    tone: 'waiting',
    icon: icons.clock,
    heading: 'This link has expired',
    lead: html`The time to pay <strong>${amountOf(visit)}</strong> has passed. Nothing was charged.`,
    body: html`<p>Ask ${visit.merchantName} for a new link to pay.</p>`,
    actions: backLink(visit),
  });
}

interface Outcome {
  tone: 'good' | 'bad' | 'waiting';
  icon: Html;
  heading: string;
  lead: Fragment;
  body?: Fragment;
  actions?: Fragment;
  head?: Fragment;
}

function outcomePage(visit: Visit, { tone, icon, heading, lead, body, actions, head }: Outcome): Html {
  return visitLayout(visit, {
    title: `${heading} – ${visit.merchantName}`,
    style: 'outcome',
    head,
    main: html`<main class="panel outcome ${tone}">
${merchantHeader(visit)}
<div class="badge">${icon}</div>
<h1>${heading}</h1>
<p class="lead">${lead}</p>
${body}
<div class="actions">${actions}</div>
</main>`,
  });
}

function receipt(visit: Visit): Html {
  const { payment, locale } = visit;
  const { paymentMethod, completedAt, description } = payment;
  return html`<dl class="facts receipt">
<div><dt>Amount</dt><dd>${amountOf(visit)}</dd></div>
${description && html`<div><dt>For</dt><dd>${description}</dd></div>`}
<div><dt>Reference</dt><dd>${payment.reference}</dd></div>
${paymentMethod && html`<div><dt>Card</dt><dd>${brandNames[paymentMethod.brand]} ending in ${paymentMethod.last4}</dd></div>`}
${completedAt && html`<div><dt>Paid on</dt><dd>${moment(completedAt, locale)}</dd></div>`}
<div><dt>Email</dt><dd>${payment.customerEmail}</dd></div>
</dl>`;
}

const brandNames = { visa: 'Visa', mastercard: 'Mastercard', unknown: 'Card' };

function backLink(visit: Visit, afterSeconds?: number): Html | null {
  const address = returnAddress(visit.payment);
  if (address === null) return null;
  const timer = afterSeconds && html` data-go-after="${afterSeconds}"`;
  return html`<a class="button primary" href="${address}"${timer}>Return to ${visit.merchantName}</a>
${
  afterSeconds &&
  html`<p class="going">Taking you back in <span data-countdown>${seconds(afterSeconds)}</span>.
<a href="${pathOf(visit)}">Stay on this page</a></p>`
}`;
}

function seconds(count: number): string {
  return count === 1 ? '1 second' : `${count} seconds`;
}

/** With script the page does it itself, and the customer can see it coming. */
export function refreshWithoutScript(address: string, afterSeconds: number): Html {
  return html`<noscript><meta http-equiv="refresh" content="${afterSeconds};url=${address}"></noscript>`;
}
