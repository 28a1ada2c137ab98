/**
 * Pages for a processor that asks for the card on its own page:
 * before the customer goes there, and while they may be there.
 */
import { type Html, html } from '../kit/html.ts';
import { forgedText, leaveControl } from './form.page.ts';
import { icons, visitLayout } from './layout.ts';
import { outcomePage, refreshWithoutScript } from './outcome.page.ts';
import { sendingStatus, submitButton } from './submit-button.ts';
import { summary } from './summary.ts';
import { amountHtml, amountText, pathOf, type Visit } from './visit.ts';

export function startPage(visit: Visit, { isForged }: { isForged?: boolean } = {}): Html {
  return visitLayout(visit, {
    title: `${isForged ? 'Error: ' : ''}Pay ${amountText(visit)} to ${visit.merchantName}`,
    style: 'form',
    main: html`<main class="checkout">
${summary(visit)}
<section class="panel pay" aria-labelledby="pay-heading">
<h1 id="pay-heading">Pay with card</h1>
${isForged && html`<div class="alert" role="alert" tabindex="-1" autofocus><p>${forgedText}</p></div>`}
${visit.payment.wasDeclined && html`<p class="notice">${visit.payment.failureMessage}. Nothing was charged.</p>`}
<ul class="assurances">
<li>${icons.lock} <span>You enter your card on the secure page of our payment partner.</span></li>
<li>${icons.back} <span>Afterwards you come back here and see that it is paid.</span></li>
</ul>
<form method="post" action="${pathOf(visit)}" data-once>
<input type="hidden" name="nonce" value="${visit.nonce}">
${submitButton({ icon: icons.lock, label: html`Continue to pay ${amountHtml(visit)}`, busyLabel: 'Taking you there…' })}
${sendingStatus}
</form>
${leaveControl(visit)}
</section>
</main>`,
  });
}

/**
 * Leads the customer on to the processor's page. A redirect as the answer to the form would not work, because browsers
 * apply the form's `form-action` policy to redirects too.
 */
export function onwardPage(visit: Visit, actionUrl: string): Html {
  return outcomePage(visit, {
    tone: 'waiting',
    icon: icons.spinner,
    heading: 'Taking you to the payment page',
    lead: html`You pay <strong>${amountHtml(visit)}</strong> to <bdi>${visit.merchantName}</bdi> on the secure page of our payment partner.`,
    actions: html`<a class="button primary" href="${actionUrl}" data-go-after="0">Continue to pay</a>`,
    head: refreshWithoutScript(actionUrl, 0),
  });
}

/** The customer was on the processor's page, and may still have it open in another tab. */
export function continuePage(visit: Visit, actionUrl: string): Html {
  const { failureMessage } = visit.payment;
  return outcomePage(visit, {
    tone: 'waiting',
    icon: icons.lock,
    heading: 'Your payment is waiting',
    lead: html`You have begun to pay <strong>${amountHtml(visit)}</strong> to <bdi>${visit.merchantName}</bdi>, and can continue where you stopped.`,
    body: failureMessage && html`<p>The last card did not work: ${failureMessage}. Nothing was charged.</p>`,
    actions: html`<a class="button primary" href="${actionUrl}">Continue to pay</a>
<a class="button secondary" href="${pathOf(visit)}/back" rel="nofollow">Start again</a>`,
  });
}
