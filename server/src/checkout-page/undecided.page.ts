/** Pages of a payment that nobody pays just now: it is being decided, or its time has passed. */
import { type Fragment, type Html, html } from '../kit/html.ts';
import { icons } from './layout.ts';
import { backLink, outcomePage, refreshWithoutScript } from './outcome.page.ts';
import { amountIn, chargeWords, pathOf, type Step, type Visit } from './visit.ts';

const pollSeconds = 3;

export function processingPage(visit: Visit): Html {
  return lookingPage(visit, {
    step: 'sent',
    heading: 'Still processing',
    lead: html`Your payment of <strong>${amountIn(visit)}</strong> is being confirmed. Please do not pay again.`,
    meanwhile: html`This page looks again every few seconds. You may also close it: <bdi>${visit.merchantName}</bdi> will be told.`,
    whenSlow: 'This takes longer than usual. Nothing is wrong, and you need not wait here.',
    again: 'Look again',
  });
}

/** The processor has not said yet where it takes the card, so nobody has given one. Leads on as soon as it has. */
export function connectingPage(visit: Visit): Html {
  return lookingPage(visit, {
    step: 'onward',
    heading: 'Reaching the payment page',
    lead: html`The secure page of our payment partner has not answered yet. Nothing was charged.`,
    meanwhile: 'This page tries again every few seconds and takes you there.',
    whenSlow: 'This takes longer than usual. You may also come back later by the same link.',
    again: 'Try again now',
    otherwise: html`
<a class="button secondary" href="${pathOf(visit)}/back" rel="nofollow">Go back</a>`,
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

interface Looking {
  /** As whom the page looks again. */
  step: Step;
  heading: string;
  lead: Html;
  meanwhile: Fragment;
  whenSlow: string;
  again: string;
  /** What else the customer can do. */
  otherwise?: Html;
}

/** Looks again by itself: with script behind the page, which stays as it is until there is news; without, by reloading. */
function lookingPage(visit: Visit, { step, heading, lead, meanwhile, whenSlow, again, otherwise }: Looking): Html {
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
