/** Pages of a payment that nobody pays just now: it is being decided, or its time has passed. */
import { type Html, html } from '../kit/html.ts';
import { icons } from './layout.ts';
import { backLink, outcomePage, refreshWithoutScript } from './outcome.page.ts';
import { amountIn, chargeWords, pathOf, type Visit } from './visit.ts';

const pollSeconds = 3;

/** Looks again by itself: with script behind the page, which stays as it is until there is news; without, by reloading. */
export function processingPage(visit: Visit): Html {
  const path = pathOf(visit, 'sent');
  return outcomePage(visit, {
    tone: 'waiting',
    icon: html`<span class="spinner" aria-hidden="true"></span>`,
    heading: 'Still processing',
    lead: html`Your payment of <strong>${amountIn(visit)}</strong> is being confirmed. Please do not pay again.`,
    body: html`<p>This page looks again every few seconds. You may also close it: <bdi>${visit.merchantName}</bdi> will be told.</p>
<p role="status" data-slow="This takes longer than usual. Nothing is wrong, and you need not wait here."></p>`,
    actions: html`<a class="button secondary" href="${path}" data-poll="${pollSeconds}">Look again</a>`,
    head: refreshWithoutScript(path, pollSeconds),
  });
}

/** The processor has not said yet where it takes the card, so nobody has given one. Leads on as soon as it has. */
export function connectingPage(visit: Visit): Html {
  const path = pathOf(visit, 'onward');
  return outcomePage(visit, {
    tone: 'waiting',
    icon: html`<span class="spinner" aria-hidden="true"></span>`,
    heading: 'Reaching the payment page',
    lead: html`The secure page of our payment partner has not answered yet. Nothing was charged.`,
    body: html`<p>This page tries again every few seconds and takes you there.</p>
<p role="status" data-slow="This takes longer than usual. You may also come back later by the same link."></p>`,
    actions: html`<a class="button secondary" href="${path}" data-poll="${pollSeconds}">Try again now</a>
<a class="button secondary" href="${pathOf(visit)}/back" rel="nofollow">Go back</a>`,
    head: refreshWithoutScript(path, pollSeconds),
  });
}

export function expiredPage(visit: Visit): Html {
  return outcomePage(visit, {
    tone: 'waiting',
    icon: icons.clock,
    heading: 'This link has expired',
    lead: html`The time to pay <strong>${amountIn(visit)}</strong> has passed. ${chargeWords(visit)}.`,
    body: html`<p>Ask <bdi>${visit.merchantName}</bdi> for a new link to pay.</p>`,
    actions: backLink(visit),
  });
}
