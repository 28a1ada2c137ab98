import { returnAddress } from '@tillhook/openapi/rules/return-address';
import { type Html, html } from '../../kit/html.ts';
import type { TestCard } from '../../processors/port.ts';
import { cardMark, typedCardMarks } from './card-mark.ts';
import { declineBanner, declineBannerId } from './decline-banner.ts';
import { fieldToCorrect } from './decline-words.ts';
import { inEveryScript } from './digits.ts';
import { icons, visitLayout } from './layout.ts';
import { type CardEcho, type CardErrors, type CardField, type CardProblem, problems } from './read-card-form.ts';
import { sendingStatus, submitButton } from './submit-button.ts';
import { summary } from './summary.ts';
import { numberPattern, testCardPanel } from './test-cards.ts';
import { amountHtml, amountText, merchantHtml, pathOf, type Visit } from './visit.ts';

export interface Entered {
  errors: CardErrors;
  echo: CardEcho;
  /** Whether the submitted form had no valid nonce. */
  isForged: boolean;
}

const separator = '\\s*[\\/.\\-]?\\s*';
/** Month and year, or year and month, which is the format of `cc-exp` in the HTML standard. */
const expiryPattern = inEveryScript(
  `\\s*((0?[1-9]|1[0-2])${separator}(20)?[0-9][0-9]|20[0-9][0-9]${separator}(0[1-9]|1[0-2]))\\s*`,
);
const cvcPattern = inEveryScript('\\s*[0-9]\\s*[0-9]\\s*[0-9]\\s*([0-9]\\s*)?');
/** The rule of `isCardName`, as a pattern for browsers. */
const namePattern = '(?!.*(?:\\p{Nd}[\\s\\-]{0,3}){12}).*';

const nothingEntered: Entered = { errors: {}, echo: { expiry: '', cardName: '' }, isForged: false };

export function formPage(visit: Visit, testCards: readonly TestCard[], sent: Partial<Entered> = {}): Html {
  const { words } = visit;
  const entered = { ...nothingEntered, ...sent };
  return visitLayout(visit, {
    title: formTitle(visit, visit.payment.wasDeclined || hasMistakes(entered)),
    style: 'form',
    script: 'card-form',
    head: html`<link rel="modulepreload" href="${visit.base}/assets/card-fields.js">
<link rel="stylesheet" href="${visit.base}/assets/test-cards.css">`,
    testHint: html`<a href="#test-cards" data-opens>${words.text('form.useTestCard')}</a>`,
    main: html`<main class="checkout">
${summary(visit)}
<section class="panel pay" aria-labelledby="pay-heading">
<div class="pay-heading"><h1 id="pay-heading">${words.text('form.heading')}</h1>${acceptedBrands.map((brand) => cardMark(visit, brand))}</div>
${declineBanner(visit)}
${errorSummary(visit, entered)}
${cardForm(visit, testCards, entered)}
${leaveControl(visit)}
</section>
${testCardPanel(visit, testCards)}
</main>`,
  });
}

const hasMistakes = ({ errors, isForged }: Entered) => isForged || Object.keys(errors).length > 0;

const acceptedBrands = ['visa', 'mastercard', 'amex'] as const;

/** When a form has errors, its title begins with "Error:", because screen readers read the title first. */
export function formTitle(visit: Visit, hasErrors: boolean): string {
  const { words, merchantName: merchant } = visit;
  const title = words.text('form.title', { amount: amountText(visit), merchant });
  return hasErrors ? words.text('form.errorTitle', { title }) : title;
}

/**
 * The summary is always in the page, so that the script can fill it.
 * See docs/decisions/checkout-page.md, "Mistakes are announced once".
 */
function errorSummary({ words }: Visit, entered: Entered): Html {
  const { errors, isForged } = entered;
  const found = Object.entries(errors);
  const mistakes = words.text('form.mistakes');
  const isNeeded = hasMistakes(entered);
  return html`<div class="alert" id="error-summary" tabindex="-1" data-words="${mistakes}"${isNeeded ? html` autofocus` : html` hidden`}>
<div role="alert">
<p>${isForged ? words.text('form.forged') : mistakes}</p>
<ul>${found.map(([field, problem]) => html`<li><a href="#${field}">${words.text(problem)}</a></li>`)}</ul>
</div>
</div>`;
}

