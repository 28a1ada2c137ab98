/** For a processor that asks for the card on a page of its own: before the customer goes there, and while they may be there. */
import { type Html, html } from '../kit/html.ts';
import { forgedWords, leave } from './form.page.ts';
import { icons, merchantHeader, visitLayout } from './layout.ts';
import { refreshWithoutScript } from './outcome.page.ts';
import { summary } from './summary.ts';
import { amountOf, pathOf, type Visit } from './visit.ts';

export function startPage(visit: Visit, { isForged }: { isForged?: boolean } = {}): Html {
  return visitLayout(visit, {
    title: `Pay ${amountOf(visit)} to ${visit.merchantName}`,
    style: 'form',
    main: html`<main class="checkout">
${summary(visit)}
<section class="panel pay" aria-labelledby="pay-heading">
<h1 id="pay-heading">Pay with card</h1>
${isForged && html`<div class="alert" role="alert" tabindex="-1" autofocus><p>${forgedWords}</p></div>`}
<p>You enter your card on the secure page of our payment partner, and come back here afterwards.</p>
<form method="post" action="${pathOf(visit)}" data-once>
<input type="hidden" name="nonce" value="${visit.nonce}">
<button class="button primary" type="submit" data-busy="One moment…">${icons.lock} <span data-label>Continue to pay ${amountOf(visit)}</span></button>
</form>
${leave(visit)}
</section>
</main>`,
  });
}

/** Our answer to the form leads on from here, because browsers hold a redirect after it to the form's own policy. */
export function onwardPage(visit: Visit, actionUrl: string): Html {
  return waitingPage(visit, {
    heading: 'Taking you to the payment page',
    words: html`You pay <strong>${amountOf(visit)}</strong> to ${visit.merchantName} on the secure page of our payment partner.`,
    actions: html`<a class="button primary" href="${actionUrl}" data-go-after="0">Continue to pay</a>`,
    head: refreshWithoutScript(actionUrl, 0),
  });
}

/** The customer was there, and may still be in another tab. */
export function continuePage(visit: Visit, actionUrl: string): Html {
  return waitingPage(visit, {
    heading: 'Your payment is waiting',
    words: html`You have begun to pay <strong>${amountOf(visit)}</strong> to ${visit.merchantName} and can go on where you left.`,
    actions: html`<a class="button primary" href="${actionUrl}">Continue to pay</a>
<a class="button secondary" href="${pathOf(visit)}/back" rel="nofollow">Start again</a>`,
  });
}

interface Waiting {
  heading: string;
  words: Html;
  actions: Html;
  head?: Html;
}

function waitingPage(visit: Visit, { heading, words, actions, head }: Waiting): Html {
  return visitLayout(visit, {
    title: `${heading} – ${visit.merchantName}`,
    style: 'outcome',
    head,
    main: html`<main class="panel outcome waiting">
${merchantHeader(visit)}
<div class="badge">${icons.lock}</div>
<h1>${heading}</h1>
<p class="lead">${words}</p>
<div class="actions">${actions}</div>
</main>`,
  });
}
