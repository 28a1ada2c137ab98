/** What a customer reads of a card that was declined: which, why, and what they can do now. */
import { type Html, html } from '../kit/html.ts';
import { leaveForm } from './form.page.ts';
import { icons } from './layout.ts';
import { backLink, outcomePage, paymentFacts, refreshWithoutScript } from './outcome.page.ts';
import { returnAddress } from './return-address.ts';
import { countdown } from './summary.ts';
import { chargeWords, pathOf, type Visit } from './visit.ts';

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

/** Where the processor asks for cards, it counts them itself, and says what helps. */
function nextSteps({ attemptsLeft, failureCode }: Visit['payment']): string {
  const attempts = attemptsLeft === 1 ? '1 more attempt' : `${attemptsLeft} more attempts`;
  return `You have ${attempts}. ${advice[failureCode ?? ''] ?? 'Try another card, or ask your bank about this one'}.`;
}

/** Failed for good, by the last decline or because the customer gave up. */
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
  return html`${visit.payment.failureMessage ?? 'The card was declined'}. ${chargeWords(visit)}.`;
}

/** By the reason. A lost card has none of its own: whoever holds it is not told. */
const advice: Record<string, string> = {
  insufficient_funds: 'Use another card, or add money to this one',
  expired_card: 'Check the expiry date, or use another card',
  incorrect_cvc: 'Check the security code, or use another card',
  processing_error: 'Try the same card once more, or another one',
  authentication_failed: 'Try again and confirm the payment with your bank, or use another card',
};
