/** The small picture that a card is recognised by. The words beside it name the brand, so it is silent to screen readers. */

import type { Card } from '../kit/card.ts';
import { type Html, html } from '../kit/html.ts';
import { brandPatterns } from './card-form.ts';
import type { Visit } from './visit.ts';

type Brand = Card['brand'];

export function cardMark({ base }: Pick<Visit, 'base'>, brand: Brand, attributes?: Html): Html {
  return html`<img class="card-mark" src="${base}/assets/card-${brand}.svg" width="36" height="24" alt=""${attributes}>`;
}

/** `Visa ending in 4242`, after its mark. */
export function cardInWords(visit: Visit, { brand, last4 }: Card): Html {
  return html`<span class="card-in-words">${cardMark(visit, brand)} ${brandNames[brand]} <span>ending in ${last4}</span></span>`;
}

/** For the number field: the script shows the mark of what is typed, and without it the plain one stays. */
export function typedCardMarks(visit: Visit): Html {
  return html`<span class="typed-marks" data-marks>${marks.map(([brand, pattern]) =>
    cardMark(visit, brand, html` data-starts="${pattern}"${brand !== 'unknown' && html` hidden`}`),
  )}</span>`;
}

const brandNames: Record<Brand, string> = { visa: 'Visa', mastercard: 'Mastercard', unknown: 'Card' };

/** The plain one comes last, and is right for everything. */
const marks: [Brand, string][] = [
  ['visa', brandPatterns.visa.source],
  ['mastercard', brandPatterns.mastercard.source],
  ['unknown', ''],
];
