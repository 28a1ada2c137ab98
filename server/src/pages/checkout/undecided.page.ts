/** Pages of a payment that has no result yet, or that has expired. */
import { type Fragment, type Html, html } from '../../kit/html.ts';
import { icons } from './layout.ts';
import { backLink, outcomePage, refreshWithoutScript } from './outcome.page.ts';
import { amountHtml, chargeText, merchantHtml, pathOf, type Step, strong, type Visit } from './visit.ts';

const pollSeconds = 3;

export function processingPage(visit: Visit): Html {
  const { words } = visit;
  return pollingPage(visit, {
    step: 'sent',
    heading: words.text('processing.heading'),
    lead: words.html('processing.lead', { b: strong, amount: amountHtml(visit) }),
    meanwhile: words.html('processing.meanwhile', { merchant: merchantHtml(visit) }),
    whenSlow: words.text('processing.slow'),
    again: words.text('processing.again'),
  });
}

/** Shown until the URL of the processor's page is known; then this page leads the customer there. */
export function connectingPage(visit: Visit): Html {
  const { words } = visit;
  return pollingPage(visit, {
    step: 'onward',
    heading: words.text('connecting.heading'),
    lead: words.text('connecting.lead'),
    meanwhile: words.text('connecting.meanwhile'),
    whenSlow: words.text('connecting.slow'),
    again: words.text('connecting.again'),
    otherwise: html`
<a class="button secondary" href="${pathOf(visit)}/back" rel="nofollow">${words.text('connecting.back')}</a>`,
  });
}

/** Another amount came than was asked for, or it came late, and an operator has to decide what becomes of it. */
export function reviewPage(visit: Visit): Html {
  const { payment, words } = visit;
  const isLate = !payment.reviewReasons.includes('amount_mismatch');
  return outcomePage(visit, {
    tone: 'waiting',
    icon: icons.clock,
    heading: words.text('review.heading'),
    lead: isLate ? words.text('review.late') : words.html('review.lead', { b: strong, amount: amountHtml(visit) }),
    body: html`<p>${words.html('review.meanwhile', { merchant: merchantHtml(visit) })}</p>`,
    actions: backLink(visit),
  });
}

export function expiredPage(visit: Visit): Html {
  const { words } = visit;
  return outcomePage(visit, {
    tone: 'waiting',
    icon: icons.clock,
    heading: words.text('expired.heading'),
    lead: html`${words.html('expired.lead', { b: strong, amount: amountHtml(visit) })} ${chargeText(visit)}`,
    body: html`<p>${words.html('expired.askForLink', { merchant: merchantHtml(visit) })}</p>`,
    actions: backLink(visit),
  });
}

interface Polling {
  step: Step;
  heading: string;
  lead: Fragment;
  meanwhile: Fragment;
  whenSlow: string;
  again: string;
  otherwise?: Html;
}

/**
 * Without script, the page reloads every few seconds. With script, it polls and reloads only after a change of status.
 */
export function pollingPage(
  visit: Visit,
  { step, heading, lead, meanwhile, whenSlow, again, otherwise }: Polling,
): Html {
  const path = pathOf(visit, step);
  return outcomePage(visit, {
    tone: 'waiting',
    icon: icons.spinner,
    heading,
    lead,
    body: html`<p>${meanwhile}</p>
<p role="status" data-slow="${whenSlow}"></p>`,
    actions: html`<a class="button secondary" href="${path}" data-poll="${pollSeconds}">${again}</a>${otherwise}`,
    head: refreshWithoutScript(path, pollSeconds),
  });
}
