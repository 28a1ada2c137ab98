/** The pages after a decline. They say which card was declined, why, and what the customer can do now. */
import { type Html, html } from '../kit/html.ts';
import { leaveForm } from './form.page.ts';
import { icons } from './layout.ts';
import { backLink, outcomePage, paymentFacts, refreshWithoutScript } from './outcome.page.ts';
import { returnAddress } from './return-address.ts';
import { countdown } from './summary.ts';
import { chargeText, pathOf, type Visit } from './visit.ts';

const leftReturnSeconds = 1;

export function declinedPage(visit: Visit): Html {
  const { payment } = visit;
  return outcomePage(visit, {
    tone: 'bad',
    icon: icons.cross,
    heading: 'Payment declined',
    lead: reason(visit),
    body: html`<p>${visit.testCards ? nextSteps(payment) : 'You can try again, with this card or another one.'}</p>
${paymentFacts(visit)}
${countdown(visit)}`,
    actions: html`<a class="button primary" href="${pathOf(visit, 'again')}">Try again</a>
${leaveForm(visit)}`,
  });
}

/** For our own card form only: a processor with its own page counts the attempts and gives advice there. */
function nextSteps({ attemptsLeft, failureCode }: Visit['payment']): string {
  const attempts = attemptsLeft === 1 ? '1 more attempt' : `${attemptsLeft} more attempts`;
  return `You have ${attempts}. ${advice[failureCode ?? ''] ?? 'Try another card, or ask your bank about this one'}.`;
}

/** The payment has failed: its last attempt was declined, or the customer returned to the merchant. */
export function failedPage(visit: Visit): Html {
  const { payment, merchantName } = visit;
  const address = returnAddress(payment);
  const isLeaving = visit.step === 'left' && address !== null;
  return outcomePage(visit, {
    tone: 'bad',
    icon: icons.cross,
    heading: 'Payment not completed',
    lead: reason(visit),
    body: html`<p>This link can no longer be used. To try once more, start again at <bdi>${merchantName}</bdi>.</p>
${paymentFacts(visit)}`,
    actions: backLink(visit, isLeaving ? leftReturnSeconds : undefined),
    head: isLeaving && refreshWithoutScript(address, leftReturnSeconds),
  });
}

function reason(visit: Visit): Html {
  return html`${visit.payment.failureMessage ?? 'The card was declined'}. ${chargeText(visit)}.`;
}

/**
 * Advice by failure code. `lost_card` has none, because the person
 * with the card must not learn that it was reported lost.
 */
const advice: Record<string, string> = {
  insufficient_funds: 'Use another card, or add money to this one',
  expired_card: 'Check the expiry date, or use another card',
  incorrect_cvc: 'Check the security code, or use another card',
  processing_error: 'Try the same card once more, or another one',
  authentication_failed: 'Try again and confirm the payment with your bank, or use another card',
};
