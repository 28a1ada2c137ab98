import { groupedNumber } from '../../kit/card.ts';
import { type Html, html } from '../../kit/html.ts';
import { remember } from '../../kit/remember.ts';
import type { TestCard } from '../../processors/port.ts';
import { cardMark } from './card-mark.ts';
import { testOutcomeText } from './decline-words.ts';
import { inEveryScript } from './digits.ts';
import type { Visit } from './visit.ts';

/** The list is collapsed, because only developers need it. With script, a click on a test card fills in the form. */
export function testCardPanel(visit: Visit, testCards: readonly TestCard[]): Html {
  const { words } = visit;
  return html`<details class="test-cards">
<summary>${words.text('testCards.heading')}</summary>
<div id="test-cards" tabindex="-1">
<p>${words.text('testCards.rest')}</p>
${list(
  visit,
  testCards.filter(({ decline }) => !decline),
)}
<h2>${words.text('testCards.declined')}</h2>
${list(
  visit,
  testCards.filter(({ decline }) => decline),
)}
</div>
</details>`;
}

/** With this pattern, the browser refuses all card numbers except those of test cards, even without script. */
export function numberPattern(testCards: readonly TestCard[]): string {
  const numbers = testCards.map(({ number }) => groupedNumber(number).replaceAll(' ', '[\\s\\-]*'));
  return patternOf(`\\s*(?:${numbers.join('|')})\\s*`);
}

const patternOf = remember(inEveryScript, 10);

function list(visit: Visit, cards: readonly TestCard[]): Html {
  return html`<ul>${cards.map((card) => item(visit, card))}</ul>`;
}

function item(visit: Visit, card: TestCard): Html {
  const { words } = visit;
  const number = groupedNumber(card.number);
  const outcome = testOutcomeText(visit, card);
  return html`<li>
${cardMark(visit, card.brand)}
<span class="test-number" dir="ltr">${number}</span>
<span class="test-outcome">${outcome}</span>
<button type="button" data-fill="${number}" data-holder="${words.text('testCards.holder')}" aria-label="${words.text('testCards.useThis', { number, outcome })}" hidden>${words.text('testCards.use')}</button>
</li>`;
}
