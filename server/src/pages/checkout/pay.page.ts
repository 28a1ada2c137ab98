/** The page on which a customer chooses how to pay. With only one way to pay, there is nothing to choose. */
import { type Html, html } from '../../kit/html.ts';
import type { PaymentMethodType } from '../../kit/payment-method.ts';
import { cardForm } from './card-form.page.ts';
import { cardMark } from './card-mark.ts';
import { declineBanner } from './decline-banner.ts';
import { type Entered, errorSummary, formTitle, hasMistakes, nothingEntered } from './entered.ts';
import { icons, visitLayout } from './layout.ts';
import { leaveControl } from './leave-control.ts';
import { methodName } from './method-words.ts';
import { phoneForm, testPhonePanel } from './phone-form.page.ts';
import { redirectForm } from './redirect.page.ts';
import { sendingStatus, submitButton } from './submit-button.ts';
import { summary } from './summary.ts';
import { testCardPanel } from './test-cards.ts';
import { amountHtml, pathOf, strong, type Visit } from './visit.ts';

export function payPage(visit: Visit, sent: Partial<Entered> = {}): Html {
  const { methods, phones, words } = visit;
  const entered = { ...nothingEntered, ...sent };
  const testCards = methods.includes('card') ? visit.testCards : null;
  const testPhones = methods.includes('mobile_money') ? phones?.testNumbers : null;
  return visitLayout(visit, {
    title: formTitle(visit, visit.payment.wasDeclined || hasMistakes(entered)),
    style: 'form',
    ...(testCards && { script: 'card-form' }),
    head: html`${testCards && html`<link rel="modulepreload" href="${visit.base}/assets/card-fields.js">`}
${[...(testCards || testPhones ? ['test-cards'] : []), ...(methods.length > 1 ? ['methods'] : [])].map(
  (name) => html`<link rel="stylesheet" href="${visit.base}/assets/${name}.css">
`,
)}`,
    testHint: testCards && html`<a href="#test-cards" data-opens>${words.text('form.useTestCard')}</a>`,
    main: html`<main class="checkout">
${summary(visit)}
<section class="panel pay" aria-labelledby="pay-heading">
${heading(visit)}
${declineBanner(visit)}
${errorSummary(visit, entered)}
${methods.length > 1 ? methodList(visit, entered) : methods.map((method) => formOf(visit, method, entered))}
${leaveControl(visit)}
</section>
${(testCards || testPhones) && html`<div class="test-panels">${testCards && testCardPanel(visit, testCards)}${testPhones && testPhonePanel(visit, testPhones)}</div>`}
</main>`,
  });
}

function heading(visit: Visit): Html {
  const { methods, testCards, words } = visit;
  if (methods.length > 1) return html`<h1 id="pay-heading">${words.text('methods.heading')}</h1>`;
  if (methods[0] !== 'card') return html`<h1 id="pay-heading">${methods[0] && methodName(visit, methods[0])}</h1>`;
  const title = html`<h1 id="pay-heading">${words.text('form.heading')}</h1>`;
  return testCards ? html`<div class="pay-heading">${title}${acceptedMarks(visit)}</div>` : title;
}

const acceptedMarks = (visit: Visit) => acceptedBrands.map((brand) => cardMark(visit, brand));
const acceptedBrands = ['visa', 'mastercard', 'amex'] as const;

/**
 * The radio buttons belong to no form: a style sheet shows the form of the chosen one, so the list works without script.
 * See docs/decisions/checkout-page.md, "Each way to pay has a separate form".
 */
function methodList(visit: Visit, entered: Entered): Html {
  const chosen = chosenMethod(visit, entered);
  return html`<fieldset class="methods" aria-labelledby="pay-heading">${visit.methods.map(
    (method) => html`<div class="method">
<label class="method-choice"><input type="radio" name="shown" value="${method}"${method === chosen && html` checked`}> <span>${methodName(visit, method)}</span>${method === 'card' && visit.testCards && acceptedMarks(visit)}</label>
<div class="method-form">
${formOf(visit, method, entered)}
</div>
</div>`,
  )}</fieldset>`;
}

/** After a decline, the customer sees the form of the method that was declined. */
function chosenMethod({ methods, payment }: Visit, { method }: Entered): PaymentMethodType | undefined {
  const last = payment.wasDeclined ? payment.paymentMethod?.type : undefined;
  return methods.find((each) => each === (method ?? last)) ?? methods[0];
}

function formOf(visit: Visit, method: PaymentMethodType, entered: Entered): Html | null {
  switch (method) {
    case 'card':
      return visit.testCards ? cardForm(visit, visit.testCards, entered) : redirectForm(visit);
    case 'bank_transfer':
      return transferForm(visit);
    case 'mobile_money':
      return visit.phones && phoneForm(visit, visit.phones, entered);
  }
}

function transferForm(visit: Visit): Html {
  const { words, nonce } = visit;
  return html`<form method="post" action="${pathOf(visit)}" data-once>
<input type="hidden" name="nonce" value="${nonce}">
<input type="hidden" name="method" value="bank_transfer">
<p class="method-note">${words.html('transfer.explain', { b: strong, amount: amountHtml(visit) })}</p>
${submitButton({ icon: icons.bank, label: words.text('transfer.start'), busyLabel: words.text('leave.busy') })}
${sendingStatus}
</form>`;
}
