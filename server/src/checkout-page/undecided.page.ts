/** Pages of a payment that cannot be paid at the moment: its attempt is being decided, or it has expired. */
import { type Fragment, type Html, html } from '../kit/html.ts';
import { icons } from './layout.ts';
import { backLink, outcomePage, refreshWithoutScript } from './outcome.page.ts';
import { amountHtml, chargeText, pathOf, type Step, type Visit } from './visit.ts';

const pollSeconds = 3;

export function processingPage(visit: Visit): Html {
  return pollingPage(visit, {
    step: 'sent',
    heading: 'Still processing',
    lead: html`Your payment of <strong>${amountHtml(visit)}</strong> is being confirmed. Please do not pay again.`,
    meanwhile: html`This page checks again every few seconds. You can also close it: <bdi>${visit.merchantName}</bdi> gets the result.`,
    whenSlow: 'This takes longer than usual. Nothing is wrong, and you do not have to wait here.',
    again: 'Look again',
  });
}

/**
 * The address of the processor's page is not known yet, so no card
 * was given. The page leads there as soon as it is known.
 */
export function connectingPage(visit: Visit): Html {
  return pollingPage(visit, {
    step: 'onward',
    heading: 'Reaching the payment page',
    lead: html`The secure page of our payment partner has not answered yet. Nothing was charged.`,
    meanwhile: 'This page tries again every few seconds and takes you there.',
    whenSlow: 'This takes longer than usual. You can also come back later with the same link.',
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
    lead: html`The time to pay <strong>${amountHtml(visit)}</strong> has passed. ${chargeText(visit)}.`,
    body: html`<p>Ask <bdi>${visit.merchantName}</bdi> for a new link to pay.</p>`,
    actions: backLink(visit),
  });
}

interface Polling {
  /** The step in the address that the page loads again. */
  step: Step;
  heading: string;
  lead: Html;
  meanwhile: Fragment;
  whenSlow: string;
  again: string;
  /** Another action for the customer. */
  otherwise?: Html;
}

/**
 * A page that asks for the payment's status every few seconds. With script it polls in the background and reloads when
 * the status has changed. Without script it reloads every time.
 */
function pollingPage(visit: Visit, { step, heading, lead, meanwhile, whenSlow, again, otherwise }: Polling): Html {
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
