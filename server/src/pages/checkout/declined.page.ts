import { type Html, html } from '../../kit/html.ts';
import { leaveForm } from './card-form.page.ts';
import { adviceText, reasonText } from './decline-words.ts';
import { icons } from './layout.ts';
import { outcomePage, paymentDetails, wayBack } from './outcome.page.ts';
import { countdown } from './summary.ts';
import { chargeText, merchantHtml, pathOf, type Visit } from './visit.ts';

export function declinedPage(visit: Visit): Html {
  const { words } = visit;
  return outcomePage(visit, {
    tone: 'bad',
    icon: icons.cross,
    heading: words.text('declined.heading'),
    lead: reason(visit),
    body: html`<p>${visit.testCards ? nextSteps(visit) : words.text('declined.canTryAgain')}</p>
${paymentDetails(visit)}
${countdown(visit)}`,
    actions: html`<a class="button primary" href="${pathOf(visit, 'again')}">${words.text('declined.tryAgain')}</a>
${leaveForm(visit)}`,
  });
}

/** Used only with our own card form: a processor with its own page counts the attempts and gives advice there. */
function nextSteps(visit: Visit): string {
  const { payment, words } = visit;
  return `${words.text('declined.attemptsLeft', { attempts: payment.attemptsLeft })} ${adviceText(visit)}`;
}

/** The page of a failed payment: its last attempt was declined, or its time ran out after a decline. */
export function failedPage(visit: Visit): Html {
  const { words } = visit;
  return outcomePage(visit, {
    tone: 'bad',
    icon: icons.cross,
    heading: words.text('failed.heading'),
    lead: reason(visit),
    body: html`<p>${words.html('failed.linkIsOver', { merchant: merchantHtml(visit) })}</p>
${paymentDetails(visit)}`,
    ...wayBack(visit),
  });
}

function reason(visit: Visit): Html {
  return html`${reasonText(visit)} ${chargeText(visit)}`;
}
