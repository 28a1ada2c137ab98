import { type Html, html } from '../kit/html.ts';
import { successOf, type TestCard } from '../processors/port.ts';
import { cardMark } from './card-mark.ts';
import type { Visit } from './visit.ts';

/** The list of test cards. With script, a click fills the form; without script, the customer types the number. */
export function testCardPanel(visit: Visit, testCards: readonly TestCard[]): Html {
  return html`<section class="test-cards" id="test-cards" tabindex="-1" aria-labelledby="test-cards-heading">
<h2 id="test-cards-heading">Test cards</h2>
<p>With any expiry date to come, any security code and any name.</p>
${list(
  visit,
  testCards.filter(({ decline }) => !decline),
)}
<details>
<summary>Cards that are declined</summary>
${list(
  visit,
  testCards.filter(({ decline }) => decline),
)}
</details>
</section>`;
}

/** The input's `pattern`. With it, the browser refuses any other number before it is sent, even without script. */
export function numberPattern(testCards: readonly TestCard[]): string {
  return testCards.map(({ number }) => grouped(number).replaceAll(' ', ' ?')).join('|');
}

function list(visit: Visit, cards: readonly TestCard[]): Html {
  return html`<ul>${cards.map(
    (card) => html`<li>
${cardMark(visit, card.brand)}
<span class="test-number" dir="ltr">${grouped(card.number)}</span>
<span class="test-outcome">${outcomeOf(card)}</span>
<button type="button" data-fill="${grouped(card.number)}" aria-label="Use the card ${grouped(card.number)}: ${outcomeOf(card)}" hidden>Use</button>
</li>`,
  )}</ul>`;
}

function outcomeOf(card: TestCard): string {
  return card.decline ? codeAsText(card.decline.code) : successOf(card);
}

/** `incorrect_cvc` is read as `Incorrect CVC`. */
function codeAsText(code: string): string {
  const words = code.replaceAll('_', ' ').replace('cvc', 'CVC');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

function grouped(number: string): string {
  return number.replace(/\d{4}(?=\d)/g, '$& ');
}
