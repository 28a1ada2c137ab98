import { type Html, html } from '../../kit/html.ts';
import type { PaymentMethodType } from '../../kit/payment-method.ts';
import type { CardEcho, CardErrors } from './read-card-form.ts';
import type { PhoneEcho, PhoneErrors } from './read-phone-form.ts';
import { amountText, type Visit } from './visit.ts';

/** What the customer sent, for the page that shows the form again. */
export interface Entered {
  method: PaymentMethodType | null;
  errors: CardErrors & PhoneErrors;
  echo: CardEcho;
  phone: PhoneEcho;
  /** Whether the submitted form had no valid nonce. */
  isForged: boolean;
}

export const nothingEntered: Entered = {
  method: null,
  errors: {},
  echo: { expiry: '', cardName: '' },
  phone: { operator: '', phone: '' },
  isForged: false,
};

export const hasMistakes = ({ errors, isForged }: Entered) => isForged || Object.keys(errors).length > 0;

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
export function errorSummary({ words }: Visit, entered: Entered): Html {
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
