/** Pages for a processor that asks for the card on its own page. */
import { type Html, html } from '../../kit/html.ts';
import { reasonText } from './decline-words.ts';
import { icons } from './layout.ts';
import { outcomePage, refreshWithoutScript } from './outcome.page.ts';
import { sendingStatus, submitButton } from './submit-button.ts';
import { amountHtml, merchantHtml, pathOf, strong, type Visit } from './visit.ts';

export function redirectForm(visit: Visit): Html {
  const { words } = visit;
  return html`<ul class="assurances">
<li>${icons.lock} <span>${words.text('start.assurance.card')}</span></li>
<li>${icons.back} <span>${words.text('start.assurance.return')}</span></li>
</ul>
<form method="post" action="${pathOf(visit)}" data-once>
<input type="hidden" name="nonce" value="${visit.nonce}">
${submitButton({ icon: icons.lock, label: words.html('start.pay', { amount: amountHtml(visit) }), busyLabel: words.text('start.paying') })}
${sendingStatus}
</form>`;
}

/** The response to the form cannot be a redirect: browsers apply the page's `form-action` policy to redirects too. */
export function onwardPage(visit: Visit, actionUrl: string): Html {
  const { words } = visit;
  return outcomePage(visit, {
    tone: 'waiting',
    icon: icons.spinner,
    heading: words.text('onward.heading'),
    lead: words.html('onward.lead', { b: strong, amount: amountHtml(visit), merchant: merchantHtml(visit) }),
    actions: html`<a class="button primary" href="${actionUrl}" data-go-after="0">${words.text('onward.continue')}</a>`,
    head: refreshWithoutScript(actionUrl, 0),
  });
}

/** Does not redirect, because the customer may still have the processor's page open in another tab. */
export function continuePage(visit: Visit, actionUrl: string): Html {
  const { words, payment } = visit;
  return outcomePage(visit, {
    tone: 'waiting',
    icon: icons.lock,
    heading: words.text('begun.heading'),
    lead: words.html('begun.lead', { b: strong, amount: amountHtml(visit), merchant: merchantHtml(visit) }),
    body:
      payment.wasDeclined &&
      html`<p>${words.text('begun.lastCard')} ${reasonText(visit)} ${words.text('charge.none')}</p>`,
    actions: html`<a class="button primary" href="${actionUrl}">${words.text('onward.continue')}</a>
<a class="button secondary" href="${pathOf(visit)}/back" rel="nofollow">${words.text('begun.startAgain')}</a>`,
  });
}
