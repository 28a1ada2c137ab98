/** The simulator's 3-D Secure step: our page shows what the bank of a real card would show. */
import { type Html, html } from '../kit/html.ts';
import { cardDescription } from './card-mark.ts';
import { icons, merchantHeader, visitLayout } from './layout.ts';
import { sendingStatus, submitButton } from './submit-button.ts';
import { fact } from './summary.ts';
import { amountHtml, pathOf, type Visit } from './visit.ts';

const passed = 'complete';
const failed = 'fail';

export function stepPage(visit: Visit): Html {
  const { payment, merchantName, nonce } = visit;
  const heading = 'Confirm it is you';
  return visitLayout(visit, {
    title: `${heading} – ${merchantName}`,
    style: 'outcome',
    main: html`<main class="panel outcome step">
${merchantHeader(visit)}
<section class="bank" aria-labelledby="step-heading">
<p class="bank-name">${icons.shield} <span>Test Bank</span> <span class="bank-scheme">3-D Secure</span></p>
<h1 id="step-heading">${heading}</h1>
<p class="lead">Your bank asks you to confirm this payment.</p>
<dl class="facts">
${fact('To', html`<bdi>${merchantName}</bdi>`)}
${fact('Amount', html`<strong>${amountHtml(visit)}</strong>`)}
${fact('Card', payment.paymentMethod && cardDescription(visit, payment.paymentMethod))}
</dl>
<p class="aside">Test mode: a real bank would ask for a code or for its app here. You decide what it answers.</p>
<form class="actions" method="post" action="${pathOf(visit)}/step" data-once>
<input type="hidden" name="nonce" value="${nonce}">
${submitButton({ name: 'step', value: passed, label: 'Complete authentication', busyLabel: 'Confirming…' })}
${submitButton({ name: 'step', value: failed, label: 'Fail authentication', busyLabel: 'One moment…', look: 'secondary' })}
${sendingStatus}
</form>
</section>
</main>`,
  });
}

/** Which button the customer pressed: true for the one that passes the step. Null when the form names no button. */
export function hasPassedStep(body: unknown): boolean | null {
  const { step } = (body ?? {}) as { step?: unknown };
  if (step === passed) return true;
  return step === failed ? false : null;
}
