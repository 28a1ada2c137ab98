import { type Html, html } from '../kit/html.ts';
import type { TestCard } from '../processors/port.ts';
import { cardMark } from './card-mark.ts';
import type { Visit } from './visit.ts';

/** To be filled in with one click, which takes script; without it, to be typed. */
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

/** For the input's `pattern`: even without script the browser refuses any other number before it is sent. */
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

function outcomeOf({ decline, asksForStep }: TestCard): string {
  if (decline) return inWords(decline.code);
  return asksForStep ? 'Asks for 3-D Secure' : 'Succeeds';
}

/** `incorrect_cvc` is read as `Incorrect CVC`. */
function inWords(code: string): string {
  const words = code.replaceAll('_', ' ').replace('cvc', 'CVC');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

function grouped(number: string): string {
  return number.replace(/\d{4}(?=\d)/g, '$& ');
}
