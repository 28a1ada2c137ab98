import { type Fragment, type Html, html } from '../../kit/html.ts';
import { completeLocale } from '../../kit/locale.ts';
import { icons, merchantHeader } from './layout.ts';
import { foldingLineItems } from './line-items.ts';
import { amountHtml, amountText, type Visit } from './visit.ts';

/** The countdown is left out where the page follows the payment in another way. */
export function summary(visit: Visit, { countdown: timer = countdown(visit) }: { countdown?: Html | null } = {}): Html {
  const { payment, words } = visit;
  const isLong = amountText(visit).length > maxAmountLength;
  return html`<section class="summary" aria-label="${words.text('summary.label')}">
${merchantHeader(visit)}
<p class="amount${isLong && ' long'}">${amountHtml(visit)}</p>
${payment.description && html`<p class="description"><bdi>${payment.description}</bdi></p>`}
${foldingLineItems(visit)}
<dl class="details">
${detail(words.text('detail.email'), emailHtml(payment.customerEmail))}
</dl>
${timer}
</section>`;
}

/**
 * The maximum length of an amount in the normal font size. A longer amount gets a smaller font and stays on one line.
 */
const maxAmountLength = 13;

const countdownSeconds = 600;
/**
 * In test mode, `testAdvanceTime` may move the expiry closer, so the script requests the time left at this interval.
 */
const askEverySeconds = 3;

/** The time left to pay is hidden until the last ten minutes. */
export function countdown({ payment, now, words }: Visit): Html {
  const secondsLeft = Math.max(0, Math.ceil((payment.expiresAt.getTime() - now.getTime()) / 1000));
  const hidden = secondsLeft > countdownSeconds && html` hidden`;
  const asks = payment.mode === 'test' && html` data-ask-every="${askEverySeconds}"`;
  return html`<p class="countdown" role="timer" data-seconds-left="${secondsLeft}" data-shown-below="${countdownSeconds}"
data-locale="${completeLocale(words.locale)}"${asks}${hidden}>
${icons.clock} <span>${words.html('summary.timeLeft', {
    minutes: Math.ceil(secondsLeft / 60),
    time: (left) => html`<span data-countdown>${left}</span>`,
  })}</span>
</p>`;
}

/** A long address breaks after the `@`, if it can. */
export function emailHtml(email: string): Html {
  const at = email.lastIndexOf('@') + 1;
  return html`<bdi dir="ltr">${email.slice(0, at)}<wbr>${email.slice(at)}</bdi>`;
}

export function detail(name: string, value: Fragment): Html | null {
  return value ? html`<div><dt>${name}</dt><dd>${value}</dd></div>` : null;
}
