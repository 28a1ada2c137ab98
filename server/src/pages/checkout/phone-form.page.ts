import { type Html, html } from '../../kit/html.ts';
import { operatorName } from '../../kit/payment-method.ts';
import type { TestPhone } from '../../processors/port.ts';
import { declineBannerId } from './decline-banner.ts';
import { type Entered, hasMistakes } from './entered.ts';
import { icons } from './layout.ts';
import type { PhoneField } from './read-phone-form.ts';
import { sendingStatus, submitButton } from './submit-button.ts';
import { amountHtml, type Phones, pathOf, type Visit } from './visit.ts';
import type { WordKey } from './words/catalogues.ts';

/** The server checks the form, so the messages are in the language of the page also without script. */
export function phoneForm(visit: Visit, { operators, countryCode }: Phones, entered: Entered): Html {
  const { words, nonce, payment } = visit;
  const { errors, phone } = entered;
  const isDeclined = payment.wasDeclined && payment.paymentMethod?.type === 'mobile_money' && !hasMistakes(entered);
  const described = (name: PhoneField) =>
    html`aria-describedby="${isDeclined && name === 'phone' && html`${declineBannerId} `}${name}-error"${errors[name] && html` aria-invalid="true"`}`;
  const error = (name: PhoneField) =>
    html`<p class="field-error" id="${name}-error"${!errors[name] && html` hidden`}>${errors[name] && words.text(errors[name])}</p>`;
  return html`<form method="post" action="${pathOf(visit)}" data-once novalidate>
<input type="hidden" name="nonce" value="${nonce}">
<input type="hidden" name="method" value="mobile_money">
<p class="method-note">${words.text('phone.explain')}</p>
<div class="field">
<label for="operator">${words.text('phone.operator')}</label>
<select id="operator" name="operator" required ${described('operator')}>
${operators.length > 1 && html`<option value="">${words.text('phone.choose')}</option>`}
${operators.map((operator) => html`<option value="${operator}"${operator === phone.operator && html` selected`}>${operatorName(operator)}</option>`)}
</select>
${error('operator')}
</div>
<div class="field">
<label for="phone">${words.text('phone.number')}</label>
<input id="phone" name="phone" type="tel" required dir="ltr" autocomplete="tel" maxlength="40" placeholder="+${countryCode}" value="${phone.phone}" ${described('phone')}${isDeclined && html` autofocus`}>
${error('phone')}
</div>
${submitButton({ icon: icons.lock, label: words.html('form.pay', { amount: amountHtml(visit) }), busyLabel: words.text('leave.busy') })}
${sendingStatus}
</form>`;
}

const outcomes: Record<TestPhone['outcome'], WordKey> = {
  confirms: 'testPhone.confirms',
  declines: 'testPhone.declines',
  lacks_funds: 'testCard.insufficientFunds',
  times_out: 'testPhone.timesOut',
};

/** The list is collapsed, because only developers need it. With script, a click on a number fills in the form. */
export function testPhonePanel({ words }: Visit, testNumbers: readonly TestPhone[]): Html {
  return html`<details class="test-cards">
<summary>${words.text('testPhones.heading')}</summary>
<p>${words.text('testPhones.rest')}</p>
<ul>${testNumbers.map(({ number, outcome }) => {
    const shown = `+${number}`;
    const result = words.text(outcomes[outcome]);
    return html`<li class="plain">
<span class="test-number" dir="ltr">${shown}</span>
<span class="test-outcome">${result}</span>
<button type="button" data-phone="${shown}" aria-label="${words.text('testPhones.useThis', { number: shown, outcome: result })}" hidden>${words.text('testCards.use')}</button>
</li>`;
  })}</ul>
</details>`;
}
