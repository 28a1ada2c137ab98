import { type Html, html } from '../../kit/html.ts';
import type { TestCard } from '../../processors/port.ts';
import { typedCardMarks } from './card-mark.ts';
import { declineBannerId } from './decline-banner.ts';
import { fieldToCorrect } from './decline-words.ts';
import { inEveryScript } from './digits.ts';
import { type Entered, formTitle, hasMistakes } from './entered.ts';
import { icons } from './layout.ts';
import { type CardField, type CardProblem, problems } from './read-card-form.ts';
import { sendingStatus, submitButton } from './submit-button.ts';
import { numberPattern } from './test-cards.ts';
import { amountHtml, pathOf, type Visit } from './visit.ts';

const separator = '\\s*[\\/.\\-]?\\s*';
/** Month and year, or year and month, which is the format of `cc-exp` in the HTML standard. */
const expiryPattern = inEveryScript(
  `\\s*((0?[1-9]|1[0-2])${separator}(20)?[0-9][0-9]|20[0-9][0-9]${separator}(0[1-9]|1[0-2]))\\s*`,
);
const cvcPattern = inEveryScript('\\s*[0-9]\\s*[0-9]\\s*[0-9]\\s*([0-9]\\s*)?');
/** The rule of `isCardName`, as a pattern for browsers. */
const namePattern = '(?!.*(?:\\p{Nd}[\\s\\-]{0,3}){12}).*';

export function cardForm(visit: Visit, testCards: readonly TestCard[], entered: Entered): Html {
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
