import { type Html, html } from '../kit/html.ts';
import type { TestCard } from '../processors/port.ts';
import { type CardEcho, type CardErrors, type CardField, problems } from './card-form.ts';
import { cardMark, typedCardMarks } from './card-mark.ts';
import { icons, visitLayout } from './layout.ts';
import { returnAddress } from './return-address.ts';
import { sendingStatus, submitButton } from './submit-button.ts';
import { summary } from './summary.ts';
import { numberPattern, testCardPanel } from './test-cards.ts';
import { amountHtml, amountText, pathOf, type Visit } from './visit.ts';

export interface Entered {
  errors: CardErrors;
  echo: CardEcho;
  /** Whether the form that was sent had no valid nonce of ours. */
  isForged: boolean;
}

export const forgedText = 'We could not check that this form is ours, so nothing was sent. Please try again.';

const mistakeText = 'Please check the form';

const nothingEntered: Entered = { errors: {}, echo: { expiry: '', cardName: '' }, isForged: false };

/** The payment and the card form. After a mistake it says in words what is wrong, and leaves number and CVC empty. */
export function formPage(visit: Visit, testCards: readonly TestCard[], sent: Partial<Entered> = {}): Html {
  const entered = { ...nothingEntered, ...sent };
  const hasErrors = entered.isForged || Object.keys(entered.errors).length > 0;
  return visitLayout(visit, {
    title: `${hasErrors ? 'Error: ' : ''}Pay ${amountText(visit)} to ${visit.merchantName}`,
    style: 'form',
    testHint: html`<a href="#test-cards">Use a test card</a>`,
    main: html`<main class="checkout">
${summary(visit)}
<section class="panel pay" aria-labelledby="pay-heading">
<div class="pay-heading"><h1 id="pay-heading">Pay with card</h1>${cardMark(visit, 'visa')}${cardMark(visit, 'mastercard')}</div>
${lastDecline(visit)}
${errorSummary(entered)}
${cardForm(visit, testCards, entered)}
${leaveControl(visit)}
</section>
${testCardPanel(visit, testCards)}
</main>`,
  });
}

function lastDecline({ payment }: Visit): Html | false {
  if (!payment.wasDeclined) return false;
  const attempts = payment.attemptsLeft === 1 ? '1 attempt' : `${payment.attemptsLeft} attempts`;
  return html`<p class="notice">${payment.failureMessage ?? 'The last card was declined'}. You have ${attempts} left.</p>`;
}

/** It is always in the page, hidden when there are no errors, so that the script can fill it. */
function errorSummary({ errors, isForged }: Entered): Html {
  const found = Object.entries(errors);
  const isNeeded = isForged || found.length > 0;
  return html`<div class="alert" id="error-summary" role="alert" tabindex="-1" data-words="${mistakeText}"${isNeeded ? html` autofocus` : html` hidden`}>
<p>${isForged ? forgedText : mistakeText}</p>
<ul>${found.map(([field, problem]) => html`<li><a href="#${field}">${problem}</a></li>`)}</ul>
</div>`;
}

function cardForm(visit: Visit, testCards: readonly TestCard[], { errors, echo }: Entered): Html {
  const thisMonth = visit.now.toISOString().slice(0, 7);
  return html`<form method="post" action="${pathOf(visit)}" data-once data-card-form data-this-month="${thisMonth}">
<input type="hidden" name="nonce" value="${visit.nonce}">
${input('cardNumber', errors, {
  label: 'Card number',
  attributes: html`autocomplete="cc-number" inputmode="numeric" maxlength="26" placeholder="1234 1234 1234 1234"
pattern="${numberPattern(testCards)}" title="${problems.cardNumber.noTestCard}" data-wrong="${problems.cardNumber.noTestCard}"`,
  mark: typedCardMarks(visit),
})}
<div class="pair">
${input('expiry', errors, {
  label: 'Expiry date',
  attributes: html`autocomplete="cc-exp" inputmode="numeric" maxlength="9" placeholder="MM / YY" value="${echo.expiry}"
pattern="(0?[1-9]|1[0-2]) ?/? ?(20)?[0-9][0-9]" title="${problems.expiry.wrong}" data-wrong="${problems.expiry.wrong}"
data-past="${problems.expiry.past}"`,
})}
${input('cvc', errors, {
  label: 'Security code',
  attributes: html`autocomplete="cc-csc" inputmode="numeric" maxlength="4" placeholder="CVC"
pattern="[0-9]{3,4}" title="${problems.cvc.wrong}" data-wrong="${problems.cvc.wrong}"`,
})}
</div>
${input('cardName', errors, {
  label: 'Name on card',
  attributes: html`autocomplete="cc-name" maxlength="100" value="${echo.cardName}"
pattern="[^0-9]+" title="${problems.cardName.wrong}" data-wrong="${problems.cardName.wrong}"`,
})}
${submitButton({ icon: icons.lock, label: html`Pay ${amountHtml(visit)}`, busyLabel: 'Processing…' })}
${sendingStatus}
</form>`;
}

interface Input {
  label: string;
  attributes: Html;
  /** Shown inside the input's box. */
  mark?: Html;
}

function input(field: CardField, errors: CardErrors, { label, attributes, mark }: Input): Html {
  const problem = errors[field];
  return html`<div class="field">
<label for="${field}">${label}</label>
<div class="box">
<input id="${field}" name="${field}" type="text" dir="ltr" required spellcheck="false" aria-describedby="${field}-error" ${attributes}
data-missing="${problems[field].missing}"${problem && html` aria-invalid="true"`}>${mark}
</div>
<p class="field-error" id="${field}-error"${!problem && html` hidden`}>${problem}</p>
</div>`;
}

/**
 * The way back to the merchant. After a decline it fails the payment,
 * so it is a form and not a link that may be prefetched.
 */
export function leaveControl(visit: Visit): Html | false {
  const { payment, merchantName } = visit;
  if (payment.wasDeclined) return leaveForm(visit);
  const address = returnAddress(payment);
  return (
    address !== null &&
    html`<p class="leave"><a href="${address}">Cancel and return to <bdi>${merchantName}</bdi></a></p>`
  );
}

export function leaveForm(visit: Visit): Html {
  const goesBack = returnAddress(visit.payment) !== null;
  return html`<form method="post" action="${pathOf(visit)}/return" data-once>
${submitButton({
  look: 'secondary',
  label: goesBack ? html`Return to <bdi>${visit.merchantName}</bdi>` : 'Cancel this payment',
  busyLabel: 'One moment…',
})}
${sendingStatus}
</form>`;
}
