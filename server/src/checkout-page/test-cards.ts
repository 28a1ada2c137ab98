import { type Html, html } from '../kit/html.ts';
import type { TestCard } from '../processors/port.ts';

/** To be filled in with one click, which takes script; without it, to be typed. */
export function testCardPanel(testCards: readonly TestCard[]): Html {
  const offered = testCards.filter(({ unavailable }) => !unavailable);
  return html`<section class="test-cards" id="test-cards" tabindex="-1" aria-labelledby="test-cards-heading">
<h2 id="test-cards-heading">Test cards</h2>
<p>With any expiry date to come, any security code and any name.</p>
${list(offered.filter(({ decline }) => !decline))}
<details>
<summary>Cards that are declined</summary>
${list(offered.filter(({ decline }) => decline))}
</details>
</section>`;
}

/** For the input's `pattern`: even without script the browser refuses any other number before it is sent. */
export function numberPattern(testCards: readonly TestCard[]): string {
  return testCards.map(({ number }) => grouped(number).replaceAll(' ', ' ?')).join('|');
}

function list(cards: readonly TestCard[]): Html {
  return html`<ul>${cards.map(
    ({ number, decline }) => html`<li>
<span class="test-number">${grouped(number)}</span>
<span class="test-outcome">${decline ? outcomeOf(decline.code) : 'Succeeds'}</span>
<button type="button" data-fill="${grouped(number)}" aria-label="Use the card ${grouped(number)}" hidden>Use</button>
</li>`,
  )}</ul>`;
}

/** `incorrect_cvc` is read as `Incorrect CVC`. */
function outcomeOf(code: string): string {
  const words = code.replaceAll('_', ' ').replace('cvc', 'CVC');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

function grouped(number: string): string {
  return number.replace(/\d{4}(?=\d)/g, '$& ');
}