function cardForm(visit: Visit, testCards: readonly TestCard[], entered: Entered): Html {
  const { words } = visit;
  const { errors, echo } = entered;
  const focused = hasMistakes(entered) ? null : fieldToCorrect(visit);
  const thisMonth = visit.now.toISOString().slice(0, 7);
  const wrong = (problem: CardProblem) => html` title="${words.text(problem)}" data-wrong="${words.text(problem)}"`;
  const field = (name: CardField, rest: Input) =>
    input(visit, { name, problem: errors[name], isFocused: name === focused, ...rest });
  return html`<form method="post" action="${pathOf(visit)}" data-once data-card-form data-this-month="${thisMonth}"
data-title="${formTitle(visit, false)}" data-error-title="${formTitle(visit, true)}">
<input type="hidden" name="nonce" value="${visit.nonce}">
${field('cardNumber', {
  label: words.text('field.cardNumber'),
  attributes: html`dir="ltr" autocomplete="cc-number" inputmode="numeric" maxlength="80" placeholder="1234 1234 1234 1234"
pattern="${numberPattern(testCards)}" data-mistyped="${words.text(problems.cardNumber.wrong)}"${wrong(problems.cardNumber.noTestCard)}`,
  mark: typedCardMarks(visit),
})}
<div class="pair">
${field('expiry', {
  label: words.text('field.expiry'),
  attributes: html`dir="ltr" autocomplete="cc-exp" inputmode="numeric" maxlength="40" placeholder="${words.text('field.expiryHint')}" value="${echo.expiry}"
pattern="${expiryPattern}"${wrong(problems.expiry.wrong)}
data-past="${words.text(problems.expiry.past)}"`,
})}
${field('cvc', {
  label: words.text('field.cvc'),
  attributes: html`dir="ltr" autocomplete="cc-csc" inputmode="numeric" maxlength="40" placeholder="${words.text('field.cvcHint')}"
pattern="${cvcPattern}"${wrong(problems.cvc.wrong)}
data-wrong3="${words.text(problems.cvc.wrongOfThree)}" data-wrong4="${words.text(problems.cvc.wrongOfFour)}"`,
})}
</div>
${field('cardName', {
  label: words.text('field.cardName'),
  attributes: html`autocomplete="cc-name" maxlength="100" value="${echo.cardName}"
dir="auto" pattern="${namePattern}"${wrong(problems.cardName.wrong)}`,
})}
${submitButton({ icon: icons.lock, label: words.html('form.pay', { amount: amountHtml(visit) }), busyLabel: words.text('form.paying') })}
${sendingStatus}
</form>`;
}

interface Input {
  label: string;
  attributes: Html;
  /** A logo that is shown inside the input's box. */
  mark?: Html;
}

interface Field extends Input {
  name: CardField;
  problem: CardProblem | undefined;
  isFocused: boolean;
}

function input({ words }: Visit, { name, problem, isFocused, label, attributes, mark }: Field): Html {
  // Screen readers read the description of the focused field, so they also read why the card was declined.
  const describedBy = isFocused ? `${declineBannerId} ${name}-error` : `${name}-error`;
  return html`<div class="field">
<label for="${name}">${label}</label>
<div class="box">
<input id="${name}" name="${name}" type="text" required spellcheck="false" aria-describedby="${describedBy}" ${isFocused && html`autofocus `}${attributes}
data-missing="${words.text(problems[name].missing)}"${problem && html` aria-invalid="true"`}>${mark}
</div>
<p class="field-error" id="${name}-error"${!problem && html` hidden`}>${problem && words.text(problem)}</p>
</div>`;
}

/** After a decline, leaving makes the payment fail, so the control is a form: a browser may prefetch a link. */
export function leaveControl(visit: Visit): Html | false {
  const { payment, words } = visit;
  if (payment.wasDeclined) return leaveForm(visit);
  const address = returnAddress(payment);
  return (
    address !== null &&
    html`<p class="leave"><a href="${address}">${words.html('leave.link', { merchant: merchantHtml(visit) })}</a></p>`
  );
}

export function leaveForm(visit: Visit): Html {
  const { words } = visit;
  const goesBack = returnAddress(visit.payment) !== null;
  return html`<form method="post" action="${pathOf(visit)}/return" data-once>
${submitButton({
  look: 'secondary',
  label: goesBack ? words.html('leave.return', { merchant: merchantHtml(visit) }) : words.text('leave.cancel'),
  busyLabel: words.text('leave.busy'),
})}
${sendingStatus}
</form>`;
}
