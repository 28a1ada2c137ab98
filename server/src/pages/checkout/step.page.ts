/** The page with the simulated 3-D Secure step. In live mode, the card's bank shows such a page. */
import { type Html, html } from '../../kit/html.ts';
import { cardDescription } from './card-mark.ts';
import { icons, merchantHeader, visitLayout } from './layout.ts';
import { sendingStatus, submitButton } from './submit-button.ts';
import { detail } from './summary.ts';
import { amountHtml, pathOf, type Visit } from './visit.ts';

const passed = 'complete';
const failed = 'fail';

export function stepPage(visit: Visit): Html {
  const { payment, merchantName, nonce, words } = visit;
  const heading = words.text('step.heading');
  return visitLayout(visit, {
    title: words.text('page.title', { heading, merchant: merchantName }),
    style: 'outcome',
    main: html`<main class="panel outcome step">
${merchantHeader(visit)}
<h1>${heading}</h1>
<p class="lead">${words.text('step.lead')}</p>
<dl class="details">
${detail(words.text('detail.amount'), html`<strong>${amountHtml(visit)}</strong>`)}
${detail(words.text('detail.card'), payment.paymentMethod && cardDescription(visit, payment.paymentMethod))}
</dl>
<section aria-labelledby="bank-name">
<h2 class="bank-name" id="bank-name">${icons.shield} <span>${words.text('step.bank')}</span> <span class="bank-scheme"><bdi dir="ltr">3-D Secure</bdi></span></h2>
<p class="aside">${words.text('step.testMode')}</p>
<form class="actions" method="post" action="${pathOf(visit)}/step" data-once>
<input type="hidden" name="nonce" value="${nonce}">
${submitButton({ name: 'step', value: passed, label: words.text('step.pass'), busyLabel: words.text('step.passing') })}
${submitButton({ name: 'step', value: failed, label: words.text('step.fail'), busyLabel: words.text('leave.busy'), look: 'secondary' })}
${sendingStatus}
<a class="quiet" href="${pathOf(visit)}/back" rel="nofollow">${words.text('step.cancel')}</a>
</form>
</section>
</main>`,
  });
}

/** True when the customer pressed the button that passes the step; null when the form contains no button. */
export function hasPassedStep(body: unknown): boolean | null {
  const { step } = (body ?? {}) as { step?: unknown };
  if (step === passed) return true;
  return step === failed ? false : null;
}
