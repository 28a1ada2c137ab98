import { returnAddress } from '@tillhook/openapi/rules/return-address';
import { type Html, html } from '../../kit/html.ts';
import { sendingStatus, submitButton } from './submit-button.ts';
import { merchantHtml, pathOf, type Visit } from './visit.ts';

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
