import { type Html, html } from '../../kit/html.ts';
import { adviceText, reasonText } from './decline-words.ts';
import { methodDescription } from './method-words.ts';
import { chargeText, type Visit } from './visit.ts';

export const declineBannerId = 'declined';

/** A processor with its own page counts the attempts and gives advice there. */
export function declineBanner(visit: Visit): Html | false {
  const { payment, testCards, words } = visit;
  if (!payment.wasDeclined) return false;
  const nextSteps = testCards
    ? `${words.text('form.attemptsLeft', { attempts: payment.attemptsLeft })} ${adviceText(visit)}`
    : words.text('declined.canTryAgain');
  return html`<div class="notice" id="${declineBannerId}">
<h2>${words.text('declined.heading')}</h2>
${payment.paymentMethod && html`<p class="declined-card">${methodDescription(visit, payment.paymentMethod)}</p>`}
<p>${reasonText(visit)} ${chargeText(visit)}</p>
<p>${nextSteps}</p>
</div>`;
}
