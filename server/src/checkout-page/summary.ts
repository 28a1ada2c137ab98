import { type Fragment, type Html, html } from '../kit/html.ts';
import { icons, merchantHeader } from './layout.ts';
import { amountIn, amountOf, type Visit } from './visit.ts';

/** What is being paid for, and how long it may be. */
export function summary(visit: Visit): Html {
  const { payment } = visit;
  const isLong = amountOf(visit).length > longestAmount;
  return html`<section class="summary" aria-label="Your payment">
${merchantHeader(visit)}
<p class="amount${isLong && ' long'}">${amountIn(visit)}</p>
${payment.description && html`<p class="description"><bdi>${payment.description}</bdi></p>`}
<dl class="facts">
${fact('Email', html`<bdi>${payment.customerEmail}</bdi>`)}
${fact('Reference', html`<bdi>${payment.reference}</bdi>`)}
</dl>
${countdown(visit)}
</section>`;
}

/** In characters; a longer one is set smaller, so that it stays on one line. */
const longestAmount = 13;

const countdownSeconds = 600;

/** Shown in the last ten minutes only; a page left open brings it up by script. */
export function countdown({ payment, now }: Visit): Html {
  const secondsLeft = Math.max(0, Math.ceil((payment.expiresAt.getTime() - now.getTime()) / 1000));
  const minutesLeft = Math.ceil(secondsLeft / 60);
  const hidden = secondsLeft > countdownSeconds && html` hidden`;
  return html`<p class="countdown" role="timer" data-seconds-left="${secondsLeft}" data-shown-below="${countdownSeconds}"${hidden}>
${icons.clock} <span>Time left to pay: <span data-countdown>${minutesLeft} ${minutesLeft === 1 ? 'minute' : 'minutes'}</span></span>
</p>`;
}

/** One line of a list of facts; none when there is nothing to say. */
export function fact(name: string, value: Fragment): Html | null {
  return value ? html`<div><dt>${name}</dt><dd>${value}</dd></div>` : null;
}
