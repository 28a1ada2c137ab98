/** The simulator's 3-D Secure step: what the bank of a real card would show, on a page of our own. */
import { type Html, html } from '../kit/html.ts';
import { icons, merchantHeader, visitLayout } from './layout.ts';
import { amountOf, pathOf, type Visit } from './visit.ts';

const passed = 'complete';
const failed = 'fail';

export function stepPage(visit: Visit): Html {
  const { payment, merchantName, nonce } = visit;
  const heading = 'Confirm it is you';
  return visitLayout(visit, {
    title: `${heading} – ${merchantName}`,
    style: 'outcome',
    main: html`<main class="panel outcome waiting step">
${merchantHeader(visit)}
<div class="badge">${icons.shield}</div>
<h1>${heading}</h1>
<p class="lead">The bank of the card ending in ${payment.paymentMethod?.last4} asks you to confirm <strong>${amountOf(visit)}</strong>.</p>
<p>This is a test: here a real bank would ask for a code or for its app. You decide what it answers.</p>
<form class="actions" method="post" action="${pathOf(visit)}/step">
<input type="hidden" name="nonce" value="${nonce}">
<button class="button primary" type="submit" name="step" value="${passed}">Complete authentication</button>
<button class="button secondary" type="submit" name="step" value="${failed}">Fail authentication</button>
</form>
</main>`,
  });
}

/** What the customer chose; null when the form says neither. */
export function hasPassedStep(body: unknown): boolean | null {
  const { step } = (body ?? {}) as { step?: unknown };
  if (step === passed) return true;
  return step === failed ? false : null;
}
